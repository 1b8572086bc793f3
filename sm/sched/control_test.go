package sched

import (
	"testing"

	"kumiko/kernel/ir"
)

func word(c ir.Control) *ir.Inst {
	c.Set = true
	return &ir.Inst{Control: c}
}

func TestACounterIsUpUntilEveryInstructionThatRaisedItIsDone(t *testing.T) {
	c, w := &controls{clock: 10}, &controlState{}
	load := word(ir.Control{Stall: 1, Write: 2, Read: ir.NoCounter})
	use := word(ir.Control{Stall: 1, Write: ir.NoCounter, Read: ir.NoCounter, Wait: 1 << 2})
	c.raise(0, w, load, true, true)
	c.clock = 11
	if r := c.blocks(w, use); r != noDelay {
		t.Errorf("a cycle after the load: %v, the counter is not to be seen yet", r)
	}
	c.raise(0, w, load, true, true)
	for _, want := range []delay{counted, counted, noDelay} {
		c.clock += 2
		if r := c.blocks(w, use); r != want {
			t.Errorf("at clock %d: %v, want %v", c.clock, r, want)
		}
		if want == counted {
			w.dropped(2)
		}
	}
	w.dropped(ir.NoCounter)
}

func TestWhatAWarpWaitsForIsNamed(t *testing.T) {
	c, w := &controls{clock: 10}, &controlState{}
	c.raise(0, w, word(ir.Control{Stall: 1, Write: 0, Read: 3}), true, true)
	c.clock += 2
	use := word(ir.Control{Stall: 1, Write: ir.NoCounter, Read: ir.NoCounter, Wait: 0b1001})
	if got := c.waiting(w, use); got != "for counters SB0 (1), SB3 (1)" {
		t.Errorf("%q", got)
	}
	use.Control.Wait = 0
	if got := c.waiting(w, use); got != "until its stall count is down" {
		t.Errorf("%q", got)
	}
}

func TestStallCountsStandStillWhileTheRegisterFileDoes(t *testing.T) {
	c := &controls{}
	c.passTime(1, false)
	c.passTime(5, false) // slept from 2 to 4
	if c.clock != 5 {
		t.Errorf("%d cycles went by, want 5", c.clock)
	}
	c.passTime(6, true)
	c.passTime(9, false) // slept from 7 to 8, closed
	if c.clock != 6 {
		t.Errorf("%d cycles went by, want 6", c.clock)
	}
}

func TestAYieldIsToldFromAStall(t *testing.T) {
	c, w := &controls{clock: 10}, &controlState{}
	next := word(ir.Control{Write: ir.NoCounter, Read: ir.NoCounter})
	for _, x := range []struct {
		stall uint8
		yield bool
		want  delay
	}{{2, false, stalled}, {2, true, stalled}, {1, true, yielded}, {1, false, noDelay}} {
		in := word(ir.Control{Stall: x.stall, Yield: x.yield, Write: ir.NoCounter, Read: ir.NoCounter})
		c.raise(0, w, in, false, false)
		c.clock++
		if r := c.blocks(w, next); r != x.want {
			t.Errorf("stall %d, yield %v: %v, want %v", x.stall, x.yield, r, x.want)
		}
	}
}

func TestTheStallOfAControlWord(t *testing.T) {
	for _, k := range []struct {
		stall uint8
		yield bool
		want  uint64
	}{{0, false, 1}, {0, true, 45}, {1, true, 2}, {1, false, 1}, {11, false, 11}, {12, false, 2}, {12, true, 12}} {
		if got := stall(&ir.Control{Stall: k.stall, Yield: k.yield}); got != k.want {
			t.Errorf("stall %d, yield %t: %d cycles, want %d", k.stall, k.yield, got, k.want)
		}
	}
}

// Two counters are up; the last one counts three results.
func TestADepbarHoldsAWarpUntilItsCounterHasFallenFarEnough(t *testing.T) {
	c, w := &controls{clock: 10}, &controlState{}
	next := word(ir.Control{Write: ir.NoCounter, Read: ir.NoCounter})
	w.count[5], w.count[1] = 1, 1
	w.hold = ir.Hold{Set: true, Counter: 5, Most: 1, Others: 1 << 1}
	if got := c.blocks(w, next); got != counted {
		t.Errorf("another counter is up: %v, want %v", got, counted)
	}
	w.count[5] = 3
	for _, x := range []struct {
		counter uint8
		want    delay
	}{{1, counted}, {5, counted}, {5, noDelay}} {
		w.dropped(x.counter)
		if got := c.blocks(w, next); got != x.want {
			t.Errorf("counters %v: %v, want %v", w.count, got, x.want)
		}
	}
	if w.dropped(ir.NoCounter); w.count[5] != 1 || w.count[1] != 0 {
		t.Errorf("an instruction without a counter lowers one: %v", w.count)
	}
	w.hold.Most = 0
	if got := c.blocks(w, next); got != counted {
		t.Errorf("a counter of one above the most: %v, want %v", got, counted)
	}
}

// Counters 1 and 4 are up. An instruction at 10 raises 1 again. The issue stage sees this at 12.
func TestACounterIsSeenToRiseInTheStageAfterIssue(t *testing.T) {
	c, w := &controls{clock: 10}, &controlState{}
	in := word(ir.Control{Stall: 1, Write: 1, Read: ir.NoCounter})
	waits := func(counter int) bool {
		return c.waits(w, word(ir.Control{Wait: 1 << counter, Write: ir.NoCounter, Read: ir.NoCounter})) != 0
	}
	w.count[4] = 2
	c.raise(0, w, in, true, true)
	for _, x := range []struct {
		clock uint64
		one   bool
	}{{10, false}, {11, false}, {12, true}} {
		if c.clock = x.clock; waits(1) != x.one || !waits(4) || waits(0) {
			t.Errorf("at %d: waits for counter 1 %t, 4 %t, 0 %t; want %t, true, false", x.clock, waits(1), waits(4),
				waits(0), x.one)
		}
	}
}
