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

// warpStates accounts for the states of a scheduler's warps at the end of the cycle. The state of a warp is the reason
// of the first row with the warp. A warp in no row is ready and counts as Issued. It returns the same sets as Chosen
// and Ready.
func (t *warpTable) warpStates(a *reason.Account) (chosen, ready uint64) {
	bar := t.Blocked[reason.AtBarrier]
	a.Enter(reason.AtBarrier, bar)
	a.Enter(reason.Draining, t.Exited)
	a.Enter(reason.NoInst, t.Live&^(t.Head|t.Exited|bar))
	chosen = a.Split(reason.FencePending, t.Head&^bar, t.Blocked[reason.FencePending])
	chosen = a.Split(reason.Memory, chosen, t.Blocked[reason.Memory])
	chosen = a.Split(reason.Scoreboard, chosen, t.Blocked[reason.Scoreboard])
	ready = chosen
	if t.End > reason.First {
		chosen = a.Sort(reason.First, t.Blocked[reason.First:t.Late], chosen)
		ready = a.Sort(t.Late, t.Blocked[t.Late:t.End], chosen)
	}
	a.Enter(reason.Issued, ready)
	if len(t.merged) != 0 {
		for _, m := range t.merged {
			a.Merge(m.from, m.to)
		}
	}
	return chosen, ready
}
