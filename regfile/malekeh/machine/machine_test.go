package machine_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

func run(t testing.TB, name, gpu string, set ...string) []result.Kernel {
	t.Helper()
	return machinetest.Run(t, config.Request{GPU: gpu, Set: set}, gpus.Options{}, name)
}

// balanced compares counts independent of the units' behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	stats := result.Sum(list).Stats
	n := func(name string) uint64 { return stats["regfile."+name] }
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = looked up + captured":     {n("collector.operands"), n("malekeh.reads") + n("bypass.captures")},
		"looked up = found + read from banks": {n("malekeh.reads"), n("malekeh.read_hits") + n("bank.reads.operand")},
		"results written to banks":            {n("writeback.writes"), n("bank.writes.result")},
		"results that pass":                   {n("writeback.writes"), n("malekeh.results")},
	})
	if n("malekeh.reads") == 0 || n("malekeh.read_hits") == 0 || n("malekeh.taken") == 0 {
		t.Error("nothing was read, nothing found, or no unit taken")
	}
	if n("malekeh.kept") > n("malekeh.results") || n("malekeh.forced") > n("malekeh.taken") {
		t.Error("more of a part than of the whole")
	}
}

// settings are the main variants.
var settings = [][]string{
	{"regfile.malekeh.units=2"},
	{"regfile.malekeh.hints=bit", "regfile.malekeh.near=12", "regfile.malekeh.writes=near"},
	{"regfile.malekeh.wait=8", "regfile.malekeh.prefer=false"},
	{"regfile.malekeh.units=1", "regfile.malekeh.entries=1"},
	{"regfile.malekeh.units=8", "regfile.conventional.sub_cores=1"},
	{"sched.policy=two-level", "sched.active=8"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	machinetest.Applications(t, settings, func(t *testing.T, name, gpu string, set []string) {
		balanced(t, run(t, name, gpu, append([]string{"regfile.kind=malekeh"}, set...)...))
	})
}

// With a unit and entries for all warps and registers nothing gives way.
func TestUnitsForAllWarpsFindMoreThanFewUnits(t *testing.T) {
	few := run(t, "hotspot", "gtx980", "regfile.kind=malekeh")
	all := run(t, "hotspot", "gtx980", "regfile.kind=malekeh", "regfile.malekeh.units=64",
		"regfile.malekeh.entries=256")
	balanced(t, few)
	balanced(t, all)
	hits := func(list []result.Kernel) uint64 { return result.Sum(list).Stats["regfile.malekeh.read_hits"] }
	if hits(all) <= hits(few) {
		t.Errorf("%d hits in units for all, %d in few", hits(all), hits(few))
	}
	if n := result.Sum(all).Stats["regfile.malekeh.held"]; n != 0 {
		t.Errorf("%d waits for a unit although every warp has one", n)
	}
}
