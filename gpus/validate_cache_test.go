package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// local stores and loads an element of a per-thread array of 64 words: the same
// element in every lane, or each lane its own.
func local(index string) string {
	return machinetest.Text(".local .align 4 .b8 a[256];", "mov.u64 %rd5, a;\n mov.u32 %r4, 7;\n shl.b32 %r2, "+index+
		", 2;\n cvt.u64.u32 %rd6, %r2;\n add.s64 %rd5, %rd5, %rd6;\n"+
		"st.local.u32 [%rd5], %r1;\n ld.local.u32 %r3, [%rd5];\n mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, "+
		"%rd2;\n st.global.u32 [%rd3], %r3;\n")
}

func TestLocalMemoryIsInterleavedSoThatLanesAtOneIndexShareALine(t *testing.T) {
	for _, c := range []struct {
		name, index  string
		transactions uint64 // of the store and the load; the global store adds 1
		hits         uint64 // of the load
	}{{"one index", "%r4", 2, 1}, {"an index per lane", "%r1", 64, 0}} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "sm.count=1")
		launch(t, m, local(c.index), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 4096)
		s := m.Results()[0].Stats
		if got := s["mem.coalescer.transactions"]; got != c.transactions+1 {
			t.Errorf("%s: %d transactions, want %d", c.name, got, c.transactions+1)
		}
		// sectors stored completely hit; the rest of a partly stored sector is fetched
		if hits := s["mem.l1.hits.local_load"]; hits != c.hits {
			t.Errorf("%s: %d loads hit what was stored, want %d", c.name, hits, c.hits)
		}
	}
}

func TestAPerfectL1AnswersEverythingInItsLatency(t *testing.T) {
	mem := testConfig(t, "gtx980").Mem
	place := func(i int) uint64 { return uint64(i) * 4096 } // every step a line of its own
	got, _, long := stepLatency(t, "ld.global.u64", 20, 41, place, "gtx980", "mem.l1.perfect=true")
	if want := float64(pipeline + wide + mem.L1.Latency); got != want {
		t.Errorf("%v cycles per cold load, want %v", got, want)
	}
	for _, s := range []string{"mem.port.requests", "mem.dram.reads"} {
		if long[s] != 0 {
			t.Errorf("%s is %d, want 0", s, long[s])
		}
	}
	_, _, long = stepLatency(t, "ld.global.u64", 20, 41, place, "gtx980")
	if long["mem.dram.reads"] == 0 {
		t.Error("without the switch nothing is read from DRAM: the test shows nothing")
	}
}

// scattered is n rounds of 16 loads. Each lane accesses a line of its own, stride bytes from its neighbour's.
func scattered(n, stride int) string {
	return machinetest.Text("",
		fmt.Sprintf("mul.lo.u32 %%r2, %%r1, %d;\n cvt.u64.u32 %%rd4, %%r2;\n add.s64 %%rd4, %%rd1, "+
			"%%rd4;\n", stride)+
			loads(n, stride*256, 0, "ld.global.f32", "%rd4")+"st.global.f32 [%rd4], %f1;\n")
}

// Each case has the missing resource, and settings with which the same kernel runs without reservation failures.
func TestReservationFailuresNameTheResourceThatLacks(t *testing.T) {
	same := machinetest.Text("", machinetest.Lanes(128)+loads(1, 128, 0, "ld.global.f32",
		"%rd4")+"st.global.f32 [%rd4], %f1;\n")
	stores := machinetest.Text("", machinetest.Lanes(128)+strings.Repeat("st.global.u32 [%rd4], %r1;\n", 16))
	const l1, l2 = "mem.l1.reservation_failures.", "mem.l2.reservation_failures."
	for _, c := range []struct {
		name, text, stat string
		lack, enough     []string
	}{
		{"one register", scattered(1, 128), l1 + "no_mshr_entry", []string{"mem.l1.mshr.entries=1"},
			[]string{"mem.l1.mshr.entries=4096"}},
		{"one access per register", same, l1 + "no_mshr_merge", []string{"mem.l1.mshr.merges=1"}, nil},
		{"one line", scattered(1, 128), l1 + "no_line", []string{"mem.l1.allocate=on_miss", "mem.l1.tags.sets=1",
			"mem.l1.tags.ways=1"}, nil},
		{"a store of four flits", stores, l1 + "miss_queue", nil, []string{"mem.noc.flit_bytes=136",
			"mem.l2.port_bytes=128"}},
		{"one register in the L2", scattered(1, 128), l2 + "no_mshr_entry", []string{"mem.l2.mshr.entries=1"}, nil},
		{"one access per register in the L2", same, l2 + "no_mshr_merge",
			[]string{"mem.l2.mshr.merges=1", "mem.l1.cache_global=false"}, nil},
		{"one line in a slice", scattered(1, 128), l2 + "no_line", []string{"mem.l2.tags.sets=1", "mem.l2.tags.ways=1",
			"mem.l2.tags.index=linear"}, nil},
		{"one channel for all", scattered(1, oneSlice), l2 + "miss_queue",
			[]string{"mem.l1.mshr.entries=256", "mem.map.interleave=linear", "mem.dram.queue=2",
				"mem.dram.write_high=1", "mem.dram.write_low=0"}, nil},
		{"atomics on one word", machinetest.Text("", strings.Repeat("red.global.add.u32 [%rd1], %r1;\n", 16)),
			l2 + "atomic_unit", nil, []string{"mem.l2.atomic_queue=256"}},
	} {
		run := func(set []string) map[string]uint64 {
			m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, append([]string{"sm.count=1"}, set...)...)
			launch(t, m, c.text, [3]int{1, 1, 1}, [3]int{256, 1, 1}, 16<<20)
			return m.Results()[0].Stats
		}
		got := run(c.lack)
		if got[c.stat] == 0 {
			t.Errorf("%s: no %s", c.name, c.stat)
		}
		if cycles := got[strings.Replace(c.stat, "reservation_failures", "stall_cycles", 1)]; cycles < got[c.stat] {
			t.Errorf("%s: %d failures in %d cycles", c.name, got[c.stat], cycles)
		}
		if n := run(c.enough)[c.stat]; n != 0 {
			t.Errorf("%s: %s is %d where nothing lacks", c.name, c.stat, n)
		}
	}
}
