package sharing

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Throttle is dynamic warp execution (section 5): memory instructions of non-owner warps issue with a variable
// probability. It falls while the SM stalls more than SM 0, which never issues them, and rises while the SM stalls
// less.
//
// A stall is a cycle in which no scheduler of the SM issues. Windows end at the same cycle in every SM. An SM
// compares a window's stalls with SM 0's when they arrive, after the latency of a link between SMs. There is one
// random draw per cycle, for all warps.
type Throttle struct {
	wire.Comp

	Pulses wire.InPort[Pulse] // from the locks

	// Shut is the set of warps that may not issue memory instructions.
	Shut wire.Signal[regfile.WarpSet]
	// Last is the window that ended last.
	Last wire.Signal[Window]

	window   wire.Cycle
	levels   int // the probability changes in steps of 1 / levels
	seed     uint64
	sm       int               // number of this SM; unjoined: the probability stays 1
	late     wire.Cycle        // latency with which SM 0's windows arrive
	other    *wire.Tap[Window] // the last window of SM 0; nil in SM 0
	owner    *wire.Signal[regfile.WarpSet]
	nonOwner *wire.Signal[regfile.WarpSet]
	unshared *wire.Signal[regfile.WarpSet]
	all      regfile.WarpSet

	on     bool       // the launch shares registers
	level  int        // memory instructions of non-owner warps issue with the probability level / levels
	number wire.Cycle // of the current window
	whole  bool       // there were warps when the current window began
	busy   uint64     // cycles of the current window with an issue
	own    Window     // the last window of this SM, to be compared with SM 0's
	due    wire.Cycle // cycle in which the two are compared; 0: no comparison is pending
	armed  wire.Cycle // the last wake at the end of a window
	shut   bool       // there are non-owner warps, and their memory instructions are held
	since  wire.Cycle // cycle of the last Tick, up to which shutTime is counted

	throttleCounts
}

type throttleCounts struct {
	withheld, windows, stalls, steps, shutTime, lowered, raised uint64
	probabilities                                               stats.Histogram
}

// unjoined is the SM number of a throttle before join. Such a throttle has no SM 0 to compare its stalls with, so it
// never lowers its probability.
const unjoined = -1

// Window is a window of cycles: its number, from 1, and its cycles without issue.
type Window struct {
	Number wire.Cycle
	Stalls uint64
}

// ThrottleSpec has the dimensions of a throttle and the signals of the SM's pairs.
type ThrottleSpec struct {
	Contexts                  int // warp contexts of the SM
	Window                    int // cycles
	Levels                    int // the probability changes in steps of 1 / Levels
	Seed                      uint64
	Owner, NonOwner, Unshared *wire.Signal[regfile.WarpSet]
}

// NewThrottle builds the block.
func NewThrottle(name string, d *wire.Domain, s ThrottleSpec, reg *stats.Registry) *Throttle {
	t := &Throttle{window: wire.Cycle(s.Window), levels: s.Levels, seed: s.Seed, sm: unjoined, owner: s.Owner,
		nonOwner: s.NonOwner, unshared: s.Unshared}
	for w := range s.Contexts {
		t.all.Add(w)
	}
	t.Init(name, d, t)
	t.Pulses.Init(&t.Comp, "Pulses", 4)
	t.Shut.Init(&t.Comp, regfile.WarpSet{})
	t.Last.Init(&t.Comp, Window{})
	t.owner.Watch(&t.Comp)
	t.nonOwner.Watch(&t.Comp)
	t.unshared.Watch(&t.Comp)
	t.count(name, reg)
	return t
}

func (t *Throttle) count(name string, reg *stats.Registry) {
	reg.Count("regfile.sharing.dynamic.withheld", stats.Instructions,
		"memory instructions of non-owner warps held back at least once", name, &t.withheld)
	reg.Count("regfile.sharing.dynamic.windows", stats.Events,
		"windows that began with warps on an SM that shares registers, summed over SMs", name, &t.windows)
	reg.Count("regfile.sharing.dynamic.stalls", stats.Cycles,
		"cycles in which no scheduler of the SM issued, summed over the windows", name, &t.stalls)
	reg.Count("regfile.sharing.dynamic.probability_steps", stats.Events,
		"probability of each window, in steps, summed over the windows; times the setting step and divided by the "+
			"windows, it is the mean probability", name, &t.steps)
	reg.Histogram("regfile.sharing.dynamic.probability", stats.Events, "probability of a window in steps",
		&t.probabilities)
	reg.Count("regfile.sharing.dynamic.lowered", stats.Events, "windows after which the probability fell", name,
		&t.lowered)
	reg.Count("regfile.sharing.dynamic.raised", stats.Events, "windows after which the probability rose", name,
		&t.raised)
	reg.Count("regfile.sharing.dynamic.shut_cycles", stats.Cycles,
		"cycles in which resident non-owner warps could not issue memory instructions, summed over SMs", name,
		&t.shutTime)
}

