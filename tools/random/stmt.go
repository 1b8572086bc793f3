package main

import "fmt"

// block writes statements, each behind a label for branches backward.
func (g *gen) block(depth int) {
	g.marks = append(g.marks, nil)
	for n := 1 + g.r.IntN(6); g.budget > 0 && (n > 0 || depth == 0 && !g.chance(12)); n-- {
		g.budget--
		for len(g.ahead) > 0 && g.chance(3) {
			g.place(g.ahead[0])
			g.ahead = g.ahead[1:]
		}
		here := g.label()
		g.place(here)
		g.marks[len(g.marks)-1] = append(g.marks[len(g.marks)-1], here)
		g.statement(depth)
	}
	g.marks = g.marks[:len(g.marks)-1]
}

func (g *gen) statement(depth int) {
	inner := depth < mostDepth && g.budget > 0
	switch c := g.r.IntN(24); {
	case c < 3 && inner:
		g.ifElse(depth)
	case c < 5 && inner && g.has.loops && g.loops < mostLoops:
		g.loop(depth)
	case c < 7 && inner:
		g.choice(depth)
	case c == 7 && g.has.jumps:
		g.forward()
	case c == 8 && g.has.back:
		g.backward()
	case c == 9 && g.within != "":
		g.lot()
		g.p("@%s bra %s", g.some(), g.within)
	case c == 10 && depth > 0 && g.has.ends:
		g.end()
	case (c == 11 || c == 12) && g.has.memory:
		g.memory()
	case c == 13:
		g.across()
	case c == 14 && g.funcs && g.loops == 0:
		g.call()
	case c == 15 && g.has.meets:
		g.meet()
	default:
		g.compute()
	}
}

// lot draws a random number for each lane, and lets %p be true in some.
func (g *gen) lot() {
	g.p("mad.lo.u32 %%chance, %%chance, 1664525, 1013904223")
	g.p("shr.u32 %%t1, %%chance, 29")
	g.p("setp.lt.u32 %%p, %%t1, %d", 1+g.r.IntN(7))
}

func (g *gen) some() string { return pick(g.r, "%p", "!%p") }

// ifElse writes a branch with one side or two.
func (g *gen) ifElse(depth int) {
	other, end, made := g.label(), g.label(), g.results(depth)
	g.lot()
	g.p("@%s bra %s", g.some(), other)
	g.way(depth, made)
	if len(made) > 0 || g.chance(2) {
		g.p("bra %s", end)
		g.place(other)
		g.way(depth, made)
	} else {
		g.place(other)
	}
	g.place(end)
	g.read(made)
}

// results chooses variables made anew by each side of a branch, and read only by the code behind. Until a lane has
// made one, it does not need the old value, while lanes of another side wait with theirs.
func (g *gen) results(depth int) []string {
	list := make([]string, g.r.IntN(mostResults+1))
	for i := range list {
		list[i] = fmt.Sprintf("%%w%d", depth*mostResults+i)
	}
	return list
}

// way writes a side of a branch, with the results made at its end. In some sides lanes read the old values for the last
// time, and some lanes quit.
func (g *gen) way(depth int, made []string) {
	if g.chance(4) {
		g.read(made)
	}
	if g.has.quits && g.chance(3) {
		g.quit()
	}
	g.block(depth + 1)
	for _, v := range made {
		g.p("mad.lo.u32 %s, %%chance, %d, %%fuel", v, 2*g.r.IntN(1<<20)+1)
	}
}

func (g *gen) read(list []string) {
	for _, v := range list {
		d := g.v()
		g.p("mad.lo.u32 %s, %s, 33, %s", d, d, v)
	}
}

// quit ends some lanes. They store nothing.
func (g *gen) quit() {
	over := g.label()
	g.lot()
	g.p("@%s bra %s", g.some(), over)
	g.p("exit")
	g.place(over)
	g.leaves = true
	g.quits = g.quits || g.inFunc
}

