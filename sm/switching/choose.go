package switching

import "kumiko/components/wire"

// choose begins a switch if there is something to come in and room for it, with or
// without a CTA that goes for it. It returns whether to look again in the next cycle.
func (x *Switcher) choose(now wire.Cycle) bool {
	x.stayed, x.blocked = nothingReady, false
	m := &x.monitor
	if m.resident == m.active && m.stalled == 0 {
		return false
	}
	rooms := x.Rooms.Get()
	fresh := rooms.Waiting > 0
	if x.spec.PreferNew && fresh && x.begin(none, &rooms, now) {
		return x.step != idle
	}
	for c := x.oldest(-1); c != none; c = x.oldest(c) {
		if x.begin(c, &rooms, now) {
			return x.step != idle
		}
	}
	if !x.spec.PreferNew && fresh {
		x.begin(none, &rooms, now)
	}
	return x.step != idle
}

// oldest is the CTA that could issue if it had slots and was launched next after one;
// none after the last. after is -1 for the first.
func (x *Switcher) oldest(after int) int {
	m := &x.monitor
	if m.resident == m.active {
		return none
	}
	best, from := none, uint64(0)
	if after >= 0 {
		from = m.ctas[after].launch
	}
	for i := range m.ctas {
		c := &m.ctas[i]
		if c.context == Aside && c.ready && c.launch > from && (best == none || c.launch < m.ctas[best].launch) {
			best = i
		}
	}
	return best
}

// begin begins to bring in a CTA, or a new one, if there are slots for it: free ones,
// or with those of a CTA that stalls, the one that has stalled for longest.
func (x *Switcher) begin(in int, rooms *Rooms, now wire.Cycle) bool {
	if !x.ports() {
		return true // as soon as there is room
	}
	fits, enough := x.fits(in, &rooms.Free, rooms.Waiting)
	if fits && rooms.Seats > 0 {
		if in == none && x.monitor.resident == x.monitor.active {
			return true // residency lets it in
		}
		x.swap(none, in, now)
		return true
	}
	out := none
	for i := range x.monitor.ctas {
		c := &x.monitor.ctas[i]
		if !c.stalls() || !c.issued || out != none && x.monitor.ctas[out].since <= c.since {
			continue
		}
		var mine [MostSchedulers]uint8
		x.monitor.slots(i, &mine)
		for s := range mine {
			mine[s] += rooms.Free[s]
		}
		ok, many := x.fits(in, &mine, rooms.Waiting)
		enough = enough || many
		if ok {
			out = i
		}
	}
	if out == none {
		if enough && x.monitor.stalled > 0 {
			x.stayed = noSlots
		}
		x.blocked = x.blocked || enough
		return false
	}
	x.swap(out, in, now)
	return true
}

// fits reports whether a CTA finds a slot for each warp, and whether there are as many
// slots as warps at least.
func (x *Switcher) fits(in int, free *[MostSchedulers]uint8, waiting uint16) (fits, enough bool) {
	sum, need := 0, int(waiting)
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
	return fits, sum >= need
}

// ports reports whether the orders of a switch can be sent.
func (x *Switcher) ports() bool {
	for i := range x.Park {
		if !x.Park[i].CanPut() {
			return false
		}
	}
	return x.Orders.CanPut()
}

// swap begins the switch. out: none if nobody goes; in: none for a new CTA.
func (x *Switcher) swap(out, in int, now wire.Cycle) {
	x.out, x.in, x.begun = out, in, now
	x.parked, x.warps = 0, 0
	x.stayed, x.blocked = underWay, false
	if out == none {
		x.bring()
		return
	}
	for i := range x.Park {
		x.Park[i].Put(Park{CTA: uint16(out)})
	}
	x.Orders.Put(Order{CTA: uint16(out), Kind: Leave})
	x.monitor.leave(uint16(out), now)
	x.step = parking
}
