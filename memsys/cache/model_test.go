package cache

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/mshr"
	"kumiko/components/tagarray"
	"kumiko/memsys/req"
)

// model is a cache as plain lists: of lines by set, the least recently used first,
// and of outstanding lines.
type model struct {
	s     Spec
	sets  [][]*line
	regs  []*miss
	drain *miss
}

type line struct {
	addr                  uint64
	kind                  uint8
	valid, dirty, pending [req.Sectors]bool // of the tags: the first alone where they are lines
}

type miss struct {
	addr        uint64
	asked, come uint8
	waiting     []wait
	number      uint32 // of the core's register
	ask         []uint8
}

type wait struct {
	need uint8
	v    int
}

func (m *model) set(addr uint64) *[]*line { return &m.sets[addr/128%uint64(len(m.sets))] }

func (m *model) find(addr uint64) *line {
	for _, l := range *m.set(addr) {
		if l.addr == addr {
			return l
		}
	}
	return nil
}

func (m *model) outstanding(addr uint64) *miss {
	for _, r := range m.regs {
		if r.addr == addr {
			return r
		}
	}
	return nil
}

// parts returns the sectors of the tags touched or, if whole, covered by sectors of 32
// bytes.
func (m *model) parts(mask uint8, whole bool) (p [req.Sectors]bool) {
	if m.s.Tags.Sector == 128 {
		p[0] = mask == 0xf || mask != 0 && !whole
		return p
	}
	for i := range p {
		p[i] = mask>>i&1 != 0
	}
	return p
}

func (m *model) mask(p [req.Sectors]bool) (mask uint8) {
	if m.s.Tags.Sector == 128 {
		if p[0] {
			return 0xf
		}
		return 0
	}
	for i, on := range p {
		if on {
			mask |= 1 << i
		}
	}
	return mask
}

// use moves a line to the end of its set if the set is in order of use.
func (m *model) use(l *line) {
	if m.s.Tags.Replace != "lru" {
		return
	}
	s := m.set(l.addr)
	i := slices.Index(*s, l)
	*s = append(slices.Delete(*s, i, i+1), l)
}

// place makes room for a line and puts it there.
func (m *model) place(addr uint64, kind uint8, room int) (*line, Reason, Victim) {
	s := m.set(addr)
	var v Victim
	if len(*s) == m.s.Tags.Ways {
		i := slices.IndexFunc(*s, func(l *line) bool {
			return l.pending == [req.Sectors]bool{} && (m.s.Yield == 0 || m.s.Yield>>l.kind&1 != 0)
		})
		if i < 0 {
			return nil, NoLine, v
		}
		old := (*s)[i]
		if v = (Victim{Addr: old.addr, Dirty: m.mask(old.dirty), Valid: m.mask(old.valid)}); v.Dirty != 0 && room < 1 {
			return nil, Full, Victim{}
		}
		*s = slices.Delete(*s, i, i+1)
	}
	l := &line{addr: addr, kind: kind}
	*s = append(*s, l)
	return l, Ready, v
}

func (m *model) has(addr uint64, sectors uint8) bool {
	l := m.find(addr)
	return l != nil && m.mask(m.parts(sectors, false))&^m.mask(l.valid) == 0
}

// read returns the expected result of the core's Miss for a missing read.
func (m *model) read(a *Access, room, v int) Miss {
	addr, kind, sectors := a.Addr, a.Kind, a.Sectors
	want := m.mask(m.parts(sectors, false))
	l, r := m.find(addr), m.outstanding(addr)
	there := uint8(0)
	if l != nil {
		there = m.mask(l.valid)
	}
	switch {
	case r != nil && (l == nil && m.s.Resident && !a.NoPlace || len(r.waiting) == m.s.MSHR.Merges):
		return Miss{Reason: NoMerge}
	case r != nil && want&^r.asked&^there != 0 && room < 1, r == nil && len(m.regs) < m.s.MSHR.Entries && room < 1:
		return Miss{Reason: Full}
	case r == nil && len(m.regs) == m.s.MSHR.Entries:
		return Miss{Reason: NoEntry}
	}
	var out Miss
	if r == nil {
		if l == nil && !m.s.OnFill && !a.NoPlace {
			if l, out.Reason, out.Victim = m.place(addr, kind, room-1); out.Reason != Ready {
				return Miss{Reason: out.Reason}
			}
		}
		r = &miss{addr: addr}
		m.regs = append(m.regs, r)
	}
	if out.Ask = want &^ r.asked &^ there; out.Ask != 0 {
		r.ask = append(r.ask, out.Ask)
	}
	r.asked |= out.Ask
	r.waiting = append(r.waiting, wait{want & r.asked, v})
	if l != nil {
		for i, on := range m.parts(out.Ask, false) {
			l.pending[i] = l.pending[i] || on
		}
		m.use(l)
	}
	return out
}

