package sm

// warpStates are the sets of warps in each state as of the end of the cycle.
func (s *Scheduler) warpStates(st *[NumReasons]uint64) {
	waits := s.head &^ s.waitBar
	st[Issued] = waits & s.clear
	st[Memory] = waits & s.waitMem
	st[FencePending] = waits & s.waitFence
	st[Scoreboard] = waits &^ (s.clear | s.waitMem | s.waitFence)
	st[AtBarrier] = s.waitBar
	st[Draining] = s.exited
	st[NoInst] = s.live &^ (s.head | s.exited | s.waitBar)
	if s.special {
		s.keptStates(st)
	}
}

// keptStates sets apart, of the warps that pass the scoreboard, those that are
// kept back: by not being active, or by the first gate that holds them.
func (s *Scheduler) keptStates(st *[NumReasons]uint64) {
	could := st[Issued]
	st[Leaving] = could & s.leaving
	could &^= st[Leaving]
	st[Inactive] = could & s.outside &^ s.startPending
	could &^= st[Inactive]
	for i := range s.gates {
		g := &s.gates[i]
		held := could & g.holds & g.shut.slots
		st[FirstGate+Reason(i)] = held
		could &^= held
	}
	st[Issued] = could
}

// reason is that of the warp nearest to issuing, by the states of the warps.
func (s *Scheduler) reason() Reason {
	st := &s.account.states
	if st[Issued] != 0 {
		if s.unpaired {
			return Unpaired
		}
		return RegfileFull
	}
	if s.special {
		for i := range s.gates {
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
	if s.account.parked > 0 {
		return Parked
	}
	return Empty
}