// join makes the block the throttle of SM number sm of the chip.
func (t *Throttle) join(sm int, zero *Throttle, latency int) {
	t.sm = sm
	if sm > 0 {
		t.other, t.late = wire.NewTap(&zero.Last, &t.Comp, latency), wire.Cycle(latency)
	}
}

// Load begins a launch, with registers shared if on. The SM is idle.
func (t *Throttle) Load(on bool) {
	t.on, t.whole, t.due, t.level = on, false, 0, t.levels
	if t.sm == 0 {
		t.level = 0
	}
	t.Shut.Set(t.held(on && t.level < t.levels))
}

// Tick ends a window, compares, counts, and draws.
func (t *Throttle) Tick(now wire.Cycle) bool {
	if t.shut {
		t.shutTime += now - t.since
	}
	t.since, t.shut = now, false
	if t.on {
		t.endWindow(now)
		t.compare(now)
	}
	for p := t.Pulses.Take(); p != nil; p = t.Pulses.Take() {
		if p.Issued {
			t.busy++
		}
		t.withheld += uint64(p.Withheld)
	}
	return t.on && t.draw(now)
}

// endWindow publishes the stalls of the current window if it is over.
func (t *Throttle) endWindow(now wire.Cycle) {
	there := t.hasWarps()
	if n := now/t.window + 1; n != t.number {
		if t.whole && n == t.number+1 {
			t.own = Window{Number: t.number, Stalls: t.window - t.busy}
			t.due = (n-1)*t.window + t.late
			t.windows++
			t.stalls += t.own.Stalls
			t.steps += uint64(t.level)
			t.probabilities.Add(uint64(t.level))
			t.Last.Set(t.own)
			t.WakeAt(t.due)
		}
		t.number, t.busy, t.whole = n, 0, there && now%t.window == 0
	}
	if end := t.number * t.window; there && t.armed != end {
		t.armed = end
		t.WakeAt(end)
	}
}

// hasWarps reports whether the SM has warps.
func (t *Throttle) hasWarps() bool {
	none := regfile.WarpSet{}
	return t.owner.Get() != none || t.nonOwner.Get() != none || t.unshared.Get() != none
}

// compare adjusts the probability when SM 0's stalls are known.
func (t *Throttle) compare(now wire.Cycle) {
	if t.due == 0 || now < t.due || t.other == nil {
		return
	}
	t.due = 0
	zero := t.other.Get()
	switch {
	case zero.Number != t.own.Number: // SM 0 had no warps
	case t.own.Stalls > zero.Stalls && t.level > 0:
		t.level--
		t.lowered++
	case t.own.Stalls < zero.Stalls && t.level < t.levels:
		t.level++
		t.raised++
	}
}

// draw decides about the next cycle. It reports whether that cycle needs a draw too. While there is no non-owner
// warp the gate is closed, so that a new warp is held from its first instruction on.
func (t *Throttle) draw(now wire.Cycle) bool {
	some := t.nonOwner.Get() != regfile.WarpSet{}
	certain := t.level == 0 || t.level == t.levels || !some
	shut := t.level < t.levels && (certain || t.random(now)%uint64(t.levels) >= uint64(t.level))
	t.shut = shut && some
	t.Shut.Set(t.held(shut))
	return !certain
}

// held returns the warps held by a closed gate: all except known owners and unshared warps.
func (t *Throttle) held(shut bool) regfile.WarpSet {
	if !shut {
		return regfile.WarpSet{}
	}
	set, owner, unshared := t.all, t.owner.Get(), t.unshared.Get()
	without(&set, &owner)
	without(&set, &unshared)
	return set
}

// random returns the random number of a cycle. It is a function of seed, SM and cycle, independent of the number of
// ticks of the block (the finaliser of SplitMix64).
func (t *Throttle) random(now wire.Cycle) uint64 {
	z := (t.seed<<32^uint64(t.sm))*0x9e3779b97f4a7c15 + now*0xd1b54a32d192ed03
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// State returns the storage of the block, in bits: the counts of the current and of the last window, and the
// probability. The paper's sum leaves it out.
func (t *Throttle) State() []regfile.State {
	n := 2*bits.Len(uint(t.window)) + bits.Len(uint(t.levels))
	return []regfile.State{{Block: "Throttle", What: "stall counts and probability", Count: 1, Bits: n,
		Kind: storage.FlipFlop, Width: n}}
}
