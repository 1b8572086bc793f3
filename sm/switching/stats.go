package switching

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// stay is the reason why a stalled CTA keeps its slots.
type stay uint8

const (
	nothingReady stay = iota // no other CTA could issue, and none is new
	underWay                 // another switch is in flight
	noRoom                   // there is none for its registers outside the register file
	noSlots                  // its slots belong to other schedulers than the warps of the entering CTA
	numStays
)

var stayInfo = [numStays]struct{ name, doc string }{
	{"nothing_ready", "CTA-cycles in which a stalled CTA kept its slots because no CTA could take its place, or " +
		"because it had not issued since it came in"},
	{"under_way", "CTA-cycles in which a stalled CTA kept its slots because another switch was under way"},
	{"no_room", "CTA-cycles in which a stalled CTA kept its slots because there was no room for its registers " +
		"outside the register file"},
	{"slots", "CTA-cycles in which a stalled CTA kept its slots because the CTA that could come in has warps of " +
		"other schedulers"},
}

// block is the obstacle to an entering CTA while no CTA with slots can leave for it.
type block uint8

const (
	free      block = iota // nothing, or none could come in
	slots                  // there are slots enough, but of other schedulers
	registers              // there are slots, and no room in the register file
	numBlocks
)

// counts are the statistics of the block.
type counts struct {
	switches, returned, startedNew uint64
	movedIn, movedOut, revoked     uint64
	swapCycles                     uint64
	blocking                       [numBlocks]uint64
	activeTime, residentTime       uint64
	stay                           [numStays]uint64
	measured, measuredTime         uint64
}

// register registers the statistics of the monitor and of switching.
func (x *Switcher) register(name string, reg *stats.Registry) {
	reg.Count("switch.first_stalls", stats.Events,
		"CTAs that stalled: every unfinished warp waited for memory or at a barrier, at least one for a result, "+
			"with nothing else under way", name, &x.measured)
	reg.Count("switch.first_stall_cycles", stats.Cycles,
		"cycles from a CTA's first issue to its first complete stall, summed over the CTAs of switch.first_stalls "+
			"(FineReg, table III)", name, &x.measuredTime)
	reg.Count("switch.active_ctas", stats.Cycles, "CTAs with slots, summed over cycles", name, &x.activeTime)
	reg.Count("switch.resident_ctas", stats.Cycles, "CTAs with slots or without, summed over cycles", name,
		&x.residentTime)
	if !x.spec.On() {
		return
	}
	reg.Count("switch.switches", stats.Events, "CTAs that gave up their slots to another one", name, &x.switches)
	reg.Count("switch.in.parked", stats.Events,
		"CTAs that came back from shared memory, with their registers still in the register file", name,
		&x.returned)
	reg.Count("switch.in.new", stats.Events,
		"new CTAs that came in by a switch; CTAs that found free slots while every resident CTA had slots are not "+
			"counted", name, &x.startedNew)
	reg.Count("switch.swap_cycles", stats.Cycles,
		"cycles of switches, from the order to the cycle in which the entering CTA has its slots", name, &x.swapCycles)
	reg.Count("switch.blocked_slots", stats.Cycles,
		"cycles in which only the schedulers of the slots kept a CTA out: enough slots were free, or had stalled "+
			"CTAs, but not those of its warps' schedulers", name, &x.blocking[slots])
	if x.Move != nil {
		reg.Count("switch.blocked_registers", stats.Cycles,
			"cycles in which a CTA that could come in found slots and no room in the register file, and no CTA with "+
				"slots could make room: none stalled completely, or none whose registers had a place elsewhere", name,
			&x.blocking[registers])
		reg.Count("switch.in.moved", stats.Events,
			"CTAs that came back from shared memory, with their registers moved back into the register file", name,
			&x.movedIn)
		reg.Count("switch.moved_out", stats.Events,
			"CTAs whose registers were moved out of the register file when they gave up their slots", name, &x.movedOut)
		reg.Count("switch.revoked", stats.Events,
			"CTAs that gave up their slots and got them back at once: a warp had gone on meanwhile, and there was "+
				"no room for their registers", name, &x.revoked)
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
	x.blocking[x.blocked] += n
}

// measure counts the CTAs that are completely stalled for the first time, and the cycles from each one's first issue
// to this stall.
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

// maxWarps is the most warps of a CTA: 1024 threads (CUDA C++ Programming Guide, compute capabilities).
const maxWarps = 32

// State returns the storage of the switcher. The places of CTAs and of their registers are the status monitor
// of FineReg (section V.B): two arrays of two bits per CTA. The other rows are the paper's switching logic
// (section V.F), as far as the model keeps it. Per CTA: waiting warps by kind of wait, warps by scheduler,
// whether it has issued, could issue or finds no room, its place in the order of launches and of stalls, and
// its part of a switch. Per slot: its CTA. Contexts lie in shared memory, and are marked apart.
func (x *Switcher) State() []regfile.State {
	if !x.spec.On() {
		return nil
	}
	ctas := len(x.monitor.ctas)
	cta, warps := bits.Len(uint(ctas-1)), bits.Len(maxWarps)
	row := func(what string, count, each int, apart bool) regfile.State {
		return regfile.State{Block: "Switcher", What: what, Count: 1, Bits: count * each, Ports: "1rw", Apart: apart,
			Kind: storage.FlipFlop, Width: each}
	}
	const (
		flags = 2 + int(numComing) // issued, ready, refused
		ways  = 3 + 5              // step; asked, left, moves, wait, back
	)
	contexts := row("contexts in shared memory", ctas*maxWarps, 8*x.spec.ContextBytes, true)
	contexts.Kind, contexts.Width = "", 0 // no array of the switcher's
	return []regfile.State{
		row("status monitor", ctas, 4, false),
		row("waiting warps", ctas, 3*warps+flags, false),
		row("warps by scheduler", ctas*x.schedulers, warps, false),
		row("orders of launch and stall", ctas, 2*cta, false),
		row("owners of slots", x.slots, cta+1, false),
		row("switches under way", len(x.swaps)+len(x.spare), 2*(cta+1)+ways, false),
		contexts,
	}
}
