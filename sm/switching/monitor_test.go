package switching

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
)

// ctaModel is a CTA as the reference knows it.
type ctaModel struct {
	resident, hasSlots, leaving, moved bool
	since                              wire.Cycle
}

// monitorModel computes the monitor's state from scratch; the monitor keeps it by difference.
type monitorModel struct {
	m     monitor
	ctas  []ctaModel
	owner [2][4]int // CTA, or nobody
	seen  [2]Status
	now   wire.Cycle
}

func newMonitorModel() *monitorModel {
	x := &monitorModel{m: newMonitor(3, 2), ctas: make([]ctaModel, 3)}
	for s := range x.owner {
		x.seen[s].Stopped = ^uint64(0)
		for i := range x.owner[s] {
			x.owner[s][i] = nobody
		}
	}
	return x
}

// stall returns a CTA's wait by the definition of Status, and its slots with warps.
func (x *monitorModel) stall(cta int) (is stall, live [2]uint8) {
	moving, waits, gated, drained := false, false, false, true
	for s := range x.owner {
		for slot, o := range x.owner[s] {
			if o != cta {
				continue
			}
			st, bit := &x.seen[s], uint64(1)<<slot
			if st.Live&bit != 0 {
				live[s]++
				drained = drained && st.Drained&bit != 0
			}
			moving = moving || (st.Stopped|st.Gated)&bit == 0
			waits = waits || st.Long&bit != 0
			gated = gated || st.Gated&bit != 0
		}
	}
	drained = drained && live != [2]uint8{}
	switch {
	case !x.ctas[cta].hasSlots || x.ctas[cta].leaving || moving || !waits && !gated && !drained:
		return running, live
	case gated:
		return atGates, live
	}
	return complete, live
}

// assign gives a CTA some of the slots, also slots of another CTA's finished warps.
func (x *monitorModel) assign(t *rapid.T, cta int) (slots [MostSchedulers]uint64) {
	for s := range x.owner {
		slots[s] = rapid.Uint64Range(0, 15).Draw(t, "slots")
		for slot, o := range x.owner[s] {
			switch {
			case slots[s]>>slot&1 == 0:
			case o != nobody && o != cta && x.seen[s].Live>>slot&1 != 0:
				slots[s] &^= 1 << slot
			default:
				x.owner[s][slot] = cta
			}
		}
	}
	x.ctas[cta].hasSlots = true
	return slots
}

func (x *monitorModel) unassign(cta int) {
	for s := range x.owner {
		for slot, o := range x.owner[s] {
			if o == cta {
				x.owner[s][slot] = nobody
			}
		}
	}
	x.ctas[cta].hasSlots, x.ctas[cta].leaving = false, false
}

// event lets something happen to a CTA, or to the warp of a slot.
func (x *monitorModel) event(t *rapid.T) {
	cta := rapid.IntRange(0, 2).Draw(t, "CTA")
	c := &x.ctas[cta]
	what := rapid.IntRange(0, 3).Draw(t, "event")
	switch {
	case what == 0:
		s := rapid.IntRange(0, 1).Draw(t, "scheduler")
		st, bit := x.seen[s], uint64(1)<<rapid.IntRange(0, 3).Draw(t, "slot")
		st.Live, st.Stopped, st.Long, st.Gated = st.Live|bit, st.Stopped&^bit, st.Long&^bit, st.Gated&^bit
		st.Drained &^= bit
		switch rapid.IntRange(0, 5).Draw(t, "state") {
		case 0:
			st.Live, st.Stopped = st.Live&^bit, st.Stopped|bit
		case 1:
			st.Stopped |= bit
		case 2:
			st.Stopped, st.Long = st.Stopped|bit, st.Long|bit
		case 3:
			st.Gated |= bit
		case 4:
			st.Stopped, st.Drained = st.Stopped|bit, st.Drained|bit
		}
		x.seen[s] = st
		x.m.sample(s, &st, x.now)
	case !c.resident:
		slots := x.assign(t, cta)
		c.resident = true
		x.m.start(&CTAEvent{CTA: uint16(cta), Slots: slots}, x.now)
	case what == 1 && !c.leaving:
		x.unassign(cta)
		*c = ctaModel{}
		x.m.finish(uint16(cta), x.now)
	case c.leaving:
		x.unassign(cta)
		x.m.unassign(uint16(cta), x.now)
	case c.hasSlots:
		c.leaving = true
		x.m.leave(uint16(cta), x.now)
	case what == 2:
		to := Pipeline
		if c.moved = !c.moved; c.moved {
			to = Pending
		}
		x.m.moved(cta, to)
	default:
		slots := x.assign(t, cta)
		x.m.assign(uint16(cta), &slots, x.now)
	}
}

