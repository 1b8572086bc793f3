package sched

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/sm/sched/policy"
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

// Nobody that is ready is passed over but by the greedy one, then the youngest goes first.
func TestGreedyThenYoungestTakesTheWarpThatStartedLast(t *testing.T) {
	p := policy.New("cggty")
	for slot := range 4 {
		p.Started(slot)
	}
	if got := p.Pick(0b0111); got != 2 {
		t.Errorf("warp %d, want the youngest of the ready, 2", got)
	}
	p.Issued(0)
	if got := p.Pick(0b1101); got != 0 {
		t.Errorf("warp %d, want the one that issued last, 0", got)
	}
	if got := p.Pick(0b1110); got != 3 {
		t.Errorf("warp %d, want the youngest, 3", got)
	}
	p.Finished(3)
	if got := p.Pick(0b0110); got != 2 {
		t.Errorf("warp %d, want 2", got)
	}
}
