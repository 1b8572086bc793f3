package switching

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// stay is why a CTA that stalls keeps its slots.
type stay uint8

const (
	nothingReady stay = iota // no other CTA could issue, and none is new
	underWay                 // another switch is under way
	noRoom                   // there is none for its registers outside the register file
	noSlots                  // its slots are not those of the schedulers to which what could come in belongs
	numStays
)

var stayInfo = [numStays]struct{ name, doc string }{
	{"nothing_ready", "CTA-cycles in which a CTA of which every warp waited kept its slots because there was none to " +
		"take its place, or it had not issued since it came"},
	{"under_way", "CTA-cycles in which a CTA of which every warp waited kept its slots because another switch was " +
		"under way"},
	{"no_room", "CTA-cycles in which a CTA of which every warp waited kept its slots because there was no room for " +
		"its registers outside the register file"},
	{"slots", "CTA-cycles in which a CTA of which every warp waited kept its slots because what could come in has " +
		"warps of other schedulers"},
}

// counts are the statistics of the block.
type counts struct {
	switches, returned, startedNew uint64
	movedIn, movedOut, revoked     uint64
	swapCycles, blockedCycles      uint64
	activeTime, residentTime       uint64
	stay                           [numStays]uint64
	measured, measuredTime         uint64
}

// register makes the statistics known: those of the monitor, and those of switching.
func (x *Switcher) register(name string, reg *stats.Registry) {
	reg.Count("switch.first_stalls", stats.Events,
		"CTAs of which every unfinished warp waited for memory at once, one at least for a result, with nothing else "+
			"under way", name, &x.measured)
	reg.Count("switch.first_stall_cycles", stats.Cycles,
		"from a CTA's first issue to the first time that every unfinished warp waited, summed over those of "+
			"switch.first_stalls (FineReg, table III)", name, &x.measuredTime)
	reg.Count("switch.active_ctas", stats.Cycles, "CTAs with slots, summed over cycles", name, &x.activeTime)
	reg.Count("switch.resident_ctas", stats.Cycles, "CTAs with slots or without, summed over cycles", name,
		&x.residentTime)
	if !x.spec.On() {
		return
	}
	reg.Count("switch.switches", stats.Events, "CTAs that gave up their slots to another one", name, &x.switches)
	reg.Count("switch.in.parked", stats.Events,
		"CTAs that got slots again: their context was in shared memory, their registers in the register file", name,
		&x.returned)
	reg.Count("switch.in.new", stats.Events,
		"CTAs that started where CTAs are switched, beside those that found free slots while every resident CTA had "+
			"its own", name, &x.startedNew)
	reg.Count("switch.swap_cycles", stats.Cycles,
		"cycles of switches, from the order to the slots of the CTA that comes", name, &x.swapCycles)
	reg.Count("switch.blocked_slots", stats.Cycles,
		"cycles in which a CTA could have come in but for slots of its own schedulers: as many were free, or had "+
			"CTAs that waited", name, &x.blockedCycles)
	if x.Move != nil {
		reg.Count("switch.in.moved", stats.Events,
			"CTAs that got slots again: their context was in shared memory, their registers were brought back into "+
				"the register file", name, &x.movedIn)
		reg.Count("switch.moved_out", stats.Events,
			"CTAs whose registers were moved out of the register file when they gave up their slots", name, &x.movedOut)
		reg.Count("switch.revoked", stats.Events,
			"CTAs that had given up their slots and got them back at once, since there was no room for their "+
				"registers: some warp had gone on meanwhile", name, &x.revoked)
	}
	for i := range x.stay {
		if stay(i) == noRoom && x.Move == nil {
			continue
		}
		reg.Count("switch.stayed."+stayInfo[i].name, stats.Cycles, stayInfo[i].doc, name, &x.stay[i])
	}
}

// account counts the cycles since the last Tick.
func (x *Switcher) account(now wire.Cycle) {
	n := now - x.since
	x.since = now
	m := &x.monitor
	x.activeTime += n * m.active
	x.residentTime += n * m.resident
	x.stay[x.stayed] += n * m.stalled
	if x.blocked {
		x.blockedCycles += n
	}
}

// measure takes the time of CTAs that stall for the first time.
func (x *Switcher) measure(now wire.Cycle) {
	x.monitor.unmeasured = false
	for i := range x.monitor.ctas {
		if c := &x.monitor.ctas[i]; c.stalls() && !c.measured {
			c.measured = true
			x.measured++
			x.measuredTime += now - c.first
		}
	}
}
