package sched

import "kumiko/sm/reason"

// sortStates computes the states of a scheduler's warps as of the end of the cycle. Of
// the warps that pass the scoreboard it sets apart those that are kept back: by not being
// among those that the scheduler chooses from, or by the first gate that holds them.
func sortStates(t *warpTable, g *gateSet, st *[reason.Num]uint64) {
	t.warpStates(st)
	could := st[reason.Issued]
	st[reason.Leaving] = could & t.Leaving
	could &^= st[reason.Leaving]
	st[reason.Inactive] = could & t.Outside &^ t.StartPending
	could &^= st[reason.Inactive]
	st[reason.Issued] = g.sortOut(could, st)
}
