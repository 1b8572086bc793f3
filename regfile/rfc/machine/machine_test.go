package machine_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

func run(t testing.TB, name, gpu string, set ...string) []result.Kernel {
	t.Helper()
	return machinetest.Run(t, config.Request{GPU: gpu, Set: set}, gpus.Options{}, name)
}

func sum(list []result.Kernel, name string) uint64 { return result.Sum(list).Stats[name] }

func each(t *testing.T, f func(t *testing.T, i int, name string)) {
	for i, a := range benchmarks.List() {
		t.Run(a.Name, func(t *testing.T) { f(t, i, a.Name) })
	}
}

// balanced compares counts independent of the cache's behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	n := func(name string) uint64 { return sum(list, "regfile."+name) }
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = captured + looked up":    {n("collector.operands"), n("bypass.captures") + n("rfc.reads")},
		"looked up = hits + read from banks": {n("rfc.reads"), n("rfc.read_hits") + n("bank.reads.operand")},
		"results = written to the cache + past it": {n("writeback.writes"), n("rfc.writes") + n("rfc.bypassed") +
			n("rfc.bypassed_far") + n("rfc.homeless")},
		"past the cache = results written to banks": {n("rfc.bypassed") + n("rfc.bypassed_far") + n("rfc.homeless"),
			n("bank.writes.result")},
		"evictions written to banks": {n("rfc.writebacks") + n("rfc.partial_writebacks"), n("bank.writes.eviction")},
		"flushes written to banks":   {n("rfc.flushed"), n("bank.writes.flush")},
	})
}

