package sched

import "testing"

// Two schedulers, in both orders of report: 0 issues at 1 and 2 and sleeps with
// nothing ready; 1 issues at 2, has a warp ready from 2 to 5 and none from 6 on.
func TestCyclesWithoutIssueAreStallsWhileAnySchedulerHasAWarpReady(t *testing.T) {
	type report struct {
		now           uint64
		sched         int
		issued, ready bool
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		c := NewIdle("C", nil)
		c.Begin(0)
		for _, cycle := range [][2]report{
			{{1, 0, true, true}, {1, 1, false, false}},
			{{2, 0, true, false}, {2, 1, true, true}},
			{{4, 0, false, false}, {4, 1, false, true}},
			{{6, 0, false, false}, {6, 1, false, false}},
		} {
			for _, i := range order {
				c.report(cycle[i].now, cycle[i].sched, cycle[i].issued, cycle[i].ready)
			}
		}
		c.Finish(10)
		// issues at 1 and 2; stall 3, 4, 5; idle 6 to 10
		if c.stall != 3 || c.idle != 5 {
			t.Errorf("order %v: %d stall and %d idle cycles, want 3 and 5", order, c.stall, c.idle)
		}
	}
}

func TestAnSMThatHasRunAheadGivesItsIdleCyclesBack(t *testing.T) {
	c := NewIdle("C", nil)
	c.Begin(0)
	c.report(1, 0, true, false)
	c.report(9, 0, false, false) // 2 to 8 are idle
	c.Finish(5)
	if c.idle != 4 {
		t.Errorf("%d idle cycles, want 4: 2 to 5", c.idle)
	}
	c.Begin(100)
	c.Finish(110)
	if c.idle != 14 {
		t.Errorf("%d idle cycles, want 10 more", c.idle)
	}
}
