package finereg

import (
	"kumiko/components/bank"
	"kumiko/regfile"
)

// transfer is a move under way: the registers of one CTA go, those of another one come.
type transfer struct {
	cta, from int      // slots of the CTAs that go and come, or regfile.NoCTA
	warps     []uint16 // contexts of the CTA that goes, with a place or without
	in        []uint16 // contexts that come, by the number of the warp in the CTA
	out       []uint32 // registers that go
	next      int      // of out
	flying    int      // registers on their way to the buffer
	left      int      // registers that are still to come
	partner   []int32  // by context that comes: the context that has its place, or -1

	// A register that comes and has found another one in its place.
	swap    bool
	walking bool
	arrival Taken
	arrived bool
	read    bool // the other one is on its way to the buffer
}

// prepare begins an order: results of the CTA that goes come here from now on.
func (x *Manager) prepare(m *regfile.Move) {
	t := &x.move
	*t = transfer{cta: m.Out, from: m.In, warps: t.warps[:0], in: t.in[:0], out: t.out[:0], partner: t.partner[:0]}
	for i, c := range m.Contexts {
		if x.Owner(c) != m.Out {
			continue // another CTA has it by now
		}
		x.Away(c)
		t.warps = append(t.warps, c)
		for r := range x.most {
			j := x.register(c, r)
			x.where[j] = dead
			if x.live[i].Has(r) {
				x.where[j] = going
				t.out = append(t.out, uint32(j))
			}
		}
	}
	if m.In == regfile.NoCTA {
		return
	}
	t.left = x.chains.lines[m.In].count
	for c := range x.Contexts(m.In) {
		t.in = append(t.in, c)
		for r := range x.most {
			if j := x.register(c, r); x.where[j] == away {
				x.where[j] = coming
			}
		}
	}
}

// trade gives the places of the contexts that go to the contexts that come. The registers that
// go are still read there until they are overwritten.
func (x *Manager) trade() {
	t := &x.move
	at := map[int]uint16{}
	for _, c := range t.warps {
		at[x.At(c)] = c
		x.Vacate(c)
	}
	for _, c := range t.in {
		x.Place(c)
		p := int32(-1)
		if o, ok := at[x.At(c)]; ok {
			p = int32(o)
		}
		t.partner = append(t.partner, p)
	}
}

// empty moves the registers that go. It reports whether all are in the PCRF, or on the way
// there.
func (x *Manager) empty() bool {
	t := &x.move
	for t.next < len(t.out) && x.where[t.out[t.next]] != going {
		t.next++ // it went in exchange for one that came
	}
	switch {
	case t.swap:
		x.exchange()
		return false
	case t.next == len(t.out):
		return t.flying == 0
	case x.chains.free > t.flying:
		x.send(t.out[t.next])
	case t.flying == 0:
		t.swap, t.walking, t.arrived, t.read = true, false, false, false
		x.exchange()
	}
	return false
}

// send reads a register from the ACRF. It comes to the transfer buffer.
func (x *Manager) send(j uint32) {
	if x.Read(uint16(int(j)/x.most), int(j)%x.most, j) {
		x.where[j] = leaving
		x.move.flying++
	}
}

// buffer writes registers that have come from the ACRF to the PCRF, one per cycle. The one
// that makes way for a register that comes waits for its entry.
func (x *Manager) buffer() {
	t := &x.move
	for _, s := range x.Sides() {
		v := s.Values.Head()
		if v == nil || t.swap && !t.arrived || !x.ToPCRF.CanPut() {
			continue
		}
		if t.swap && !x.bring(&t.arrival) {
			return
		}
		x.store(v)
		s.Values.Pop()
		t.swap, t.walking = false, false
		return
	}
}

// store writes a register to a free entry.
func (x *Manager) store(v *bank.Value) {
	j := int(v.Tag)
	e, next, end := x.chains.occupy(x.move.cta)
	x.ToPCRF.Put(Access{Kind: Put, Entry: e, Content: v.Content,
		Tag: Tag{End: end, Next: next, Warp: x.number(uint16(j / x.most)), Reg: uint8(j % x.most)}})
	x.entry[j], x.where[j] = e, away
	x.move.flying--
	x.counters.out++
}

// number returns the number of a warp in its CTA.
func (x *Manager) number(context uint16) uint16 {
	for i, c := range x.All(x.Owner(context)) {
		if c == context {
			return uint16(i)
		}
	}
	panic("finereg: a register of a warp without a CTA")
}

// exchange brings the next register while no entry is free. If a register that is still to go
// lies in its place, that one is first read into the buffer, and gets the entry.
func (x *Manager) exchange() {
	t := &x.move
	switch {
	case !t.walking:
		if x.ToPCRF.CanPut() {
			x.ToPCRF.Put(Access{Kind: Walk, Entry: x.chains.lines[t.from].head, Count: 1})
			t.walking = true
		}
	case !t.arrived:
	case t.read:
	default:
		if j, ok := x.inTheWay(&t.arrival); ok {
			x.send(j)
			t.read = x.where[j] == leaving
		} else if x.bring(&t.arrival) {
			t.swap, t.walking = false, false
		}
	}
}

// inTheWay returns the register that is still to go and lies in the place of one that comes.
func (x *Manager) inTheWay(m *Taken) (j uint32, ok bool) {
	c := x.All(x.move.from)[m.Tag.Warp]
	for i, in := range x.move.in {
		if p := x.move.partner[i]; in == c && p >= 0 {
			j = uint32(x.register(uint16(p), int(m.Tag.Reg)))
			return j, x.where[j] == going
		}
	}
	return 0, false
}

// fill has the rest of the registers that come read from the PCRF. It reports whether all are
// there.
func (x *Manager) fill() bool {
	t := &x.move
	if t.left > 0 && !t.walking && x.ToPCRF.CanPut() {
		x.ToPCRF.Put(Access{Kind: Walk, Entry: x.chains.lines[t.from].head, Count: t.left})
		t.walking = true
	}
	return t.left == 0
}

// restore writes registers that come from the PCRF to the ACRF. In an exchange it keeps the
// register until its place is free.
func (x *Manager) restore() {
	t := &x.move
	for m := x.Taken.Head(); m != nil; m = x.Taken.Head() {
		if t.swap {
			t.arrival, t.arrived = *m, true
			x.chains.release(t.from, m)
		} else if !x.bring(m) {
			return
		} else {
			x.chains.release(t.from, m)
		}
		x.Taken.Pop()
	}
}

// bring writes a register to the ACRF. It returns false if there is no room.
func (x *Manager) bring(m *Taken) bool {
	c := x.All(x.move.from)[m.Tag.Warp]
	if !x.Fill(c, int(m.Tag.Reg), m.Content) {
		return false
	}
	x.where[x.register(c, int(m.Tag.Reg))] = inFile
	x.move.left--
	x.counters.in++
	return true
}
