package sharing

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

// linkLatency is the latency of links between SMs in these tests.
const linkLatency = 8

// throttlesRig has throttles of several SMs, each in a partition of its own. A
// pair of CTAs is on each: warps 0 and 1 are the owner's, 2 and 3 the other's.
type throttlesRig struct {
	engine *wire.Engine
	d      []*wire.Domain
	pairs  []*Pairs
	t      []*Throttle
	pulses []*wiretest.Source[Pulse]
	ctas   []*wiretest.Source[regfile.CTANotice]
	reg    stats.Registry
}

func newThrottlesRig(t *testing.T, sms int, s Spec) *throttlesRig {
	t.Helper()
	r := &throttlesRig{engine: wire.NewEngine()}
	for i := range sms {
		name := fmt.Sprintf("SM[%d]", i)
		d := r.engine.NewPartition(name).NewDomain(name+".Core", 1e9)
		p := NewPairs(name+".Pairs", d, 2, 4, &r.reg)
		x := NewThrottle(name+".Throttle", d, s.throttle(4, p), &r.reg)
		wiretest.NewSink(name+".Begun", d, &p.Begun, 8)
		r.d, r.pairs, r.t = append(r.d, d), append(r.pairs, p), append(r.t, x)
		r.pulses = append(r.pulses, wiretest.NewSource(name+".Locks", d, &x.Pulses))
		ctas := wiretest.NewSource(name+".Residency", d, &p.CTA)
		for slot := range 2 {
			ctas.Send(1+wire.Cycle(slot), regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot)})
		}
		r.ctas = append(r.ctas, ctas)
	}
	for i, x := range r.t {
		x.join(i, r.t[0], linkLatency)
		r.pairs[i].Load(plan{pairs: 1, warps: warpsPerCTA})
		x.Load(true)
	}
	return r
}

// issues makes an SM issue in n cycles of window number k (from 0).
func (r *throttlesRig) issues(sm, k, n int) {
	for i := range n {
		r.pulses[sm].Send(wire.Cycle(1000*k+200+i), Pulse{Issued: true})
	}
}

func (r *throttlesRig) run(t *testing.T, to wire.Cycle) {
	t.Helper()
	if _, err := r.engine.RunUntil(r.d[0], to); err != nil {
		t.Fatal(err)
	}
}

// levels after each of the windows from the first whole one on.
func (r *throttlesRig) levels(t *testing.T, sm int, want ...int) {
	t.Helper()
	for k, w := range want {
		end := wire.Cycle(1000 * (k + 2))
		r.run(t, end+linkLatency-1)
		before := r.t[sm].level
		r.run(t, end+linkLatency+1)
		if got := r.t[sm].level; got != w {
			t.Fatalf("SM %d, window %d: the probability went from %d to %d steps, want %d", sm, k+1, before, got, w)
		}
	}
}

func TestTheProbabilityFallsWithMoreStallsThanSM0HasAndRisesWithFewer(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	for k, n := range []int{0, 50, 50, 50, 50, 40, 50, 50} {
		r.issues(0, k, n)
	}
	for k, n := range []int{0, 49, 10, 50, 60, 50, 51, 90} {
		r.issues(1, k, n)
	}
	// more, more, as many, fewer, fewer, and at 1 it stays
	r.levels(t, 1, 9, 8, 8, 9, 10, 10)
	if r.t[0].level != 0 {
		t.Error("SM 0 permits something")
	}
	s := r.reg.Snapshot()
	if s["regfile.sharing.dynamic.lowered"] != 2 || s["regfile.sharing.dynamic.raised"] != 2 {
		t.Errorf("%d times lowered and %d raised, want 2 and 2", s["regfile.sharing.dynamic.lowered"],
			s["regfile.sharing.dynamic.raised"])
	}
}

func TestTheProbabilityDoesNotFallBelowZero(t *testing.T) {
	s := Default()
	s.Step = 0.5
	r := newThrottlesRig(t, 2, s)
	for k := 1; k < 6; k++ {
		r.issues(0, k, 100)
	}
	r.levels(t, 1, 1, 0, 0, 0)
}

