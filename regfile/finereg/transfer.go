package finereg

import (
	"kumiko/components/bank"
	"kumiko/regfile"
)

// transfer is a move in progress: the registers of one CTA leave, those of another one enter.
type transfer struct {
	cta, from int      // slots of the leaving and the entering CTA, or regfile.NoCTA
	warps     []uint16 `bits:"9" room:"32"`                           // contexts of the leaving CTA, with a place or without
	in        []uint16 `bits:"9" room:"32"`                           // entering contexts, by the number of the warp in the CTA
	out       []uint32 `row:"RMU: live vectors of the CTA that goes"` // leaving registers
	next      int      // of out
	flying    int      // registers on their way to the buffer
	left      int      // registers still to enter
	partner   []int32  `bits:"10" room:"32"` // by entering context: the leaving context in its place, or -1

	walking bool
	arrived bool // arrival has left its entry, and is not in the ACRF yet
	arrival Taken
}

// prepare begins an order: results of the leaving CTA come here from now on.
func (x *RMU) prepare(m *regfile.Move) {
	t := &x.move
	*t = transfer{cta: m.Out, from: m.In, warps: t.warps[:0], in: t.in[:0], out: t.out[:0], partner: t.partner[:0]}
	for i, c := range m.Contexts {
		if x.Owner(c) != m.Out {
			continue // it belongs to another CTA by now
		}
		x.Away(c)
		t.warps = append(t.warps, c)
		for r := range x.most {
			j := x.register(c, r)
			x.where[j] = dead
			if x.live[i].Has(r) {
				x.where[j] = going
				t.out = append(t.out, uint32(j))
				if x.spec.Returns == ReturnTable && m.Awaited[i].Has(r) {
					x.awaited.add(j)
				}
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

// trade passes the places of the leaving contexts to the entering contexts. The leaving registers are still read
// there until they are overwritten. Places without an entering context stay taken until then, so that no new CTA
// overwrites them.
func (x *RMU) trade() {
	t := &x.move
	for _, c := range t.in {
		p := int32(-1)
		for _, o := range t.warps {
			if x.Owner(o) == t.cta && x.Pass(o, c) {
				p = int32(o)
				break
			}
		}
		if p < 0 {
			x.Place(c)
		}
		t.partner = append(t.partner, p)
	}
}

// settle frees the places of the contexts that have left. Results of the contexts that have entered go to the banks
// from now on, so their awaited results need no slots.
func (x *RMU) settle() {
	for _, c := range x.move.warps {
		if x.Owner(c) == x.move.cta { // otherwise its warp had ended, and a new CTA has the context
			x.Vacate(c)
		}
	}
	for _, c := range x.move.in {
		x.Back(c)
		for r := range x.most {
			x.awaited.remove(x.register(c, r))
		}
	}
}

// exchange moves registers both ways. It reports whether all have arrived.
func (x *RMU) exchange() bool {
	t := &x.move
	if t.left > 0 && !t.walking && x.ToPCRF.CanPut() {
		x.ToPCRF.Put(Access{Kind: Walk, Entry: x.chains.lines[t.from].head, Count: t.left})
		t.walking = true
	}
	x.empty()
	return t.next == len(t.out) && t.flying == 0 && t.left == 0
}

// empty reads the next leaving register from the ACRF: the one in the place of the arrived register, otherwise the
// next in order.
func (x *RMU) empty() {
	t := &x.move
	for t.next < len(t.out) && x.where[t.out[t.next]] != going {
		t.next++ // an entering register needed its place earlier
	}
	if x.chains.free == t.flying {
		return
	}
	if j, ok := x.inTheWay(); ok && x.where[j] == going {
		x.send(j)
	} else if t.next < len(t.out) {
		x.send(t.out[t.next])
	}
}

// send reads a register from the ACRF. It comes to the transfer buffer.
func (x *RMU) send(j uint32) {
	if x.Read(uint16(int(j)/x.most), int(j)%x.most, j) {
		x.where[j] = leaving
		x.move.flying++
	}
}

// buffer writes a register arrived from the ACRF to the PCRF, one per cycle.
func (x *RMU) buffer() {
	for _, s := range x.Sides() {
		if v := s.Values.Head(); v != nil && x.ToPCRF.CanPut() {
			x.store(v)
			s.Values.Pop()
			return
		}
	}
}

// store writes a register to a free entry.
func (x *RMU) store(v *bank.Value) {
	j := int(v.Tag)
	e, next, end := x.chains.occupy(x.move.cta)
	x.ToPCRF.Put(Access{Kind: Put, Entry: e, Content: v.Content,
		Tag: Tag{End: end, Next: next, Warp: x.number(uint16(j / x.most)), Reg: uint8(j % x.most)}})
	x.where[j] = away
	x.awaited.moved(j, e)
	x.move.flying--
	x.counters.out++
}

// number returns the number of a warp in its CTA.
func (x *RMU) number(context uint16) uint16 {
	for i, c := range x.All(x.Owner(context)) {
		if c == context {
			return uint16(i)
		}
	}
	panic("finereg: a register of a warp without a CTA")
}

// inTheWay returns the register still in the place of the arrived one in the ACRF. ok is false if no register has
// arrived, or if its place is free.
func (x *RMU) inTheWay() (j uint32, ok bool) {
	t := &x.move
	if !t.arrived {
		return 0, false
	}
	c := x.All(t.from)[t.arrival.Tag.Warp]
	for i, in := range t.in {
		if p := t.partner[i]; in == c && p >= 0 {
			j = uint32(x.register(uint16(p), int(t.arrival.Tag.Reg)))
			return j, x.where[j] == going || x.where[j] == leaving
		}
	}
	return 0, false
}

// restore writes registers from the PCRF to the ACRF. A register leaves its entry at once, and waits until the
// register in its place has been read.
func (x *RMU) restore() {
	t := &x.move
	for {
		if t.arrived {
			if _, ok := x.inTheWay(); ok || !x.bring(&t.arrival) {
				return
			}
			t.arrived = false
		}
		m := x.Taken.Head()
		if m == nil {
			return
		}
		t.arrival, t.arrived = *m, true
		x.chains.release(t.from, m)
		x.Taken.Pop()
	}
}

// bring writes a register to the ACRF. It returns false if the port is full.
func (x *RMU) bring(m *Taken) bool {
	c := x.All(x.move.from)[m.Tag.Warp]
	if !x.Fill(c, int(m.Tag.Reg), m.Content) {
		return false
	}
	x.where[x.register(c, int(m.Tag.Reg))] = inFile
	x.move.left--
	x.counters.in++
	return true
}
