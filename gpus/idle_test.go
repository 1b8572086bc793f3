package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// With one scheduler of width 1 a cycle is a slot. A stall cycle is a slot lost to the register file, including its
// gates. An idle cycle is a slot lost to anything else.
func TestIdleAndStallCyclesOfOneSchedulerAreItsLostSlots(t *testing.T) {
	for _, name := range []string{"sgemm", "bfs", "hotspot"} {
		for _, set := range [][]string{{"sched.policy=gto"}, {"sched.policy=two-level"},
			{"regfile.kind=planed", "regfile.planed.class=load", "regfile.planed.cycles=9"}} {
			k := result.Sum(machinetest.OneSM(t, "fermi", name, gpus.Options{}, set...))
			stall := k.IssueSlots["regfile_full"] + k.IssueSlots["fill"] + k.IssueSlots["turn"]
			if got := k.Stats["sm.stall_cycles"]; got != stall || stall == 0 && len(set) > 1 {
				t.Errorf("%s, %v: %d stall cycles, want %d: %v", name, set, got, stall, k.IssueSlots)
			}
			if got, want := k.Stats["sm.idle_cycles"], k.Cycles-k.WarpInstructions-stall; got != want {
				t.Errorf("%s, %v: %d idle cycles, want %d", name, set, got, want)
			}
		}
	}
}

func TestIdleAndStallCyclesAreThoseWithoutAnIssue(t *testing.T) {
	for _, name := range []string{"sgemm", "bfs", "hotspot"} {
		for _, k := range machinetest.OneSM(t, "gtx980", name, gpus.Options{}) {
			lost := k.Stats["sm.stall_cycles"] + k.Stats["sm.idle_cycles"]
			// each of the other cycles issues one to four instructions
			if most := k.Cycles - k.WarpInstructions/4; lost > most || lost < k.Cycles-min(k.Cycles,
				k.WarpInstructions) {
				t.Errorf("%s, kernel %s: %d cycles without issue of %d, with %d instructions", name, k.Name, lost,
					k.Cycles, k.WarpInstructions)
			}
		}
	}
}
