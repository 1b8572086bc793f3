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

// lost is the reason of a slot that is lost now: that of the warp nearest to issuing, by
// the states of the warps. unpaired: a ready warp could not issue beside what issued in
// the cycle.
func (a *slotAccount) lost(unpaired bool) Reason {
	st := &a.states
	if st[Issued] != 0 {
		if unpaired {
			return Unpaired
		}
		return RegfileFull
	}
	if a.used > int(plainReasons) {
		for i := range st[FirstGate:] {
			if r := FirstGate + Reason(i); st[r] != 0 {
				return r
			}
		}
		if st[Inactive] != 0 {
			return Inactive
		}
		if st[Leaving] != 0 {
			return Leaving
		}
		for _, r := range [...]Reason{ConstantMissed, Stalled, Yielded, Counted} {
			if st[r] != 0 {
				return r
			}
		}
	}
	switch {
	case st[Scoreboard] != 0:
		return Scoreboard
	case st[Memory] != 0:
		return Memory
	case st[FencePending] != 0:
		return FencePending
	case st[AtBarrier] != 0:
		return AtBarrier
	case st[NoInst] != 0:
		return NoInst
	case st[Draining] != 0:
		return Draining
	}
	if a.parked > 0 {
		return Parked
	}
	return Empty
}