// TestACacheWithoutEntriesIsAStageToTheCycle: a cache of no entries costs only its place, a stage between
// collectors and banks.
func TestACacheWithoutEntriesIsAStageToTheCycle(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	own := func(name string, _ uint64) bool {
		return strings.HasPrefix(name, "regfile.rfc.") || strings.HasSuffix(name, "rfc_flush")
	}
	each(t, func(t *testing.T, i int, name string) {
		for _, gpu := range machinetest.Turns(i, []string{"fermi", "gtx980"}) {
			want := run(t, name, gpu, "regfile.kind=conventional", "regfile.conventional.operand_stages=1")
			got := run(t, name, gpu, "regfile.kind=rfc", "regfile.rfc.entries=0")
			balanced(t, got)
			for _, list := range [][]result.Kernel{want, got} {
				for _, k := range list {
					maps.DeleteFunc(k.Stats, own)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s (-stage +cache without entries):\n%.2000s", gpu, d)
			}
		}
	})
}

// designs are the main variants.
var designs = [][]string{
	{},
	{"sched.policy=two-level", "sched.active=8"},
	{"sched.policy=two-level", "sched.active=8", "regfile.rfc.liveness=true"},
	{"sched.policy=two-level", "sched.active=4", "regfile.rfc.liveness=true", "regfile.rfc.evict_dead=true",
		"regfile.rfc.evict_far=true", "regfile.rfc.bypass_far=true"},
	{"sched.policy=two-level", "sched.active=8", "regfile.rfc.organisation=shared"},
	{"sched.policy=two-level", "sched.active=8", "regfile.rfc.allocate_reads=true", "regfile.rfc.replacement=lru"},
	{"regfile.rfc.entries=1", "regfile.rfc.liveness=true", "regfile.rfc.evict_dead=true"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	each(t, func(t *testing.T, i int, name string) {
		for _, gpu := range machinetest.Turns(i/len(designs), []string{"fermi", "gtx980"}) {
			for _, set := range machinetest.Turns(i, designs) {
				balanced(t, run(t, name, gpu, append(set, "regfile.kind=rfc")...))
			}
		}
	})
}

// few are applications with shared memory and barriers, divergence, streaming,
// and many registers.
func few(t *testing.T, f func(t *testing.T, name string)) {
	for _, name := range []string{"sgemm", "bfs", "hotspot", "transpose", "fmaheavy", "lud"} {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

// odd counts reads of values with only some lanes in the cache, and reads by no lane.
func odd(list []result.Kernel) uint64 {
	return sum(list, "regfile.rfc.partial") + sum(list, "regfile.rfc.idle_misses")
}

// TestWithRoomForEveryRegisterNothingIsReadTwice: without evictions and flushes, the main file is read at most once
// for each value written past the cache, and for each part of a value made by diverged lanes.
func TestWithRoomForEveryRegisterNothingIsReadTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	few(t, func(t *testing.T, name string) {
		got := run(t, name, "fermi", "regfile.kind=rfc", "regfile.rfc.entries=64", "regfile.rfc.allocate_reads=true",
			"regfile.conventional.bypass=false", "regfile.conventional.forward=2")
		balanced(t, got)
		if r, v := sum(got, "regfile.bank.reads.operand"), sum(got, "regfile.rfc.bypassed")+odd(got); r > v {
			t.Errorf("%d reads of the main file, %d values there or in parts", r, v)
		}
		got = run(t, name, "fermi", "regfile.kind=rfc", "regfile.rfc.entries=64", "regfile.rfc.bypass_long=false",
			"regfile.conventional.bypass=false", "regfile.conventional.forward=2")
		balanced(t, got)
		if r, v := sum(got, "regfile.bank.reads.operand"), odd(got); r != v {
			t.Errorf("nothing bypassed: %d reads of the main file, %d in parts", r, v)
		}
		if e := sum(got, "regfile.rfc.evictions") + sum(got, "regfile.rfc.flushes"); e != 0 {
			t.Errorf("%d evictions and flushes", e)
		}
	})
}

// TestLivenessSavesWritesAndChangesNoOperand: the operands and results are the program's, with and without
// liveness. Hits may differ, because warps are suspended at other times; they are compared in the tests of the
// cache alone.
func TestLivenessSavesWritesAndChangesNoOperand(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	few(t, func(t *testing.T, name string) {
		set := []string{"regfile.kind=rfc", "sched.policy=two-level", "sched.active=8"}
		off := run(t, name, "fermi", set...)
		on := run(t, name, "fermi", append(set, "regfile.rfc.liveness=true")...)
		for _, name := range []string{"regfile.collector.operands", "regfile.rfc.bypassed",
			"regfile.writeback.writes"} {
			if x, y := sum(off, name), sum(on, name); x != y {
				t.Errorf("%s: %d without liveness, %d with it", name, x, y)
			}
		}
		saved := sum(off, "regfile.bank.writes.eviction") + sum(off, "regfile.bank.writes.flush") - sum(on,
			"regfile.bank.writes.eviction") - sum(on, "regfile.bank.writes.flush")
		if sum(on, "regfile.rfc.dead_elided") == 0 || int64(saved) <= 0 {
			t.Errorf("%d registers not written back, %d writes saved", sum(on, "regfile.rfc.dead_elided"), int64(saved))
		}
	})
}

// TestTheMachineOfThePaperHasItsStorage: Gebhart et al., ISCA 2011: 32 banks of 256
// entries of 128 bits (section 2.1), a cache of 6144 bytes with 8 active warps
// (section 5.4) and of 24 KB with all 32 (section 3.1).
func TestTheMachineOfThePaperHasItsStorage(t *testing.T) {
	for design, bytes := range map[string]int{"rfc-two-level": 6144, "rfc": 24 << 10} {
		s := machinetest.New(t, config.Request{GPU: "fermi", Design: design}, gpus.Options{}).Storage()
		if main := s[0]; main.Block != "Bank" || main.Count != 32 || main.Bits != 32*256*128 || main.Ports != "1r1w" {
			t.Errorf("%s: main file %+v", design, main)
		}
		if c := s[1]; c.Block != "Cache" || c.What != "registers" || c.Bits != 8*bytes || c.Ports != "3r1w" {
			t.Errorf("%s: cache %+v", design, c)
		}
	}
}
