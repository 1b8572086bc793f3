package wire_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// busyParts returns an engine with n partitions of one component each, which tick in every cycle up to 64, and the
// order of these ticks.
func busyParts(n int) (e *wire.Engine, blocks []*script, order *[]int) {
	e, order = wire.NewEngine(), &[]int{}
	for i := range n {
		s := newScript(e.NewPartition(fmt.Sprintf("P[%d]", i)).NewDomain("D", sim.GHz), "S", 1)
		s.do = func(now wire.Cycle) bool {
			*order = append(*order, i)
			return now < 64
		}
		blocks = append(blocks, s)
	}
	return e, blocks, order
}

// lengths returns how often in a row each value occurs.
func lengths(order []int) (n []int) {
	for len(order) > 0 {
		end := slices.IndexFunc(order, func(x int) bool { return x != order[0] })
		if end < 0 {
			end = len(order)
		}
		n, order = append(n, end), order[end:]
	}
	return n
}

func TestHalvesOfAMachineRunTwoWindowsInTurn(t *testing.T) {
	e, s, order := busyParts(2)
	wire.Connect(&s[0].out, &s[1].in, 8)
	wire.Connect(&s[1].out, &s[0].in, 8)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// The first tick is in cycle 1. The first turn lasts one window, since nothing is known of the other half.
	want := []int{8, 16, 16, 16, 16, 16, 16, 16, 8}
	if got := lengths(*order); !slices.Equal(got, want) {
		t.Errorf("turns of %v ticks, want %v", got, want)
	}
}

func TestEverySecondTurnOfAHalfGoesBackwards(t *testing.T) {
	e, s, order := busyParts(3)
	wire.Connect(&s[0].out, &s[1].in, 8)
	wire.Connect(&s[2].out, &s[0].in, 8)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	want := []int{0, 2, 1, 0, 1, 2, 0, 2, 1, 0, 1, 2, 0}
	if got := slices.Compact(*order); !slices.Equal(got, want) {
		t.Errorf("partitions run in the order %v, want %v", got, want)
	}
}

func TestTurnsLeaveOutCyclesInWhichNothingIsAwake(t *testing.T) {
	e, s, _ := busyParts(2)
	wire.Connect(&s[0].out, &s[1].in, 8)
	const late = 1 << 40 // some hours in turns of 16 cycles
	s[1].do = func(now wire.Cycle) bool {
		if now < late {
			s[1].WakeAt(late)
		}
		return false
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []wire.Cycle{1, late}; !slices.Equal(s[1].seen, want) {
		t.Errorf("ticks at %v, want %v", s[1].seen, want)
	}
}

func TestStopsChangeNothing(t *testing.T) {
	for _, workers := range []int{1, 2, 4} { // one: halves in turn
		s := star(6)
		lay := layout{partition: []int{0, 1, 2, 3}, workers: workers}
		want := build(s, lay).run(meshCycles)
		for inside := range s.hz { // the domain in which a component stops the run
			got, stops := stoppedOften(t, build(s, lay), inside)
			if d := cmp.Diff(want, got, compareTakes); d != "" || stops < 20 {
				t.Errorf("%d workers, %d stops in domain %d: %s", workers, stops, inside, d)
			}
		}
	}
}

// stoppedOften runs a network in which a component of a domain stops the run in every 17th cycle.
func stoppedOften(t *testing.T, n *network, inside int) (got [][]take, stops int) {
	stopper := newScript(n.domains[inside], "Stopper", 1)
	stopper.do = func(now wire.Cycle) bool {
		if now%17 == 3 {
			n.engine.Stop()
		}
		return true
	}
	for limit := uint64(100); limit <= meshCycles; limit += 100 {
		for stopped := true; stopped; {
			out, err := n.engine.RunUntil(n.domains[0], limit)
			if err != nil {
				t.Fatal(err)
			}
			if stopped = out == wire.Stopped; stopped {
				stops++
			}
			if now := n.domains[0].Now(); now > limit {
				t.Fatalf("cycle %d after a run up to %d", now, limit)
			}
		}
	}
	return logs(len(n.blocks), func(i int) *router { return &n.blocks[i].router }), stops
}

func TestThreePartitionsInARingRunTogether(t *testing.T) {
	e, s, order := busyParts(3)
	for i := range s {
		wire.Connect(&s[i].out, &s[(i+1)%3].in, 8)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// Every second window runs the partitions backwards, so that one of them has two windows in a row.
	want := []int{8, 8, 16, 8, 16, 8, 16, 8, 16, 8, 16, 8, 16, 8, 16, 8, 8}
	if got := lengths(*order); !slices.Equal(got, want) {
		t.Errorf("turns of %v ticks, want %v", got, want)
	}
}

// Whatever half was ahead when the run was stopped, a component woken then sends in time.
func TestAMessageSentAfterAStopArrivesInTime(t *testing.T) {
	for stop := wire.Cycle(1); stop < 50; stop++ {
		for poked := range 2 {
			e := wire.NewEngine()
			d := e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz)
			a := newScript(d, "A", 1)
			b := newScript(e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz), "B", 1)
			wire.Connect(&a.out, &b.in, 8)
			wire.Connect(&b.out, &a.in, 8)
			clock := newScript(d, "Clock", 1)
			clock.do = func(now wire.Cycle) bool {
				if now == stop {
					e.Stop()
				}
				return now < stop
			}
			sender, other := b, a
			if poked == 1 {
				sender, other = a, b
			}
			var sent, back wire.Cycle
			armed := false
			sender.do = func(now wire.Cycle) bool {
				switch {
				case armed:
					sender.out.Put(1)
					sent, armed = now, false
				case sender.in.Take() != nil:
					back = now
				}
				return false
			}
			other.do = func(wire.Cycle) bool {
				if m := other.in.Take(); m != nil {
					other.out.Put(*m)
				}
				return false
			}
			if out, err := e.RunUntil(d, 1000); out != wire.Stopped || err != nil {
				t.Fatal(out, err)
			}
			armed = true
			sender.TickLater(0)
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			if sent <= stop || back != sent+16 {
				t.Errorf("stopped at %d: %s sent at %d and has the answer at %d, want 16 cycles later", stop,
					sender.Name(), sent, back)
			}
		}
	}
}
