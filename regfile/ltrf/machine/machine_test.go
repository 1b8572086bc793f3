package machine_test

import (
	"fmt"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

func run(t testing.TB, name, design string, opt gpus.Options, set ...string) []result.Kernel {
	t.Helper()
	return machinetest.Run(t, config.Request{GPU: "maxwell", Design: design, Set: set}, opt, name)
}

// settings returns the machines for the test of every application.
func settings() (out [][]string) {
	for _, design := range []string{"ltrf", "ltrf-plus", "ltrf-strand"} {
		for _, limit := range []int{8, 16, 32} {
			for _, active := range []int{4, 8} {
				out = append(out, []string{design, fmt.Sprintf("regfile.ltrf.interval=%d", limit),
					fmt.Sprintf("regfile.ltrf.banks=%d", limit), fmt.Sprintf("sched.active=%d", active)})
			}
		}
	}
	for _, more := range [][]string{
		{"regfile.ltrf.interval_write_back=dirty"}, {"regfile.ltrf.keep=false"}, {"regfile.ltrf.pending=wait"},
		{"regfile.ltrf.encoding=instruction"},
		{"regfile.ltrf.liveness=vector", "regfile.ltrf.interval_write_back=live"},
		{"regfile.conventional.sub_cores=4", "regfile.conventional.collectors=6"},
		{"regfile.conventional.bypass=false", "regfile.conventional.forward=2"},
		{"regfile.conventional.read_latency=8", "regfile.conventional.write_latency=8",
			"regfile.conventional.bank_blocking=true", "regfile.conventional.bank_ports=1rw"},
	} {
		out = append(out, append([]string{"ltrf"}, more...))
	}
	return out
}

// balanced compares counts independent of the cache's behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	sum := result.Sum(list)
	n := func(name string) uint64 { return sum.Stats["regfile."+name] }
	l := func(name string) uint64 { return n("ltrf." + name) }
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = captured + looked up": {n("collector.operands"),
			n("bypass.captures") + l("lookups")},
		"looked up = read from the cache":     {l("lookups"), l("cache.reads.operand")},
		"no operand comes from the main file": {n("bank.reads.operand"), 0},
		"results = to the cache + past it": {n("writeback.writes"),
			l("results_cached") + l("results_past")},
		"results to the cache are written there":       {l("results_cached"), l("cache.writes.result")},
		"results past it are written to the main file": {l("results_past"), n("bank.writes.result")},
		"fetched for prefetches":                       {l("prefetched"), n("bank.reads.prefetch")},
		"fetched for activations":                      {l("refetched"), n("bank.reads.flush")},
		"fetched = asked for":                          {l("prefetched") + l("refetched"), l("fill_grants")},
		"fetched = written to the cache": {l("prefetched") + l("refetched"), l("cache.writes.prefetch") +
			l("cache.writes.flush")},
		"written back at intervals":   {l("written_back_interval"), n("bank.writes.eviction")},
		"written back at suspensions": {l("written_back_suspended"), n("bank.writes.flush")},
		"what enters leaves": {l("granted"), l("written_back_interval") + l("written_back_suspended") + l("left_dead") +
			l("left_clean") + l("left_pending") + l("left_ended")},
		"operations in the stream": {l("prefetches"), sum.Stats["sm.inserted_instructions"]},
	})
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	machinetest.Applications(t, settings(), func(t *testing.T, name, _ string, set []string) {
		balanced(t, run(t, name, set[0], gpus.Options{}, set[1:]...))
	})
}

// walked counts, by a walk over the streams of a run, the intervals entered by warps and the registers of their
// sets outside the previous set.
type walked struct {
	limit            int
	entered, fetched uint64
	warps            uint64
	t                *testing.T
}

func (w *walked) record(_ *ir.Kernel, _, _ [3]int, _ int, src stream.OpenSource) (stream.OpenSource, error) {
	return &walking{w, src}, nil
}

type walking struct {
	w   *walked
	src stream.OpenSource
}

func (x *walking) Close()     { x.src.Close() }
func (x *walking) Err() error { return x.src.Err() }

func (x *walking) Next() *stream.CTA {
	cta := x.src.Next()
	if cta == nil {
		return nil
	}
	r, err := tables.New(cta.Kernel).Intervals(x.w.limit)
	if err != nil {
		x.w.t.Error(err)
		return cta
	}
	for i := range cta.Warps {
		var cur stream.Cursor
		var d stream.Dyn
		last := int32(regfile.NoGroup)
		x.w.warps++
		for cur.Start(cta.Kernel, &cta.Warps[i]); cur.Next(&d); last = r.ByPC[d.PC] {
			at := r.ByPC[d.PC]
			if at == last {
				continue
			}
			x.w.entered++
			set := r.Sets[at]
			if last >= 0 {
				set = set.Without(r.Sets[last])
			}
			x.w.fetched += uint64(set.Len())
		}
	}
	return cta
}

