package main

import "fmt"

// communication returns a statement by which the threads of a block communicate.
func (g *gen) communication(c ctx) *node {
	kind := g.r.IntN(6)
	if g.gone { // a thread that has ended has nothing to tell
		kind = 2
	}
	switch kind {
	case 0:
		return g.sum()
	case 1:
		return g.tree()
	case 2:
		to, t := g.target()
		f := pick(g.r, "barrier_count", "barrier_and", "barrier_or")
		if t.isFloat() {
			return line("%s += (%s)%s(%s);", to, t, f, g.cond(2))
		}
		return line("%s ^= %s(%s);", to, f, g.cond(2))
	}
	return g.exchange()
}

// otherThread returns the index of another thread of the block.
func (g *gen) otherThread() string {
	return fmt.Sprintf(pick(g.r, "(linear() + %d) %% threads()", "(%d + threads() - linear()) %% threads()",
		"(linear() * %d) %% threads()"), g.r.IntN(64))
}

// exchange passes each thread the number of another thread through shared memory, of a fixed size or of the
// launch's.
func (g *gen) exchange() *node {
	t := pick(g.r, allTypes...)
	a := g.fresh("sh")
	if g.r.IntN(3) == 0 {
		a = g.k.name + "_" + a
		g.k.before = append(g.k.before, fmt.Sprintf("DYNAMIC(%s, %s)", t, a))
		g.k.dynShared = max(g.k.dynShared, g.k.threads()*t.bits()/8)
	} else {
		g.k.vars = append(g.k.vars, line("SHARED %s %s[%d];", t, a, g.k.threads()))
	}
	to := g.lvals[t]
	body := fmt.Sprintf("%s[linear()] = %s;\nbarrier();\n", a, g.expr(t, 2))
	if len(to) > 0 && !g.fixed(t) {
		body += fmt.Sprintf("%s = %s[%s];\n", pick(g.r, to...), a, g.otherThread())
	} else {
		body += fmt.Sprintf("%s += %s[%s] > (%s)3;\n", g.lval(tI32), a, g.otherThread(), t)
	}
	return line("%sbarrier();", body)
}

// sum returns atomics on words of shared memory.
func (g *gen) sum() *node {
	a, wide := g.fresh("sh"), g.r.IntN(4) == 0
	op := pick(g.r, [2]string{"atomic_add", "u32"}, [2]string{"atomic_min", "i32"}, [2]string{"atomic_umax", "u32"},
		[2]string{"atomic_xor", "u32"}, [2]string{"atomic_or", "u32"}, [2]string{"atomic_and", "u32"})
	if wide {
		op = pick(g.r, [2]string{"atomic_add64", "u64"}, [2]string{"atomic_min64", "i64"})
	}
	t := typ(op[1])
	g.k.vars = append(g.k.vars, line("SHARED %s %s[8];", t, a))
	return line("if (linear() == 0)\n  for (u32 i = 0; i < 8; i++) %s[i] = %s;\nbarrier();\n%s(&%s[%s & 7], %s);\n"+
		"barrier();\n%s = %s[%s & 7];\nbarrier();", a, constant(g.r, t), op[0], a, g.index(2), g.expr(t, 2),
		g.lval(t), a, g.index(1))
}

// tree returns a reduction over the block.
func (g *gen) tree() *node {
	t := pick(g.r, tI32, tU32, tF32, tU64, tF64)
	a := g.fresh("sh")
	g.k.vars = append(g.k.vars, line("SHARED %s %s[%d];", t, a, g.k.threads()))
	return line("%s[linear()] = %s;\nbarrier();\nfor (u32 s = 128; s > 0; s >>= 1) {\n"+
		"  if (linear() < s && linear() + s < threads()) %s[linear()] += %s[linear() + s];\n  barrier();\n}\n"+
		"%s = %s[0];\nbarrier();", a, g.expr(t, 2), a, a, g.lval(t), a)
}

