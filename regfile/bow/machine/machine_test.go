package machine_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

func run(t testing.TB, name, gpu string, set ...string) []result.Kernel {
	t.Helper()
	return machinetest.Run(t, config.Request{GPU: gpu, Set: set}, gpus.Options{}, name)
}

// sum adds up a statistic of the register file.
func sum(list []result.Kernel, name string) uint64 { return result.Sum(list).Stats["regfile."+name] }

// balanced compares counts independent of the windows' behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	n := func(name string) uint64 { return sum(list, name) }
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = looked up":                {n("collector.operands"), n("bow.reads")},
		"looked up = found + read from banks": {n("bow.reads"), n("bow.read_hits") + n("bank.reads.operand")},
		"results = both + kept + past": {n("writeback.writes"),
			n("bow.both") + n("bow.kept") + n("bow.past")},
		"both + past = results written to banks": {n("bow.both") + n("bow.past"), n("bank.writes.result")},
		"write-backs written to banks": {n("bow.write_backs") + n("bow.partial_writebacks"),
			n("bank.writes.eviction")},
	})
	if n("bow.reads") == 0 || n("writeback.writes") == 0 {
		t.Error("nothing was read, or nothing written")
	}
}

// settings are the main variants.
var settings = [][]string{
	{"regfile.bow.writes=through"},
	{"regfile.bow.writes=back"},
	{"regfile.bow.writes=hints"},
	{"regfile.bow.writes=hints", "regfile.bow.entries=6"},
	{"regfile.bow.writes=back", "regfile.bow.entries=4", "regfile.bow.window=7"},
	{"regfile.bow.writes=hints", "sched.policy=two-level", "sched.active=8"},
	{"regfile.bow.writes=hints", "regfile.bow.window=1024", "regfile.bow.entries=256"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	machinetest.Applications(t, settings, func(t *testing.T, name, gpu string, set []string) {
		balanced(t, run(t, name, gpu, append([]string{"regfile.kind=bow"}, set...)...))
	})
}

// A window of one instruction costs only its place, a stage between collectors and banks.
func TestAWindowOfOneInstructionIsAStageToTheCycle(t *testing.T) {
	own := func(name string, _ uint64) bool { return strings.HasPrefix(name, "regfile.bow.") }
	for _, name := range []string{"hotspot", "vecadd", "pathfinder"} {
		want := run(t, name, "gtx980", "regfile.conventional.operand_stages=1")
		got := run(t, name, "gtx980", "regfile.kind=bow", "regfile.bow.window=1")
		balanced(t, got)
		if n := sum(got, "bow.read_hits"); n != 0 {
			t.Errorf("%s: %d operands from a window of one instruction", name, n)
		}
		for _, k := range got {
			maps.DeleteFunc(k.Stats, own)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-stage +window):\n%.2000s", name, d)
		}
	}
}

// A window without an end reads nothing twice and writes nothing: a value is read from the banks only if the window
// never had it, or had too few of its lanes.
func TestAWindowWithoutAnEndNeedsNoBanks(t *testing.T) {
	got := run(t, "vecadd", "gtx980", "regfile.kind=bow", "regfile.bow.writes=back", "regfile.bow.window=1024",
		"regfile.bow.entries=256")
	balanced(t, got)
	for name, want := range map[string]uint64{"bank.reads.operand": 0, "bank.writes.result": 0, "bow.write_backs": 0} {
		if n := sum(got, name); n != want {
			t.Errorf("%s: %d, want %d", name, n, want)
		}
	}
}

// With enough entries, a longer window holds everything held by a shorter one.
func TestALongerWindowFindsMore(t *testing.T) {
	last := uint64(0)
	for i, w := range []string{"1", "2", "3", "5", "9"} {
		got := run(t, "hotspot", "gtx980", "regfile.kind=bow", "regfile.bow.entries=64",
			"regfile.bow.window="+w)
		n := sum(got, "bow.read_hits")
		if i > 0 && n <= last {
			t.Errorf("window %s: %d operands found, and %d in the shorter one", w, n, last)
		}
		last = n
	}
}
