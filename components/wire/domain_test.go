package wire_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"pgregory.net/rapid"

	"kumiko/components/wire"
)

func TestAComponentTicksOnceAfterInitAndThenSleeps(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	d.RunUntil(100)
	if want := []wire.Cycle{1}; !cmp.Equal(s.seen, want) {
		t.Errorf("ticks at %v, want %v", s.seen, want)
	}
	if d.NextWake() != wire.Never {
		t.Errorf("next wake %d, want none", d.NextWake())
	}
}

func TestAWakeInThePastIsOneForTheNextCycle(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(now wire.Cycle) bool {
		if now < 5 {
			s.WakeAt(now - 1)
			s.WakeAt(now)
		}
		return false
	}
	d.RunUntil(100)
	if want := []wire.Cycle{1, 2, 3, 4, 5}; !cmp.Equal(s.seen, want) {
		t.Errorf("ticks at %v, want %v", s.seen, want)
	}
}

// With more than one word of components, a wake that wraps around the wheel
// into the row being ticked would come a lap early.
func TestManyComponentsTickExactlyInTheCyclesForWhichTheyWereWoken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := wire.NewDomain("Core", sim.GHz)
		n := rapid.IntRange(1, 200).Draw(t, "components")
		cs := make([]*script, n)
		want := make([]map[wire.Cycle]bool, n)
		for i := range cs {
			cs[i] = newScript(d, fmt.Sprintf("C[%d]", i), 1)
			want[i] = map[wire.Cycle]bool{1: true}
		}
		delays := rapid.SliceOfN(rapid.SampledFrom([]wire.Cycle{1, 2, 62, 63, 64, 65, 127, 128, 129, 1000}), 1,
			40).Draw(t, "delays")
		turn := 0
		for i, c := range cs {
			c.do = func(now wire.Cycle) bool {
				if now > 2000 {
					return false
				}
				to := (i + int(now)*7) % n
				at := now + delays[turn%len(delays)]
				turn++
				cs[to].WakeAt(at)
				want[to][at] = true
				return false
			}
		}
		for d.Step(wire.Never) {
		}
		for i, c := range cs {
			if len(c.seen) != len(want[i]) {
				t.Fatalf("component %d ticked at %v, want %d ticks", i, c.seen, len(want[i]))
			}
			for _, at := range c.seen {
				if !want[i][at] {
					t.Fatalf("component %d ticked at %d, for which it was not woken", i, at)
				}
			}
		}
	})
}

func TestIdleTimeIsSkippedInOneStep(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(now wire.Cycle) bool {
		if now == 1 {
			s.WakeAt(1_000_000_000_000)
		}
		return false
	}
	steps := 0
	for d.Step(wire.Never) {
		steps++
	}
	if steps != 2 || d.Now() != 1_000_000_000_000 {
		t.Errorf("%d steps to cycle %d, want 2 to 1e12", steps, d.Now())
	}
}

func TestTimeIsBitForBitThatOfAkitasChainOfTicks(t *testing.T) {
	for _, f := range []sim.Freq{sim.GHz, 1126 * sim.MHz, 1753 * sim.MHz, 924 * sim.MHz, 7} {
		d := wire.NewDomain("Core", f)
		c := newScript(d, "C", 1)
		now := sim.VTimeInSec(0)
		c.do = func(wire.Cycle) bool { return true }
		for i := 0; i < 20000; i++ {
			d.Step(wire.Never)
			if now = f.NextTick(now); d.Time() != now {
				t.Fatalf("%v Hz, cycle %d: %v, Akita says %v", float64(f), d.Now(), d.Time(), now)
			}
		}
	}
}

func TestASignalIsSeenFromTheCycleAfterItsSetWhateverTheOrder(t *testing.T) {
	for _, perm := range [][]int32{{0, 1}, {1, 0}} {
		d := wire.NewDomain("Core", sim.GHz)
		w, r := newScript(d, "W", 1), newScript(d, "R", 1)
		var s wire.Signal[int]
		s.Init(&w.Comp, 10)
		s.Watch(&r.Comp)
		d.SetTickOrder(perm)
		w.do = func(now wire.Cycle) bool {
			if now == 3 || now == 6 {
				s.Set(99)
				s.Set(int(now))
			}
			return now < 6
		}
		got := map[wire.Cycle]int{}
		r.do = func(now wire.Cycle) bool { got[now] = s.Get(); return now < 3 }
		d.RunUntil(20)
		// R ticks at 1, 2, 3 by itself, at 4 and 7 because of the signal.
		if want := (map[wire.Cycle]int{1: 10, 2: 10, 3: 10, 4: 3, 7: 6}); !cmp.Equal(got, want) {
			t.Errorf("order %v: %v, want %v", perm, got, want)
		}
	}
}

func TestTheKernelAllocatesNothingPerCycle(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	const n = 70
	ring := make([]*relay, n)
	for i := range ring {
		ring[i] = newRelay(d, i)
	}
	for i, r := range ring {
		wire.Connect(&r.Out, &ring[(i+1)%n].In, 1+i%2*80) // half the wakes are far
	}
	ring[0].Out.Put(body{})
	ring[n/2].Out.Put(body{})
	d.RunUntil(10000)
	if a := testing.AllocsPerRun(10, func() { d.RunUntil(d.Now() + 10000) }); a != 0 {
		t.Errorf("%v allocations in 10000 cycles", a)
	}
}
