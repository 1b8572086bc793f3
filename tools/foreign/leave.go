package main

// lastLabel is the label before the stores of all variables.
const lastLabel = "last"

// leaving decides whether lanes may end before others meet, and whether the kernel has a lock.
func (g *gen) leaving() {
	if g.r.IntN(3) == 0 {
		g.mayLeave, g.exits = true, 1+g.r.IntN(4)
	}
	if g.r.IntN(4) == 0 && (!g.code || g.k.arch >= 70) {
		g.lock = g.fresh("lock")
		g.k.vars = append(g.k.vars, line("SHARED u32 %s;\nif (linear() == 0) %s = 0;\nbarrier();", g.lock, g.lock))
	}
}

// exit returns a statement by which some lanes end: at once, after a store, or by a jump to the last stores.
func (g *gen) exit() *node {
	g.exits--
	g.gone = true
	cond := g.cond(2)
	if g.r.IntN(2) == 0 { // the bounds check of a real kernel
		cond = pick(g.r, "linear() % 32 > "+g.small(), "lane() < "+g.small(), "linear() == "+g.small(),
			"gid >= "+g.small()+" + 16")
	}
	way := g.r.IntN(3)
	if g.code {
		way = 0
	}
	switch way {
	case 0:
		return line("if (%s) return;", cond)
	case 1:
		return line("if (%s) goto %s;", cond, lastLabel)
	}
	return line("if (%s) {\n  io_u64[gid * %d + 3] = %s;\n  return;\n}", cond, ownWords, g.expr(tU64, 2))
}

// small returns the number of a lane.
func (g *gen) small() string { return pick(g.r, "1", "5", "12", "16", "20", "27", "31") }

// leaveLoop returns a loop that lanes leave one after the other, for their last stores, while the others vote.
func (g *gen) leaveLoop() *node {
	i, to := g.fresh("n"), g.lval(tU32)
	g.k.vars = append(g.k.vars, line("u32 %s = 0;", i))
	cond := pick(g.r, i+" > lane()", i+" * 3 > lane() ^ 5", g.cond(2))
	way := pick(g.r, "break", "return", "goto "+lastLabel)
	return line("for (%s = 0; %s < 40; %s++) {\n  if (%s) %s;\n  %s += %s;\n}", i, i, i, cond, way, to,
		g.crossing("all")())
}

// locked returns a sum that the lanes of m add up under the block's lock. From sm_80 on ptxas 11.8 assumes that these
// lanes are one path again behind the loop in which they wait for the lock. It then reads uniform registers there,
// which a lane that has left the loop before may have overwritten; so the lanes meet at the end (meet).
func (g *gen) locked(m string) *node {
	return line("{\n  u32 add = %s;\n  %s(&%s);\n  *(volatile u32 *)(sum32 + 64 + (cta() & 7)) += add;\n"+
		"  give(&%s);\n%s}", g.expr(tU32, 2), pick(g.r, "take", "take_counting"), g.lock, g.lock, g.meet(m))
}