// For any events the monitor counts the CTAs resident, with slots, stalled and waiting for gates,
// and has the cycle since which each waits.
func TestTheMonitorKnowsWhatEveryCTAWaitsForAndSinceWhen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := newMonitorModel()
		before := make([]stall, 3)
		for x.now = 1; x.now < 40; x.now++ {
			x.event(t)
			var resident, active, held, stalled, gated uint64
			for i := range x.ctas {
				c := &x.ctas[i]
				is, live := x.stall(i)
				if is != running && before[i] == running {
					c.since = x.now
				}
				before[i] = is
				var slots [MostSchedulers]uint8
				x.m.slots(i, &slots)
				got := &x.m.ctas[i]
				if got.stall() != is || is != running && got.since != c.since || [2]uint8(slots[:2]) != live {
					t.Fatalf("CTA %d: stall %d since %d, slots %v; want %d since %d, %v", i, got.stall(), got.since,
						slots[:2], is, c.since, live)
				}
				for k := atGates; k < numStalls; k++ {
					if x.m.waits[k].Has(i) != (is == k) {
						t.Fatalf("CTA %d with stall %d: among those with stall %d is %v", i, is, k, x.m.waits[k].Has(i))
					}
				}
				resident, active = resident+count(c.resident), active+count(c.hasSlots)
				held = held + count(c.resident && !c.moved)
				stalled, gated = stalled+count(is == complete), gated+count(is == atGates)
			}
			if m := &x.m; m.resident != resident || m.active != active || m.held != held || m.stalled != stalled ||
				m.gated != gated {
				t.Fatalf("%d resident, %d active, %d held, %d stalled, %d at gates; want %d, %d, %d, %d, %d",
					m.resident, m.active, m.held, m.stalled, m.gated, resident, active, held, stalled, gated)
			}
		}
	})
}

func count(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// A CTA waits for data, then for a gate, then it goes on.
func TestWhatWasRefusedForACTAIsForgottenWhenItGoesOn(t *testing.T) {
	m := newMonitor(1, 1)
	s := CTAEvent{Event: Started}
	s.Slots[0] = 1
	m.start(&s, 1)
	waits := &Status{Live: 1, Stopped: ^uint64(0), Long: 1}
	gated := &Status{Live: 1, Stopped: ^uint64(1), Gated: 1}
	goesOn := &Status{Live: 1, Stopped: ^uint64(1)}
	m.sample(0, waits, 2)
	c := &m.ctas[0]
	c.refused[fresh] = true
	m.sample(0, gated, 3)
	m.sample(0, waits, 4)
	if !c.refused[fresh] {
		t.Error("forgotten while the CTA waits")
	}
	m.sample(0, goesOn, 5)
	if c.refused[fresh] {
		t.Error("not forgotten when the CTA goes on")
	}
}

func TestCTAsAreNumberedInTheOrderOfTheirLaunch(t *testing.T) {
	m := newMonitor(3, 1)
	for i, cta := range []uint16{2, 0, 1} {
		m.start(&CTAEvent{CTA: cta}, 1)
		if n := m.ctas[cta].launch; n != uint64(i+1) {
			t.Errorf("CTA slot %d is launch %d, want %d", cta, n, i+1)
		}
	}
}
