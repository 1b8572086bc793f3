package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// full are the reasons of slots lost with a ready warp to a full queue.
var full = []string{"regfile_full", "unit_full", "lsu_full", "shared_full", "cache_full", "memory_full"}

// With one scheduler of width 1 a cycle is a slot. A stall cycle is a slot lost to a full queue or a gate
// of the register file. An idle cycle is a slot lost to anything else.
func TestIdleAndStallCyclesOfOneSchedulerAreItsLostSlots(t *testing.T) {
	for _, name := range []string{"sgemm", "bfs", "hotspot"} {
		for _, set := range [][]string{{"sched.policy=gto"}, {"sched.policy=two-level"},
			{"regfile.kind=planed", "regfile.planed.class=load", "regfile.planed.cycles=9"}} {
			k := result.Sum(machinetest.OneSM(t, "fermi", name, gpus.Options{}, set...))
			stall := k.IssueSlots["fill"] + k.IssueSlots["turn"]
			for _, reason := range full {
				stall += k.IssueSlots[reason]
			}
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