// If no warp is suspended, the fetched registers agree with a walk over the streams: the sets of the entered
// intervals, without registers that stay. Results awaited in all lanes need no read.
func TestWithoutSuspensionsTheSetsOfTheStreamsAreFetched(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for _, name := range []string{"sgemm", "bfs", "hotspot", "lud", "kmeans"} {
		for _, limit := range []int{12, 16} {
			w := &walked{limit: limit, t: t}
			sum := result.Sum(run(t, name, "ltrf", gpus.Options{Record: w.record}, "sched.active=64",
				fmt.Sprintf("regfile.ltrf.interval=%d", limit), fmt.Sprintf("regfile.ltrf.banks=%d", limit)))
			l := func(name string) uint64 { return sum.Stats["regfile.ltrf."+name] }
			if w.entered == 0 || l("suspensions") != 0 {
				t.Fatalf("%s: %d intervals entered, %d suspensions", name, w.entered, l("suspensions"))
			}
			if got := l("prefetched") + l("space_pending"); l("prefetches") != w.entered || got != w.fetched ||
				l("refetched") != 0 {
				t.Errorf("%s, %d registers: %d prefetches of %d registers, want %d of %d; %d refetched", name, limit,
					l("prefetches"), got, w.entered, w.fetched, l("refetched"))
			}
		}
	}
}

// With space for every register of every warp and intervals as long as the program, a warp prefetches once. With
// liveness everything is dead at the start, so the main file is never accessed, and its latency does not matter.
func TestWithRoomForEverythingTheMainFileIsNeverAccessed(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for _, name := range []string{"vecadd", "sgemm", "hotspot", "transpose", "lud"} {
		w := &walked{limit: 64, t: t}
		room := []string{"sched.active=64", "regfile.ltrf.interval=64", "regfile.ltrf.banks=64"}
		list := run(t, name, "ltrf-plus", gpus.Options{Record: w.record}, room...)
		sum := result.Sum(list)
		if n := sum.Stats["regfile.ltrf.prefetches"]; n != w.warps || w.warps == 0 {
			t.Errorf("%s: %d prefetches of %d warps", name, n, w.warps)
		}
		for _, what := range []string{"reads.prefetch", "reads.flush", "reads.operand", "writes.result",
			"writes.eviction", "writes.flush"} {
			if n := sum.Stats["regfile.bank."+what]; n != 0 {
				t.Errorf("%s: %d %s of the main file", name, n, what)
			}
		}
		slow := run(t, name, "ltrf-plus", gpus.Options{},
			append(room, "regfile.conventional.read_latency=40", "regfile.conventional.write_latency=40",
				"regfile.conventional.bank_blocking=true")...)
		for i := range list {
			if list[i].Cycles != slow[i].Cycles {
				t.Errorf("%s: launch %d takes %d cycles, %d with a slow main file", name, i, list[i].Cycles,
					slow[i].Cycles)
			}
		}
	}
}

// LTRF, ASPLOS 2018, table 3 (16 KB, 16 banks) and section 4.2: 64 x (256 x 5 + 3 + 256 + 256).
func TestTheMachineOfThePaperHasItsStorage(t *testing.T) {
	for _, design := range []string{"ltrf", "ltrf-plus", "ltrf-strand"} {
		s := machinetest.New(t, config.Request{GPU: "maxwell", Design: design}, gpus.Options{}).Storage()
		if c := s[1]; c.Block != "Cache" || c.Count != 16 || c.Bits != 131072 || c.Ports != "1r1w" {
			t.Errorf("%s: cache %+v", design, c)
		}
		if w := s[2]; w.Block != "WCB" || w.Count != 64 || w.Bits != 114880 {
			t.Errorf("%s: control blocks %+v", design, w)
		}
		counted := 0
		for _, row := range s {
			if !row.Apart {
				counted += row.Bits
			}
		}
		if want := 256<<13 + 131072 + 114880; counted != want {
			t.Errorf("%s: %d bits of main file, cache and control blocks are not apart, want %d", design, counted, want)
		}
	}
}

// compared are the presets of the paper's comparison.
var compared = []string{"ltrf", "ltrf-plus", "ltrf-strand", "ltrf-bl", "shrf", "rfc-ltrf", "rfc-ltrf-shared"}

// The main file's timing and network can be set under every preset, as needed for the paper's technologies:
// blocking banks, and 128 of them behind a flattened butterfly.
func TestEveryPresetRunsWithASlowMainFileOf128Banks(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for _, design := range compared {
		for _, more := range []string{"regfile.conventional.network=crossbar",
			"regfile.conventional.network=butterfly"} {
			list := run(t, "vecadd", design, gpus.Options{}, more, "regfile.conventional.banks=128",
				"regfile.conventional.read_latency=20",
				"regfile.conventional.write_latency=20", "regfile.conventional.bank_blocking=true",
				"regfile.conventional.bank_ports=1r1w")
			if len(list) == 0 || list[0].Cycles == 0 {
				t.Errorf("%s, %s: %+v", design, more, list)
			}
		}
	}
}

// The longest possible latency of a bank is more than 6.3 times the shortest. The paper's slowest technology takes
// 6.3 times from collector to unit (table 2).
func TestTheLongestLatencyIsMoreThanTheSlowestTechnologys(t *testing.T) {
	latency := func(set ...string) float64 {
		sum := result.Sum(run(t, "sgemm", "ltrf-bl", gpus.Options{},
			append(set, "regfile.conventional.bank_blocking=true", "regfile.conventional.bank_ports=1r1w")...))
		return float64(sum.Stats["regfile.collector.operand_latency"]) /
			float64(sum.Stats["regfile.collector.operations"])
	}
	fast, slow := latency(), latency("regfile.conventional.read_latency=64", "regfile.conventional.write_latency=64")
	if slow < 6.3*fast {
		t.Errorf("%.1f cycles with the longest latency, %.1f with the shortest: %.1f times", slow, fast, slow/fast)
	}
}
