package switching

import "kumiko/components/wire"

// choose begins switches: a CTA enters free slots, or replaces a leaving CTA. It reports whether to try again in
// the next cycle.
func (x *Switcher) choose(now wire.Cycle) bool {
	x.stayed, x.blocked = nothingReady, free
	m := &x.monitor
	if m.resident == m.active && m.stalled == 0 {
		return false
	}
	under := len(x.swaps)
	vacancy := x.vacancy()
	waits := vacancy.Waiting > 0 && !vacancy.fresh
	if x.spec.PreferNew && waits && x.begin(none, &vacancy, now) {
		return len(x.swaps) > under
	}
	for _, registers := range [...]Location{Pipeline, Pending} {
		for c := x.oldest(-1, registers); c != none; c = x.oldest(c, registers) {
			if x.begin(c, &vacancy, now) {
				return len(x.swaps) > under
			}
		}
	}
	if !x.spec.PreferNew && waits {
		x.begin(none, &vacancy, now)
	}
	if len(x.swaps) == 0 && m.gated > 0 {
		x.yield(&vacancy, now)
	}
	return len(x.swaps) > under
}

// room is the room of residency beyond the needs of the CTAs to come.
type room struct {
	Vacancy
	fresh bool // a new CTA is to come
	kept  int  // slots for it, of any schedulers
}

// vacancy returns the room of residency without the slots reserved for entering CTAs.
func (x *Switcher) vacancy() room {
	r := room{Vacancy: x.Vacancy.Get()}
	for _, f := range x.swaps {
		var own [MostSchedulers]uint8 // slots of a CTA still to leave
		if f.out != none && !f.left {
			x.monitor.slots(f.out, &own)
		} else {
			r.CTAs -= min(r.CTAs, 1)
		}
		switch f.in {
		case nothing:
		case none:
			r.fresh, r.kept = true, int(r.Waiting)
			for _, n := range own[:x.schedulers] {
				r.kept -= min(r.kept, int(n))
			}
		default:
			for s, n := range x.monitor.ctas[f.in].warps[:x.schedulers] {
				n -= min(n, own[s])
				r.Free[s] -= min(r.Free[s], n)
			}
		}
	}
	return r
}

// yield resolves a circular wait. A ready CTA needs slots of a CTA waiting for gates, and also slots of a third
// CTA. The gates in turn may be waiting for registers of the ready CTA. yield removes the CTA waiting for gates
// from its slots.
func (x *Switcher) yield(vacancy *room, now wire.Cycle) {
	in, out := x.oldest(-1, Pipeline), none
	if in == none || !x.ports() {
		return
	}
	for i := range x.monitor.waits[atGates].All() {
		c := &x.monitor.ctas[i]
		if out != none && x.monitor.ctas[out].since <= c.since {
			continue
		}
		var mine [MostSchedulers]uint8
		x.monitor.slots(i, &mine)
		for s, n := range x.monitor.ctas[in].warps[:x.schedulers] {
			if n > vacancy.Free[s] && mine[s] > 0 {
				out = i
			}
		}
	}
	if out != none {
		x.swap(out, nothing, false, now)
	}
}

// oldest returns a CTA without slots, able to issue, with its registers at the given place. Of these it returns the
// next one in order of launch after the CTA `after` (-1: the first of all), or none.
func (x *Switcher) oldest(after int, registers Location) int {
	m := &x.monitor
	if m.resident == m.active || registers == Pending && m.resident == m.held {
		return none
	}
	best, from := none, uint64(0)
	if after >= 0 {
		from = m.ctas[after].launch
	}
	for i := range m.able.All() {
		c := &m.ctas[i]
		if c.registers == registers && c.launch > from &&
			(best == none || c.launch < m.ctas[best].launch) && !x.inFlight(i) {
			best = i
		}
	}
	return best
}

// coming is the fate of the registers of an entering CTA.
type coming uint8

const (
	brought   coming = iota // they are brought into the register file
	fresh                   // there are none yet
	numComing               // or they are there
)

// coming returns the fate of the registers of an entering CTA.
func (x *Switcher) coming(in int) coming {
	switch {
	case in < 0:
		return fresh
	case x.monitor.ctas[in].registers == Pending:
		return brought
	}
	return numComing
}