// loop writes a loop with a number of turns for each lane, and an end in its middle.
func (g *gen) loop(depth int) {
	top, end, count, was := g.label(), g.label(), fmt.Sprintf("%%loop%d", g.loops), g.within
	g.p("rem.u32 %s, %s, %d", count, g.v(), mostTrips+1)
	g.place(top)
	g.loops++
	g.within = end
	g.block(depth + 1)
	if g.chance(2) {
		g.lot()
		g.p("@%s bra %s", g.some(), end)
		g.block(depth + 1)
	}
	g.within = was
	g.loops--
	g.p("sub.u32 %s, %s, 1", count, count)
	g.p("setp.gt.s32 %%p, %s, 0", count)
	g.p("@%%p bra %s", top)
	g.place(end)
}

// choice writes a switch with cases falling through into the next or leaving, as a table of targets or as comparisons.
func (g *gen) choice(depth int) {
	cases, end, was, made := make([]string, 2+g.r.IntN(3)), g.label(), g.within, g.results(depth)
	for i := range cases {
		cases[i] = g.label()
	}
	g.p("rem.u32 %%t2, %s, %d", g.v(), len(cases)+1)
	if g.chance(2) {
		list := ""
		for _, c := range cases {
			list += c + ", "
		}
		targets := g.label()
		fmt.Fprintf(&g.b, "%s: .branchtargets %s%s;\n", targets, list, pick(g.r, end, cases[0]))
		g.p("brx.idx %%t2, %s", targets)
	} else {
		for i, c := range cases {
			g.p("setp.eq.u32 %%p, %%t2, %d", i)
			g.p("@%%p bra %s", c)
		}
		if g.chance(2) {
			g.p("bra %s", end)
		}
	}
	g.within = end
	for _, c := range cases {
		g.place(c)
		g.way(depth, made)
		if g.chance(3) {
			g.p("bra %s", end)
		}
	}
	g.within = was
	g.place(end)
	g.read(made)
}

// forward writes a branch by some lanes, or all, to a label placed later: possibly into another statement.
func (g *gen) forward() {
	if len(g.ahead) < 3 {
		g.ahead = append(g.ahead, g.label())
	}
	to := pick(g.r, g.ahead...)
	if g.chance(6) {
		g.p("bra %s", to)
		return
	}
	g.lot()
	g.p("@%s bra %s", g.some(), to)
}

// backward writes a branch to a statement before, by lanes with fuel.
func (g *gen) backward() {
	var list []string
	for _, m := range g.marks {
		list = append(list, m...)
	}
	g.lot()
	g.p("selp.u32 %%t1, %%fuel, 0, %s", pick(g.r, "%p", "%p", "%q"))
	g.p("setp.gt.s32 %%p, %%t1, 0")
	g.p("@%%p sub.u32 %%fuel, %%fuel, 1")
	g.p("@%%p bra %s", pick(g.r, list...))
}

// end writes an early end of some lanes. A function cannot store the variables of its caller, so there it returns.
func (g *gen) end() {
	over := g.label()
	g.lot()
	g.p("@%s bra %s", g.some(), over)
	g.leaves = true
	if g.inFunc {
		g.p("st.param.u32 [result], %s", g.v())
		how := pick(g.r, "ret", "ret", "exit")
		g.quits = g.quits || how == "exit"
		g.p("%s", how)
	} else {
		g.leave(pick(g.r, "ret", "exit"))
	}
	g.place(over)
}

// call writes a call by the lanes with fuel, each with a number of its own.
func (g *gen) call() {
	over := g.label()
	g.p("setp.le.s32 %%p, %%fuel, %d", fuel-3)
	g.p("@%%p bra %s", over)
	if g.chance(2) {
		g.lot()
		g.p("@%s bra %s", g.some(), over)
	}
	g.p("sub.u32 %%fuel, %%fuel, 1")
	fmt.Fprintf(&g.b, "\t{\n\t.param .u32 x;\n\t.param .u32 depth;\n\t.param .u64 from;\n\t.param .u32 result;\n")
	g.p("st.param.u32 [x], %s", g.v())
	g.p("st.param.u32 [depth], %%fuel")
	g.p("st.param.u64 [from], %%table")
	g.p("call (result), f, (x, depth, from)")
	g.p("ld.param.u32 %s, [result]", g.v())
	g.b.WriteString("\t}\n")
	g.place(over)
}

// meet writes a branch with sides waiting for each other.
func (g *gen) meet() {
	other, end := g.label(), g.label()
	g.p("activemask.b32 %%lanes")
	g.lot()
	g.p("@%s bra %s", g.some(), other)
	g.side()
	g.p("bra %s", end)
	g.place(other)
	g.side()
	g.place(end)
}

