package sched

import "kumiko/sm/reason"

// merge accounts the warps of a row as warps of another state.
type merge struct{ from, to reason.Reason }

// starved reports whether fetch keeps the warps of the active set, or of the current group, from issuing: some run, and
// none of these has an instruction or waits at a barrier.
func (t *warpTable) starved() bool {
	among := t.Running() &^ (t.Blocked[t.behind] | t.StartPending)
	return among != 0 && among&(t.Head|t.Blocked[reason.AtBarrier]) == 0
}

// warpStates computes the states of a scheduler's warps at the end of the cycle. The state of a warp is the reason
// of the first row with the warp. A warp in no row is ready and counts as Issued.
func (t *warpTable) warpStates(st *[reason.Num]uint64) {
	bar := t.Blocked[reason.AtBarrier]
	st[reason.AtBarrier] = bar
	st[reason.Draining] = t.Exited
	st[reason.NoInst] = t.Live &^ (t.Head | t.Exited | bar)
	left := t.Head &^ bar
	for r := reason.AtBarrier + 1; r < t.End; r++ {
		st[r] = left & t.Blocked[r]
		left &^= st[r]
	}
	st[reason.Issued] = left
	for _, m := range t.merged {
		st[m.to] |= st[m.from]
		st[m.from] = 0
	}
}
