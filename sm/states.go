package sm

// sortStates computes the states of a scheduler's warps as of the end of the cycle. Of
// the warps that pass the scoreboard it sets apart those that are kept back: by not being
// among those that the scheduler chooses from, or by the first gate that holds them.
func sortStates(t *warpTable, g *gateSet, st *[NumReasons]uint64) {
	t.warpStates(st)
	could := st[Issued]
	st[Leaving] = could & t.leaving
	could &^= st[Leaving]
	st[Inactive] = could & t.outside &^ t.startPending
	could &^= st[Inactive]
	st[Issued] = g.sortOut(could, st)
}