func (m *model) fill(r *miss, sectors uint8, kind uint8, room int) (v Victim) {
	r.come |= sectors
	m.drain = r
	l := m.find(r.addr)
	if l == nil && m.s.OnFill {
		l, _, v = m.place(r.addr, kind, room)
	}
	if l == nil {
		return v
	}
	for i, on := range m.parts(sectors, false) {
		if on {
			l.valid[i], l.pending[i] = true, false
		}
	}
	return v
}

// due returns the place of the next waiting access to answer, or -1. Without
// one the register is free if all its sectors have arrived.
func (m *model) due() int {
	if m.drain == nil {
		return -1
	}
	r := m.drain
	i := slices.IndexFunc(r.waiting, func(w wait) bool { return w.need&^r.come == 0 })
	if i < 0 {
		m.drain = nil
		if len(r.waiting) == 0 && r.come == r.asked {
			k := slices.Index(m.regs, r)
			m.regs = slices.Delete(m.regs, k, k+1)
		}
	}
	return i
}

func (m *model) answered(i int) {
	m.drain.waiting = slices.Delete(m.drain.waiting, i, i+1)
	m.due()
}

func (m *model) write(l *line, sectors, full uint8, dirty bool) {
	for i, on := range m.parts(sectors, false) {
		l.dirty[i] = l.dirty[i] || on && dirty
	}
	for i, on := range m.parts(full, true) {
		l.valid[i] = l.valid[i] || on
	}
}

func (m *model) store(addr uint64, kind, sectors, full uint8, room int) (r Reason, v Victim) {
	l := m.find(addr)
	if l == nil {
		if l, r, v = m.place(addr, kind, room); r != Ready {
			return r, Victim{}
		}
	}
	m.write(l, sectors, full, true)
	m.use(l)
	return Ready, v
}

func (m *model) remove(l *line) {
	s := m.set(l.addr)
	i := slices.Index(*s, l)
	*s = slices.Delete(*s, i, i+1)
}

// through is Update, or Evict.
func (m *model) through(addr uint64, sectors, full uint8, evict bool) {
	l := m.find(addr)
	switch {
	case l == nil:
	case evict && l.pending == [req.Sectors]bool{} && l.dirty == [req.Sectors]bool{}:
		m.remove(l)
	default:
		m.write(l, sectors, full, false)
		m.use(l)
	}
}

func (m *model) drop(addr uint64, room int) (Reason, Victim) {
	l := m.find(addr)
	if l == nil || l.pending != [req.Sectors]bool{} {
		return Ready, Victim{}
	}
	v := Victim{Addr: addr, Dirty: m.mask(l.dirty), Valid: m.mask(l.valid)}
	if v.Dirty != 0 && room < 1 {
		return Full, Victim{}
	}
	m.remove(l)
	return Ready, v
}

func drawSpec(t *rapid.T) Spec {
	return Spec{
		Geometry: Geometry{
			Tags: tagarray.Spec{
				Sets: rapid.IntRange(1, 3).Draw(t, "sets"), Ways: rapid.IntRange(1, 3).Draw(t, "ways"), Line: 128,
				Sector:  rapid.SampledFrom([]int{32, 128}).Draw(t, "sector"),
				Replace: rapid.SampledFrom([]string{"lru", "fifo"}).Draw(t, "replacement"), Index: "linear",
			},
			MSHR: mshr.Spec{Entries: rapid.IntRange(1, 3).Draw(t, "registers"),
				Merges: rapid.IntRange(1, 3).Draw(t, "merges")},
		},
		OnFill: rapid.Bool().Draw(t, "on fill"), Resident: rapid.Bool().Draw(t, "resident"),
		Yield: rapid.SampledFrom([]uint16{0, 1, 2, 3}).Draw(t, "yield"),
	}
}

// agreement is a core beside its model.
type agreement struct {
	*core
	m    *model
	next int // access
}

func (a *agreement) check(t *rapid.T, what string, got, want any) {
	if got != want {
		t.Fatalf("%s: %+v, want %+v", what, got, want)
	}
}