func (g *gen) side() {
	for range g.r.IntN(3) {
		g.compute()
	}
	if g.chance(2) {
		over := g.label()
		g.lot()
		g.p("@%s bra %s", g.some(), over)
		g.compute()
		g.place(over)
	}
	g.p("bar.warp.sync %%lanes")
	for range g.r.IntN(4) {
		g.compute()
	}
}

// barrier writes a branch with sides that come to the CTA's barrier each by an instruction of its own. Every lane comes
// there once, so that no warp waits in vain. Values made in front of the barrier are read behind it.
func (g *gen) barrier() {
	other, end := g.label(), g.label()
	g.lot()
	g.p("@%s bra %s", g.some(), other)
	g.beside()
	g.p("bra %s", end)
	g.place(other)
	g.beside()
	g.place(end)
}

func (g *gen) beside() {
	if g.chance(2) {
		g.compute()
	}
	g.p("mad.lo.u32 %%t6, %s, 17, %s", g.v(), g.v())
	g.p("bar.sync 0")
	g.p("xor.b32 %s, %%t6, %s", g.v(), g.v())
	g.compute()
}

// across writes an operation across the lanes here. Each lane keeps its own part of the result: who else is
// here depends on where the compiler lets lanes meet.
func (g *gen) across() {
	g.p("activemask.b32 %%lanes")
	g.p("mov.u32 %%t5, %%laneid")
	switch v := g.v(); g.r.IntN(3) {
	case 0:
		g.p("shfl.sync.idx.b32 %s, %s, %%t5, 31, %%lanes", v, g.v())
	case 1:
		g.lot()
		g.p("vote.sync.ballot.b32 %%t6, %%p, %%lanes")
		g.p("shr.u32 %%t6, %%t6, %%t5")
		g.p("and.b32 %%t6, %%t6, 1")
		g.p("add.u32 %s, %s, %%t6", v, v)
	default:
		g.p("bar.warp.sync %%lanes")
	}
}

// memory writes an access to the table or to the local array.
func (g *gen) memory() {
	switch g.r.IntN(4) {
	case 0, 1:
		g.p("and.b32 %%t3, %s, %d", g.v(), tableLen-1)
		g.p("mul.wide.u32 %%a1, %%t3, 4")
		g.p("add.u64 %%a1, %%a1, %%table")
		g.p("ld.global.u32 %s, [%%a1]", g.v())
	case 2:
		g.index()
		g.p("st.local.u32 [%%t3], %s", g.v())
	default:
		g.index()
		g.p("ld.local.u32 %s, [%%t3]", g.v())
	}
}

// index makes the address of an element of the local array.
func (g *gen) index() {
	g.p("and.b32 %%t3, %s, %d", g.v(), arrayLen-1)
	g.p("shl.b32 %%t3, %%t3, 2")
	g.p("mov.u32 %%t4, array")
	g.p("add.u32 %%t3, %%t3, %%t4")
}

// compute writes arithmetic, sometimes under a guard.
func (g *gen) compute() {
	for range 1 + g.r.IntN(3) {
		guard := ""
		if g.chance(5) {
			guard = "@" + pick(g.r, "%p", "!%p", "%q") + " "
		}
		switch g.r.IntN(8) {
		case 0:
			g.p("%smov.u32 %s, %d", guard, g.v(), g.r.IntN(1<<16))
		case 1:
			g.p("%smad.lo.u32 %s, %s, %s, %s", guard, g.v(), g.v(), g.src(), g.v())
		case 2:
			g.p("%ssetp.%s.u32 %s, %s, %s", guard, pick(g.r, "lt", "ge", "ne"), pick(g.r, "%p", "%q"), g.v(), g.src())
		case 3:
			g.p("%sselp.u32 %s, %s, %s, %s", guard, g.v(), g.v(), g.v(), pick(g.r, "%p", "%q"))
		default:
			op := pick(g.r, "add.u32", "sub.u32", "xor.b32", "and.b32", "mul.lo.u32", "max.u32", "shr.u32")
			g.p("%s%s %s, %s, %s", guard, op, g.v(), g.v(), g.src())
		}
	}
}