// begin begins the switch to a resident CTA, or to a new CTA if in is none. The entering CTA needs slots, and room
// for its registers. If neither is free, the longest stalled CTA leaves. begin returns false if the caller should
// try another CTA.
func (x *Switcher) begin(in int, vacancy *room, now wire.Cycle) bool {
	if !x.ports() {
		return true // as soon as there is room
	}
	comes := x.coming(in)
	size := vacancy.Size
	if in >= 0 {
		size = x.monitor.ctas[in].size
	}
	place := x.Move == nil || comes == numComing || x.monitor.filled+x.promised()+size.count() <= x.files
	fits, enough := x.fits(in, &vacancy.Free, vacancy)
	if fits && place && vacancy.CTAs > 0 {
		if in == none && x.monitor.resident == x.monitor.active {
			return true // residency lets it in
		}
		if comes == brought && x.mover != nil {
			x.stayed = underWay
			return false
		}
		x.swap(none, in, false, now).size = size
		return true
	}
	out := x.leavingCTA(in, size, comes, place, vacancy, &enough)
	if out == none {
		switch {
		case fits && !place:
			x.blocked = registers
		case !fits && enough && x.blocked == free:
			x.blocked = slots
		}
		return false
	}
	if place && x.descheduler != nil || (!place || comes == brought) && x.mover != nil {
		x.stayed = underWay
		return false
	}
	x.swap(out, in, !place, now).size = size
	return true
}

// leavingCTA returns the leaving CTA that makes room for an entering CTA, or none. It sets enough if there are as many
// slots as entering warps, even if of other schedulers. place: there is room for the entering CTA's registers.
func (x *Switcher) leavingCTA(in int, size Size, comes coming, place bool, vacancy *room, enough *bool) int {
	out, refused := none, false
	for i := range x.monitor.leavers(in) {
		c := &x.monitor.ctas[i]
		if out != none && x.monitor.ctas[out].since <= c.since {
			continue
		}
		if !place && c.refused[comes] {
			refused = true
			continue
		}
		if n := c.size.count(); !place && size.count() > n &&
			x.monitor.filled+x.promised()+size.count() > x.files+n {
			continue // its registers leave too little room
		}
		var mine [MostSchedulers]uint8
		x.monitor.slots(i, &mine)
		for s := range mine {
			mine[s] += vacancy.Free[s]
		}
		ok, many := x.fits(in, &mine, vacancy)
		*enough = *enough || many
		if ok {
			out = i
		}
	}
	switch {
	case out != none:
	case refused:
		x.stayed = noRoom
	case *enough:
		x.stayed = noSlots
	}
	return out
}

// fits reports whether a CTA finds a slot for each warp, and whether there are as many
// slots as warps at least.
func (x *Switcher) fits(in int, free *[MostSchedulers]uint8, vacancy *room) (fits, enough bool) {
	sum, need := -vacancy.kept, int(vacancy.Waiting)
	for _, n := range free[:x.schedulers] {
		sum += int(n)
	}
	if in == none {
		return sum >= need, sum >= need
	}
	fits, need = true, 0
	for s, n := range x.monitor.ctas[in].warps[:x.schedulers] {
		need += int(n)
		fits = fits && n <= free[s]
	}
	return fits && sum >= need, sum >= need
}

// ports reports whether the orders of a switch can be sent.
func (x *Switcher) ports() bool {
	for i := range x.Deschedule {
		if !x.Deschedule[i].CanPut() {
			return false
		}
	}
	return x.Orders.CanPut() && x.Rewind.CanPut()
}

// swap begins a switch. out: none if no CTA leaves; in: none for a new CTA, nothing if no CTA
// enters. moves: the leaving CTA's registers make room for the entering CTA's.
func (x *Switcher) swap(out, in int, moves bool, now wire.Cycle) *swap {
	f := x.take(out, in, moves, now)
	x.stayed, x.blocked = underWay, free
	switch {
	case out == none:
		x.bring(f)
		f.step = entering
	case moves:
		x.mover = f
		x.Rewind.Put(x.locate(f))
		f.step = asking
	default:
		x.deschedule(f, now)
	}
	return f
}

// deschedule begins to remove the leaving CTA from its slots.
func (x *Switcher) deschedule(f *swap, now wire.Cycle) {
	x.forget(f.out)
	for i := range x.Deschedule {
		x.Deschedule[i].Put(Deschedule{CTA: uint16(f.out)})
	}
	x.Orders.Put(Order{CTA: uint16(f.out), Kind: Leave})
	x.monitor.leave(uint16(f.out), now)
	x.bring(f)
	f.step, x.descheduler = descheduling, f
}