// uniform returns a loop or an if executed uniformly by all threads of the block.
func (g *gen) uniform(c ctx) *node {
	c.depth++
	if g.r.IntN(3) == 0 {
		cond := pick(g.r, "(cta() & 1) == 0", "cta_x() == 0", fmt.Sprintf("nc_x() > %d", g.r.IntN(3)))
		return block(fmt.Sprintf("if (%s)", cond), g.statements(c, 1+g.r.IntN(3)))
	}
	n := 1 + g.r.IntN(4)
	c.trips *= n
	c.loop, c.label = false, ""
	i := g.fresh("q")
	g.k.vars = append(g.k.vars, line("u32 %s = 0;", i))
	g.vars[tU32] = append(g.vars[tU32], i)
	return block(fmt.Sprintf("for (%s = 0; %s < %d; %s++)", i, i, n, i), g.statements(c, 1+g.r.IntN(4)))
}

// grouped declares a variable with a membermask for each lane. A lane's mask has the lanes of m in the same group
// as the lane. One or two conditions, or tiles, form the groups.
func (g *gen) grouped(m string) (name, text string) {
	name = g.fresh("g")
	split := func(name, m string) string {
		is := g.fresh("is")
		return fmt.Sprintf("const bool %s = %s; const u32 b%s = ballot(%s, %s); const u32 %s = %s ? b%s : %s & ~b%s;",
			is, g.cond(2), is, m, is, name, is, is, m, is)
	}
	switch g.r.IntN(3) {
	case 0:
		tile := 1 << (1 + g.r.IntN(4))
		return name, fmt.Sprintf("const u32 %s = %s & %du << (linear() & %d);", name, m, 1<<tile-1, 32-tile)
	case 1:
		return name, split(name, m)
	}
	half := g.fresh("g")
	return name, split(half, m) + " " + split(name, half)
}

// crossing chooses an operation across the lanes of m. The returned function makes an expression for it, with other
// operands at each call.
func (g *gen) crossing(m string) func() string {
	call := func(f, value string) string { return g.result(fmt.Sprintf("%s(%s, %s)", f, m, value)) }
	switch kind := g.r.IntN(8); {
	case kind < 3:
		f := pick(g.r, "ballot", "vote_any", "vote_all", "vote_uni")
		return func() string { return call(f, g.unknown(g.cond(2))) }
	case kind < 5 && g.k.arch >= 70:
		if g.r.IntN(2) == 0 {
			return func() string { return call("match_any64", g.expr(tU64, 1)) }
		}
		return func() string { return call("match_any", g.expr(tU32, 2)+" & 3") }
	case kind < 7 && g.k.arch >= 80:
		f := pick(g.r, "redux_add", "redux_min", "redux_umax", "redux_xor")
		return func() string { return call(f, g.expr(tU32, 2)) }
	}
	return func() string {
		return g.result(fmt.Sprintf("shfl_idx(%s, %s, %s, 31)", m, g.expr(tU32, 2), g.first(m)))
	}
}

// result returns a result of an operation across the lanes of a group. For sm_90 ptxas 11.8 may take it for one of the
// whole warp, and then all lanes have that of the first group. From sm_80 on it drops an operation whose result nobody
// uses, and leaves the groups apart; so all results are kept.
func (g *gen) result(x string) string {
	if g.code {
		return fmt.Sprintf("(kept ^= %s)", g.own(x))
	}
	return x
}

// unknown returns a condition whose value ptxas cannot know: for sm_90 it drops a vote on a known one, and with it the
// wait of its lanes for those that vote on the other side of an if.
func (g *gen) unknown(cond string) string {
	if !g.code {
		return cond
	}
	return fmt.Sprintf("(%s) != (in_u32[linear() & 255] == 77)", cond)
}

// own returns a number of which ptxas cannot know that all lanes have the same.
func (g *gen) own(x string) string { return fmt.Sprintf("(%s + (in_u32[linear() & 255] == 77))", x) }

