package wire_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// Three blocks in a row with room for one message each. The last one takes none, for cause 7, and from cycle 20 on for
// cause 8. The answer at the first block is what the others had stated before the cycle, in any order of ticks.
func TestAFullQueueIsPutDownToTheLastBlockOfTheChain(t *testing.T) {
	for _, order := range [][]int32{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}} {
		d := wire.NewDomain("Core", sim.GHz)
		a, b, c := newScript(d, "A", 1), newScript(d, "B", 1), newScript(d, "C", 1)
		wire.Connect(&a.out, &b.in, 1)
		wire.Connect(&b.out, &c.in, 1)
		got := map[wire.Cycle]wire.Cause{}
		a.do = func(now wire.Cycle) bool {
			if a.out.CanPut() {
				a.out.Put(1)
			} else {
				got[now] = a.out.Obstacle()
			}
			return true
		}
		b.do = func(wire.Cycle) bool {
			switch {
			case b.in.Head() == nil:
			case b.out.CanPut():
				b.out.Put(*b.in.Head())
				b.in.Pop()
			default:
				b.out.Held()
			}
			return true
		}
		c.do = func(now wire.Cycle) bool {
			switch {
			case now >= 20:
				c.Holds(8)
			case now >= 10:
				c.Holds(7)
			}
			return true
		}
		d.SetTickOrder(order)
		d.RunUntil(30)
		for cycle, want := range map[wire.Cycle]wire.Cause{9: 0, 10: 0, 11: 7, 20: 7, 21: 8, 30: 8} {
			if got[cycle] != want {
				t.Errorf("order %v: in cycle %d the obstacle is %d, want %d", order, cycle, got[cycle], want)
			}
		}
		if x := b.in.Obstacle(); x != 0 {
			t.Errorf("the sender, which waits for nobody, states %d", x)
		}
	}
}

func TestBlocksThatWaitForEachOtherInARingHaveNoObstacle(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := newScript(d, "A", 1), newScript(d, "B", 1)
	wire.Connect(&a.out, &b.in, 1)
	wire.Connect(&b.out, &a.in, 1)
	a.Holds(5)
	d.RunUntil(3)
	a.out.Held()
	b.out.Held()
	d.RunUntil(6)
	if x := a.out.Obstacle(); x != 0 {
		t.Errorf("obstacle %d, want none", x)
	}
}

// The other side of a link between clock domains has another time, so the chain ends before it.
func TestAChainEndsAtTheLastBlockOfAClockDomain(t *testing.T) {
	e := wire.NewEngine()
	p := e.NewPartition("P")
	near, far := p.NewDomain("Near", sim.GHz), p.NewDomain("Far", sim.GHz)
	a, b, c := newScript(near, "A", 1), newScript(near, "B", 1), newScript(far, "C", 1)
	wire.Connect(&a.out, &b.in, 1)
	wire.Connect(&b.out, &c.in, 1)
	b.Holds(3)
	c.Holds(9)
	d := near.Now()
	near.RunUntil(d + 1)
	b.out.Held()
	near.RunUntil(d + 2)
	if x := a.out.Obstacle(); x != 3 {
		t.Errorf("obstacle %d, want the one of the near side", x)
	}
}