func TestTheFirstWindowCountsOnlyIfThereWereWarpsFromItsBeginning(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	r.issues(0, 0, 500)
	r.run(t, 1500)
	if r.t[1].level != 10 {
		t.Errorf("level %d after the window in which the launch began, want 10", r.t[1].level)
	}
}

// closedFor counts the cycles with the gate closed to all warps except the owner's.
func (r *throttlesRig) closedFor(t *testing.T, sm int, from, to wire.Cycle) (n int) {
	t.Helper()
	for c := from; c < to; c++ {
		r.run(t, c)
		v := r.t[sm].Shut.Get()
		if v.Has(0) || v.Has(1) {
			t.Fatalf("SM %d, cycle %d: an owner's warp is held", sm, c)
		}
		if v.Has(2) != v.Has(3) {
			t.Fatalf("SM %d, cycle %d: one of two warps is held", sm, c)
		}
		if v.Has(2) {
			n++
		}
	}
	return n
}

func TestSM0HoldsNonOwnersInEveryCycle(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	r.run(t, 10)
	if n := r.closedFor(t, 0, 11, 211); n != 200 {
		t.Errorf("SM 0 held non-owners in %d of 200 cycles", n)
	}
	if n := r.closedFor(t, 1, 211, 411); n != 0 {
		t.Errorf("SM 1 held non-owners in %d of 200 cycles, with a probability of 1", n)
	}
}

// With a probability of 1/2 the gate is shut in about half of 800 cycles: 400,
// standard deviation 14.
func TestTheDrawsHaveTheirProbability(t *testing.T) {
	s := Default()
	s.Step = 0.5
	r := newThrottlesRig(t, 3, s)
	r.issues(0, 1, 100)
	r.run(t, 2000+linkLatency+2)
	a := r.closedFor(t, 1, 2100, 2900)
	if a < 340 || a > 460 {
		t.Errorf("shut in %d of 800 cycles at a probability of 1/2", a)
	}
	if r.t[2].level != 1 {
		t.Fatal("SM 2 should be at 1/2 too")
	}
	same := 0
	for c := range wire.Cycle(800) {
		if r.t[1].random(c)&1 == r.t[2].random(c)&1 {
			same++
		}
	}
	if same < 340 || same > 460 {
		t.Errorf("draws of two SMs agree in %d of 800 cycles", same)
	}
}

func TestWithoutSharingNothingIsHeldAndTheBlockSleeps(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	for i := range r.t {
		r.pairs[i].Load(plan{unshared: 2})
		r.t[i].Load(false)
	}
	r.run(t, 5000)
	if v := r.t[0].Shut.Get(); v != (regfile.WarpSet{}) {
		t.Errorf("SM 0 holds %v", v)
	}
	if n := r.reg.Snapshot()["regfile.sharing.dynamic.windows"]; n != 0 {
		t.Errorf("%d windows", n)
	}
	for _, d := range r.d {
		if n := d.NextWake(); n != wire.Never {
			t.Errorf("something wakes at %d", n)
		}
	}
}

// What a block does must not depend on how often it ticks: here something wakes
// the throttles at random.
func TestSpuriousWakesChangeNothing(t *testing.T) {
	outcome := func(wakes bool) string {
		s := Default()
		s.Step = 0.5
		r := newThrottlesRig(t, 2, s)
		rng := rand.New(rand.NewPCG(1, 2))
		for k := 1; k < 5; k++ {
			r.issues(0, k, 100)
			r.issues(1, k, 40*k)
		}
		for _, ctas := range r.ctas {
			for slot := range 2 {
				ctas.Send(5400, regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot), Finished: true})
			}
		}
		out := ""
		for c := wire.Cycle(10); c < 5500; c += 7 {
			r.run(t, c)
			out += fmt.Sprint(r.t[1].Shut.Get()[0], r.t[1].level)
			if wakes {
				for _, x := range r.t {
					if rng.IntN(3) == 0 {
						x.WakeAt(c + 1 + wire.Cycle(rng.IntN(6)))
					}
				}
			}
		}
		return out + fmt.Sprint(r.reg.Snapshot())
	}
	if a, b := outcome(false), outcome(true); a != b {
		t.Errorf("with spurious wakes\n%s\nwithout\n%s", b, a)
	}
}