// first returns the number of a lane that executes an operation across the lanes of m.
func (g *gen) first(m string) string {
	if g.mayLeave { // the first lane of m may have ended
		m = fmt.Sprintf("ballot(%s, true)", m)
	}
	if g.code && g.mayLeave {
		// For sm_90 ptxas 11.8 treats a value from the lane that a vote chose as equal in the whole warp, although each
		// group has chosen a lane of its own. It cannot know that this number is the vote's.
		return fmt.Sprintf("((__builtin_ffs(%s) - 1) & (31 | in_u32[linear() & 255]))", m)
	}
	return fmt.Sprintf("(__builtin_ffs(%s) - 1)", m)
}

// groups returns an operation across the lanes of each group of a warp.
func (g *gen) groups(m string) *node {
	name, text := g.grouped(m)
	return line("{ %s %s += %s; %s }", text, g.lval(pick(g.r, tU32, tI32, tU64)), g.crossing(name)(), g.meet(m))
}

// meet returns, in kernels for machine code, a wait of the lanes of m for each other, and otherwise nothing. From sm_80
// on ptxas 11.8 assumes that groups of lanes are one path again behind a match in each group, or behind a sum whose
// result is not used, although nothing makes them wait there. Without the wait it would let them vote together, or read
// uniform registers that another group has overwritten.
func (g *gen) meet(m string) string {
	if !g.code {
		return ""
	}
	return fmt.Sprintf("warp_barrier(%s);", m)
}

// sides returns an operation across lanes on the two sides of an if.
func (g *gen) sides(m string) *node {
	to := func() string { return g.lval(pick(g.r, tU32, tI32, tU64)) }
	text, together := "", g.meet(m)
	if g.r.IntN(2) == 0 {
		m, text = g.grouped(m)
	}
	f := g.crossing(m)
	return line("{ %s if (%s) { %s += 1; %s ^= %s; } else { %s += %s; %s -= 1; } %s }", text, g.cond(2), to(), to(),
		f(), to(), f(), to(), together)
}

// warp returns an operation across the lanes of a warp: all executing lanes, on one side of an if or on both, or
// groups of them.
func (g *gen) warp(c ctx) *node {
	m := c.mask
	switch n := g.r.IntN(6); {
	case n < 2:
		return g.groups(m)
	case n == 2 && g.k.arch >= 70: // before, all lanes of a membermask have to be on one path
		return g.sides(m)
	}
	to := g.lval(pick(g.r, tU32, tI32, tU64))
	whole := m == "all" && g.k.threads()%32 == 0 && !g.mayLeave
	kind := g.r.IntN(10)
	switch {
	case kind < 2:
		f := pick(g.r, "ballot", "vote_any", "vote_all", "vote_uni")
		return line("%s ^= %s(%s, %s);", to, f, m, g.cond(2))
	case kind == 2:
		return line("warp_barrier(%s);", m)
	case kind == 3 && g.k.arch >= 70:
		return line("%s += %s;", to, pick(g.r, fmt.Sprintf("match_any(%s, %s & 3)", m, g.expr(tU32, 2)),
			fmt.Sprintf("match_any64(%s, %s)", m, g.expr(tU64, 1))))
	case kind == 4 && g.k.arch >= 80:
		f := pick(g.r, "redux_add", "redux_min", "redux_umax", "redux_xor")
		return line("%s ^= %s(%s, %s);", to, f, m, g.expr(tU32, 2))
	case !whole:
		return line("%s = shfl_idx(%s, %s, %s, 31);", to, m, g.expr(tU32, 2), g.first(m))
	case kind == 5:
		return line("%s = shfl64(%s, %s, %s);", g.lval(tU64), m, g.expr(tU64, 2), g.expr(tU32, 1))
	case kind == 6:
		return line("%s = shflf(%s, %s, %d);", g.lval(tF32), m, g.typed(tF32, 2), g.r.IntN(32))
	}
	width := 1 << (1 + g.r.IntN(5))
	f, clamp := pick(g.r, "shfl_idx", "shfl_up", "shfl_down", "shfl_bfly"), 31
	if f == "shfl_up" {
		clamp = 0
	}
	return line("%s = %s(%s, %s, %s & 31, %d);", to, f, m, g.expr(tU32, 2), pick(g.r, g.expr(tU32, 1),
		fmt.Sprint(g.r.IntN(32))), (32-width)<<8|clamp)
}
