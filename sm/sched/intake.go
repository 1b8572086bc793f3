package sched

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

// take receives the messages of this cycle.
func (s *Scheduler) take(now wire.Cycle) {
	s.takeStarts(now)
	s.takeDone(now)
	s.takeReads()
	s.parts.take()
	if s.Stores.Head() != nil {
		s.takeStores()
	}
	s.takeReleases()
	s.takeFetched()
	s.settle(now)
}

func (s *Scheduler) takeStarts(now wire.Cycle) {
	for m := s.Start.Head(); m != nil; m = s.Start.Head() {
		if m.Returned {
			s.takeReturned(m)
			s.Start.Pop()
			continue
		}
		set := m.Slots
		for _, c := range m.Contexts {
			if int(c)%s.count != s.index {
				continue
			}
			slot := bits.TrailingZeros64(set)
			set &= set - 1
			s.enter(c, slot)
			s.entered(c, slot)
			s.starts++
			*s.at(slot) = warpState{cta: m.CTA, age: s.starts}
			s.policy.Started(slot)
			s.check.WarpStart(now, c)
		}
		s.Live |= m.Slots
		s.Fresh |= m.Slots
		s.Dirty |= m.Slots
		s.StartPending |= m.Slots
		s.gates.forget(m.Slots)
		s.Start.Pop()
	}
	if s.StartPending != 0 {
		s.noticeStarts(now)
	}
}

func (s *Scheduler) takeDone(now wire.Cycle) {
	for i := range s.Done {
		p := &s.Done[i]
		for m := p.Take(); m != nil; m = p.Take() {
			w := s.warpOf(m.Warp)
			w.board.Done(m.Inst)
			if s.check != nil {
				s.check.Announce(now, m)
			}
			s.completed(w, m.Inst, m.Tag, resultDone)
			if s.Missed != 0 && w.board.Loads == 0 {
				s.Missed &^= 1 << s.slotOf[m.Warp]
			}
			s.relieve(m.Warp, w)
		}
	}
}

func (s *Scheduler) takeReads() {
	for m := s.Read.Take(); m != nil; m = s.Read.Take() {
		if !s.fromQueue || !memoryClass(m.Inst.T.Class) {
			s.hasRead(m)
		}
	}
}

// hasRead records the end of an operation's source reads.
func (s *Scheduler) hasRead(m *op.Read) {
	w := s.warpOf(m.Warp)
	w.board.Read(m.Inst)
	s.completed(w, m.Inst, m.Tag, sourcesRead)
	s.relieve(m.Warp, w)
}

func (s *Scheduler) takeStores() {
	for m := s.Stores.Take(); m != nil; m = s.Stores.Take() {
		if m.Missed {
			if s.warpOf(m.Warp).board.Loads > 0 {
				s.Missed |= 1 << s.slotOf[m.Warp]
			}
			continue
		}
		s.acknowledged(m.Warp)
	}
}

// acknowledged records the end of a warp's store.
func (s *Scheduler) acknowledged(warp uint16) {
	w := s.warpOf(warp)
	w.board.Stores--
	s.relieve(warp, w)
}

func (s *Scheduler) takeReleases() {
	for m := s.Released.Head(); m != nil; m = s.Released.Head() {
		for i, set := range m.Own {
			for ; set != 0; set &= set - 1 {
				c := uint16(s.contextNumber(i<<6 + bits.TrailingZeros64(set)))
				if s.slotOf[c] == message.NoSlot {
					s.Switch.release(c)
					continue
				}
				s.Freed |= 1 << s.slotOf[c]
			}
		}
		s.Released.Pop()
	}
	if s.Freed != 0 {
		s.release()
	}
}

func (s *Scheduler) takeFetched() {
	for m := s.Fetched.Take(); m != nil; m = s.Fetched.Take() {
		w := s.warpOf(m.Warp)
		if m.Life != w.life {
			continue // fetched before the warp lost its slot
		}
		w.buffer[(w.first+w.n)&7] = *m
		w.n++
		if w.n == 1 {
			s.update(int(s.slotOf[m.Warp]), w)
		}
	}
}

// entered informs the features of a context's new slot.
func (s *Scheduler) entered(context uint16, slot int) {
	for _, x := range s.enterers {
		x.entered(context, slot)
	}
}

// noticeStarts starts pending warps while the notice ports have room for their starts.
func (s *Scheduler) noticeStarts(now wire.Cycle) {
	for s.StartPending != 0 && s.notices.room(startEvents) {
		slot := bits.TrailingZeros64(s.StartPending)
		s.StartPending &^= 1 << slot
		if s.returned>>slot&1 == 0 {
			s.notices.notify(regfile.WarpStarted, s.context(slot))
		}
		s.returned &^= 1 << slot
		if s.parts.start(slot, now) {
			s.gates.activated(slot)
		}
	}
}

// release lets warps continue after a barrier while the notice ports have room for their releases.
func (s *Scheduler) release() {
	s.Dirty |= s.Freed
	for s.Freed != 0 && s.notices.room(releaseEvents) {
		slot := bits.TrailingZeros64(s.Freed)
		s.Blocked[reason.AtBarrier] &^= 1 << slot
		s.Freed &^= 1 << slot
		s.notices.notify(regfile.WarpReleased, s.context(slot))
	}
}
