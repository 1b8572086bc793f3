package main

import "fmt"

// A ctx is the context of a statement.
type ctx struct {
	uniform bool   // all threads of the block execute the statement, or none
	mask    string // name of the variable with the warp's executing lanes; "" if unknown
	loop    bool   // within a loop with early exits
	label   string // label after the outermost of these loops
	returns bool   // lanes may end here
	depth   int
	trips   int // iterations of all enclosing loops, multiplied
}

// inner returns the context of a block entered by some lanes of c.
func (c ctx) inner() ctx {
	c.uniform, c.mask = false, ""
	c.depth++
	return c
}

// statements generates up to n statements.
func (g *gen) statements(c ctx, n int) []*node {
	var out []*node
	for range n {
		if g.left <= 0 {
			break
		}
		g.left--
		out = append(out, g.statement(c))
	}
	return out
}

func (g *gen) statement(c ctx) *node {
	deep := c.depth >= 4
	for {
		switch weigh(g.r, 14, 5, 3, 2, 3, 3, 2, 1, 6, 5, 2, 1, 2, 2, 2) {
		case 0:
			return g.assign()
		case 1:
			return g.assignCell()
		case 2:
			if !deep {
				return g.branch(c)
			}
		case 3:
			if !deep {
				return g.choice(c)
			}
		case 4:
			if !deep && c.trips < mostTrips {
				return g.loop(c)
			}
		case 5:
			return g.vector()
		case 6:
			return g.atomic()
		case 7:
			if len(g.bytes) > 1 {
				return g.assignBytes()
			}
		case 8:
			if c.uniform && c.trips < mostTrips {
				return g.communication(c)
			}
		case 9:
			if c.mask != "" {
				return g.warp(c)
			}
		case 10:
			if c.loop {
				return g.leaves(c)
			}
		case 11:
			if c.returns && c.depth > 0 {
				return line("if (%s) return;", g.cond(1))
			}
		case 12:
			if c.uniform && !deep && c.trips < mostTrips/4 {
				return g.uniform(c)
			}
		case 13:
			if g.exits > 0 {
				return g.exit()
			}
		case 14:
			if g.lock != "" && (!g.code || c.mask != "") {
				return g.locked(c.mask)
			}
		}
	}
}

// assignBytes returns an assignment of a structure of bytes, whole or changed.
func (g *gen) assignBytes() *node {
	if g.r.IntN(2) == 0 {
		return line("%s = %s(%s, %s);", pick(g.r, g.bytes...).name, g.changes, pick(g.r, g.bytes...).name,
			g.expr(tU32, 2))
	}
	return line("%s = %s;", pick(g.r, g.bytes...).name, pick(g.r, g.bytes...).name)
}

// target returns an assignable variable and its type.
func (g *gen) target() (string, typ) {
	for {
		t := pick(g.r, allTypes...)
		if len(g.lvals[t]) > 0 && !g.fixed(t) {
			return pick(g.r, g.lvals[t]...), t
		}
	}
}

// fixed reports whether variables of a type keep their first value. In machine code those of fewer than 32 bits do: a
// copy of 16 bits where paths meet, by PRMT, keeps the upper half of its destination, and ptxas 11.8 may compare or
// store the whole register.
func (g *gen) fixed(t typ) bool { return g.code && t.bits() < 32 }

// changing returns a type like t whose variables change.
func (g *gen) changing(t typ) typ {
	if g.fixed(t) {
		return tI32
	}
	return t
}

func (g *gen) lval(t typ) string { return pick(g.r, g.lvals[t]...) }

func (g *gen) assign() *node {
	v, t := g.target()
	if !t.isFloat() && g.r.IntN(4) == 0 {
		op := pick(g.r, "+", "-", "^", "|", "&", "*")
		return line("%s %s= %s;", v, op, g.factor(t, op, g.expr(t, 2)))
	}
	return line("%s = %s;", v, g.expr(t, 2+g.r.IntN(3)))
}

func (g *gen) assignCell() *node {
	for {
		t := pick(g.r, allTypes...)
		if list := g.cells[t]; len(list) > 0 {
			cell := fmt.Sprintf(pick(g.r, list...), g.index(2))
			return line("%s = %s;", cell, g.expr(t, 3))
		}
	}
}

// branch returns an if statement. If a variable has the mask of the lanes that execute it, the statement may begin with
// a ballot on the condition, so that a variable also has the mask of the lanes inside.
func (g *gen) branch(c ctx) *node {
	in := c.inner()
	if c.mask != "" && g.r.IntN(2) == 0 {
		cond, m := g.fresh("is"), g.fresh("m")
		g.k.vars = append(g.k.vars, line("bool %s = false;\nu32 %s = 0;", cond, m))
		in.mask = m
		in.loop = false
		return &node{kids: []*node{line("%s = %s;\n%s = ballot(%s, %s);", cond, g.cond(2), m, c.mask, cond),
			block(fmt.Sprintf("if (%s)", cond), g.statements(in, 1+g.r.IntN(4)))}}
	}
	yes := block(fmt.Sprintf("if (%s)", g.cond(2)), g.statements(in, 1+g.r.IntN(4)))
	if g.r.IntN(2) == 0 {
		return yes
	}
	return &node{kids: []*node{yes, block("else", g.statements(in, 1+g.r.IntN(3)))}}
}

