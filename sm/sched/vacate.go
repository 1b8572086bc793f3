package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/sched/policy"
)

// vacate removes the leaving warps from their slots.
func (s *Scheduler) vacate(now wire.Cycle) {
	for set := s.Blocked[s.Switch.row]; set != 0; set &= set - 1 {
		slot := bits.TrailingZeros64(set)
		bit, c, w := uint64(1)<<slot, s.context(slot), s.at(slot)
		s.Switch.setPending(slot, now)
		w.first, w.n = 0, 0
		w.life++
		s.update(slot, w) // there is nothing at the head
		s.Live &^= bit
		s.Exited &^= bit
		s.Blocked[reason.AtBarrier] &^= bit
		s.Fresh &^= bit
		s.policy.Finished(slot)
		s.slotOf[c] = message.NoSlot
	}
	s.Switch.vacated()
}

// takeReturned gives slots to the warps of a returning CTA, except to the warps that
// have ended meanwhile.
func (s *Scheduler) takeReturned(m *message.WarpsStart) {
	set := m.Slots
	for _, c := range m.Contexts {
		if int(c)%s.count != s.index {
			continue
		}
		slot := bits.TrailingZeros64(set)
		bit := uint64(1) << slot
		set &= set - 1
		w := s.warpOf(c)
		if !w.pending.on {
			continue
		}
		s.enter(c, slot)
		s.entered(c, slot)
		s.Live |= bit
		s.Fresh |= bit
		if w.pending.exited {
			s.Exited |= bit
			s.notices.exited |= bit
		} else {
			s.StartPending |= bit
			s.returned |= bit
		}
		if w.pending.barrier {
			s.Blocked[reason.AtBarrier] |= bit
		}
		w.pending = pendingWarp{}
		s.account.Pending--
		s.policy.Started(slot)
		if p, ok := s.policy.(policy.Aged); ok { // the warp keeps the age of its launch
			p.Resort(slot, func(other int) bool { return w.age > s.at(other).age })
		}
		s.update(slot, w)
	}
}