func (a *agreement) step(t *rapid.T) {
	addr := uint64(rapid.IntRange(0, 7).Draw(t, "line")) * 128
	kind := uint8(rapid.IntRange(0, 1).Draw(t, "kind"))
	sectors := uint8(rapid.IntRange(1, 0xf).Draw(t, "sectors"))
	full := sectors & uint8(rapid.IntRange(0, 0xf).Draw(t, "full"))
	room := rapid.IntRange(0, 2).Draw(t, "room")
	w := Access{Addr: addr, Kind: kind, Sectors: sectors, Full: full, NoPlace: rapid.IntRange(0, 3).Draw(t,
		"no place") == 0}
	a.now++
	switch rapid.SampledFrom([]string{"read", "read", "read", "fill", "fill", "answer", "answer", "store", "update",
		"evict", "drop", "discard"}).Draw(t, "step") {
	case "read":
		a.read(t, &w, room)
	case "fill":
		a.fill(t, kind, room)
	case "answer":
		a.answer(t)
	case "store":
		r, v := a.Store(&w, room)
		wr, wv := a.m.store(addr, kind, sectors, full, room)
		a.check(t, "reason of a store", r, wr)
		a.check(t, "victim of a store", v, wv)
	case "update":
		a.Update(&w)
		a.m.through(addr, sectors, full, false)
	case "evict":
		a.Evict(&w)
		a.m.through(addr, sectors, full, true)
	case "drop":
		r, v := a.Drop(addr, room)
		wr, wv := a.m.drop(addr, room)
		a.check(t, "reason of a drop", r, wr)
		a.check(t, "line to write back of a drop", Victim{Dirty: v.Dirty, Valid: v.Valid & v.Dirty},
			Victim{Dirty: wv.Dirty, Valid: wv.Valid & wv.Dirty})
	case "discard":
		a.Discard(addr)
		if l := a.m.find(addr); l != nil {
			a.m.remove(l)
		}
	}
}

func (a *agreement) read(t *rapid.T, w *Access, room int) {
	i := a.Find(w.Addr)
	a.check(t, "hit", a.Has(i, w.Sectors), a.m.has(w.Addr, w.Sectors))
	if a.Has(i, w.Sectors) {
		a.Use(i)
		a.m.use(a.m.find(w.Addr))
		return
	}
	a.next++
	got := a.Miss(a.now, i, w, room, a.next)
	want := a.m.read(w, room, a.next)
	if want.Reason == Ready {
		a.m.outstanding(w.Addr).number = got.Register
		want.Register, want.Entry = got.Register, a.Find(w.Addr)
	}
	a.check(t, "miss", got, want)
}

// fill delivers requested sectors once, if no access is being answered.
func (a *agreement) fill(t *rapid.T, kind uint8, room int) {
	var open []*miss
	for _, r := range a.m.regs {
		if len(r.ask) > 0 {
			open = append(open, r)
		}
	}
	if a.Draining() || len(open) == 0 {
		return
	}
	r := rapid.SampledFrom(open).Draw(t, "register")
	k := rapid.IntRange(0, len(r.ask)-1).Draw(t, "reply")
	sectors := r.ask[k]
	r.ask = slices.Delete(r.ask, k, k+1)
	a.check(t, "victim of a fill", a.Fill(r.number, kind, sectors, room), a.m.fill(r, sectors, kind, room))
}

func (a *agreement) answer(t *rapid.T) {
	got, i := a.Due(a.now), a.m.due()
	if (got != nil) != (i >= 0) {
		t.Fatalf("an access is due: %v, want %v", got != nil, i >= 0)
	}
	if got == nil {
		return
	}
	a.check(t, "due", *got, a.m.drain.waiting[i].v)
	a.m.answered(i)
	a.check(t, "another one is due", a.Answered(a.now), a.m.drain != nil)
}

func TestACoreAgreesWithPlainLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		c, err := New[int](s)
		if err != nil {
			t.Fatal(err)
		}
		a := &agreement{core: &core{Core: c}, m: &model{s: s, sets: make([][]*line, s.Tags.Sets)}}
		for range rapid.IntRange(0, 120).Draw(t, "steps") {
			a.step(t)
			a.check(t, "lines outstanding", c.Used(), len(a.m.regs))
			for l := range uint64(8) {
				if got, want := c.Find(l*128) >= 0, a.m.find(l*128) != nil; got != want {
					t.Fatalf("line %d has a place: %v, want %v", l, got, want)
				}
			}
		}
	})
}