// choice returns a switch. Some cases fall through to the next.
func (g *gen) choice(c ctx) *node {
	in := c.inner()
	in.loop = false // a break would leave the switch
	n := 2 + g.r.IntN(6)
	var cases []*node
	for i := range n {
		end := "} break;"
		if g.r.IntN(5) == 0 && i < n-1 {
			end = "}"
		}
		head := fmt.Sprintf("case %d: {", i*pick(g.r, 1, 1, 1, 1, 1, 9))
		if i == n-1 {
			head = "default: {"
		}
		cases = append(cases, &node{text: head, kids: g.statements(in, 1+g.r.IntN(2)), tail: end})
	}
	seen := map[string]bool{} // a multiple of 9 may be there already
	for _, k := range cases {
		if seen[k.text] {
			k.text = "{"
		}
		seen[k.text] = true
	}
	return block(fmt.Sprintf("switch (%s %% %d)", g.expr(tU32, 2), n+1), cases)
}

// loop returns a loop with a number of iterations varying from lane to lane. Lanes may leave it early.
func (g *gen) loop(c ctx) *node {
	in := c.inner()
	in.loop = true
	n := 1 + g.r.IntN(8)
	in.trips *= n
	var after []*node
	if in.label == "" && g.r.IntN(3) == 0 {
		in.label = g.fresh("L")
		after = []*node{line("%s:;", in.label)}
	}
	i := g.fresh("n")
	g.k.vars = append(g.k.vars, line("u32 %s = 0;", i))
	g.vars[tU32] = append(g.vars[tU32], i)
	body := g.statements(in, 1+g.r.IntN(4))
	var head, tail string
	switch g.r.IntN(4) {
	case 0:
		head, tail = fmt.Sprintf("for (%s = 0; %s < %d; %s++) {", i, i, n, i), "}"
	case 1:
		head, tail = fmt.Sprintf("for (%s = %s %% %d; %s > 0; %s--) {", i, g.expr(tU32, 2), n+1, i, i), "}"
	case 2:
		head, tail = fmt.Sprintf("%s = 0;\nwhile (%s++ < %d && %s) {", i, i, n, g.cond(1)), "}"
	default:
		head, tail = fmt.Sprintf("%s = 0;\ndo {", i), fmt.Sprintf("} while (++%s < %d && %s);", i, n, g.cond(1))
	}
	pragma := pick(g.r, "", "", "#pragma unroll\n", "#pragma unroll 1\n")
	if i := len(head); head[:3] == "for" && i > 0 {
		head = pragma + head
	}
	return &node{kids: append([]*node{{text: head, kids: body, tail: tail}}, after...)}
}

// leaves returns a statement by which some lanes leave the loop or continue with its next iteration.
func (g *gen) leaves(c ctx) *node {
	to := pick(g.r, "break", "continue")
	if c.label != "" && g.r.IntN(2) == 0 {
		to = "goto " + c.label
	}
	return line("if (%s) %s;", g.cond(2), to)
}

// vector returns a statement that moves several elements with one load or store.
func (g *gen) vector() *node {
	i, w := g.index(2), g.fresh("x")
	load := func(v, buffer string, mask int, rest string) *node {
		return line("{ %s %s = ((const %s *)%s)[%s & %d]; %s }", v, w, v, buffer, i, mask, rest)
	}
	switch g.r.IntN(8) {
	case 0:
		return load("i4", "in_i32", 63, fmt.Sprintf("%s += %s.x ^ %s.w; %s = %s.y;", g.lval(tI32), w, w, g.lval(tU32),
			w))
	case 1:
		return load("f4", "in_f32", 63, fmt.Sprintf("%s = %s.x * %s.y; %s = %s.z;", g.lval(tF32), w, w, g.lval(tF64),
			w))
	case 2:
		return load("d2", "in_f64", 63, fmt.Sprintf("%s = %s.y - %s.x;", g.lval(tF64), w, w))
	case 3:
		return load("l2", "in_u64", 63, fmt.Sprintf("%s ^= %s.x; %s += %s.y;", g.lval(tU64), w, g.lval(tI64), w))
	case 4:
		return load("c4", "in_u8", 127, fmt.Sprintf("%s = %s.x + %s.z; %s ^= %s.w;", g.lval(g.changing(tI8)), w, w,
			g.lval(tI32), w))
	case 5:
		return load("s4", "in_i16", 63, fmt.Sprintf("%s += %s.y; %s -= %s.z;", g.lval(g.changing(tU16)), w,
			g.lval(g.changing(tI16)), w))
	case 6:
		return line("((i4 *)io_i32)[gid * 2 + (%s & 1)] = i4{%s, (i32)%s, %s, 7};", i, g.lval(tI32), g.lval(tU32),
			g.lval(tI32))
	}
	return line("((f2 *)io_f32)[gid * 4 + (%s & 3)] = f2{%s, %s};", i, g.expr(tF32, 2), g.lval(tF32))
}

// atomic returns an atomic operation on a word of global memory shared with other threads. All operations on a word
// are of the same kind, so their order does not matter.
func (g *gen) atomic() *node {
	ops := [][3]string{{"atomic_add", "u32", "0"}, {"atomic_min", "i32", "1"}, {"atomic_umax", "u32", "2"},
		{"atomic_and", "u32", "3"}, {"atomic_or", "u32", "4"}, {"atomic_xor", "u32", "5"}, {"atomic_umin", "u32", "6"},
		{"atomic_max", "i32", "7"}}
	if g.r.IntN(4) == 0 {
		op := pick(g.r, [3]string{"atomic_add64", "u64", "0"}, [3]string{"atomic_min64", "i64", "1"},
			[3]string{"atomic_umax64", "u64", "2"})
		return line("%s((%s *)&sum64[%s * 8 + (%s & 7)], %s);", op[0], op[1], op[2], g.index(2), g.expr(typ(op[1]), 2))
	}
	op := pick(g.r, ops...)
	return line("%s((%s *)&sum32[%s * 8 + (%s & 7)], %s);", op[0], op[1], op[2], g.index(2), g.expr(typ(op[1]), 2))
}
