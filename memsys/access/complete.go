package access

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// finished lists the slots completed by one pipeline while Out was
// full, in the order of their last completions.
type finished struct {
	first, last uint16
	n           int
}

// Sink makes the unit accept every completion while Out is full: the slots of complete accesses remember them.
// It is meant for machines in which the receiver of the replies may wait for packets of the memory system, such
// as a machine with spilled registers. There a completion waiting for Out could deadlock. Otherwise completions
// wait in their pipelines, without needing more room.
func (u *Unit) Sink() { u.sinks = true }

// complete answers at most one access with a result and one without.
func (u *Unit) complete(now wire.Cycle) {
	var replied [2]bool                  // by store
	room := u.Out.Room(len(replied) + 1) // 0 after the last reply of the cycle only where the port is full
	sink := u.sinks && room == 0
	for i := range u.Completions {
		for u.done[i].n > 0 && u.mayReply(&u.slots[u.done[i].first], room, &replied) {
			u.reply(now, u.oldest(i))
			room--
		}
		if u.done[i].n > 0 && !sink {
			continue // later ones keep their order
		}
		in := &u.Completions[i]
		for d := in.Head(); d != nil; d = in.Head() {
			s := &u.slots[d.Slot]
			last := s.open == 1<<d.Index && (s.left[d.Index] == 1 || s.left[d.Index] == 0 && d.Of == 1)
			if last && !sink {
				if !u.mayReply(s, room, &replied) {
					break
				}
				room--
			}
			in.Pop()
			switch u.one(d); {
			case last && sink:
				u.keep(i, d.Slot)
			case last:
				u.reply(now, d.Slot)
			}
		}
	}
}

// mayReply reports whether an access may be answered now, and counts it against the one reply per cycle of its
// sort. Otherwise it arranges for the unit to be woken when another reply is possible.
func (u *Unit) mayReply(s *slot, room int, replied *[2]bool) bool {
	r := &replied[b2i(s.store)]
	switch {
	case room == 0:
		u.Out.CanPut()
		return false
	case *r:
		u.Wake()
		return false
	}
	*r = true
	return true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// keep appends a slot to the list of those whose last completion came over the pipeline.
func (u *Unit) keep(pipeline int, id uint16) {
	f := &u.done[pipeline]
	if f.n == 0 {
		f.first = id
	} else {
		u.slots[f.last].next = id
	}
	f.last = id
	f.n++
	u.Out.CanPut() // wakes the unit when there is room
}

// oldest removes and returns the pipeline's first listed slot.
func (u *Unit) oldest(pipeline int) uint16 {
	f := &u.done[pipeline]
	id := f.first
	f.first = u.slots[id].next
	f.n--
	return id
}

// one records the completion of a transaction.
func (u *Unit) one(d *req.Done) {
	s := &u.slots[d.Slot]
	if s.open>>d.Index&1 == 0 {
		panic(fmt.Sprintf("%s: completion for slot %d part %d, which awaits none", u.Name(), d.Slot, d.Index))
	}
	if s.left[d.Index] == 0 {
		s.left[d.Index] = d.Of
	}
	if s.left[d.Index]--; s.left[d.Index] == 0 {
		s.open &^= 1 << d.Index
	}
}

// reply answers a complete access and frees its slot.
func (u *Unit) reply(now wire.Cycle, id uint16) {
	s := &u.slots[id]
	u.Out.Put(req.Reply{Tag: s.tag, Warp: s.warp, Store: s.store})
	if !s.store {
		u.loads++
		u.latency += now - s.start
	}
	u.account(now)
	u.free = append(u.free, id)
}
