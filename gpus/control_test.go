package gpus_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/kernel/sass"
)

// byControl makes the measured Maxwell issue by the compiler's control words.
var byControl = []string{"sched.dependences=control", "compiler.control_words=sm_52"}

// Every operand is checked, and the applications check their results. They include divergence, barriers, atomics,
// textures, double precision and calls.
func TestApplicationsAreRightByTheCompilersControlWords(t *testing.T) {
	for _, name := range []string{"sgemm", "bfs", "nw", "srad", "kmeans.tex", "hotspot", "tpacf", "gaussian"} {
		m := machinetest.GPU(t, "gtx980-sm52", gpus.Options{Check: true, Printf: io.Discard},
			append([]string{"sm.count=2"}, byControl...)...)
		benchtest.On(t, m, name)
		counter, stall := uint64(0), uint64(0)
		for _, k := range m.Results() {
			counter += k.IssueSlots["counter"]
			stall += k.IssueSlots["stall"]
		}
		if counter == 0 || stall == 0 {
			t.Errorf("%s: %d slots lost to counters and %d to stall counts, want some", name, counter, stall)
		}
	}
}

func TestAProgramWithoutControlWordsIsRefusedWithWhatHelps(t *testing.T) {
	m := machinetest.GPU(t, "gtx980-sm52", gpus.Options{}, byControl[0])
	p, err := benchmarks.Find("vecadd").New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	if err == nil || !strings.Contains(err.Error(), "compiler.control_words = sm_52, sm_75, sm_86 or sm_90") {
		t.Errorf("%v, want the remedy", err)
	}
}

func TestARunByControlWordsTakesTheSameCyclesWhenItIsReadBack(t *testing.T) {
	for i, name := range []string{"sgemm", "bfs"} {
		want, dir := record(t, "gtx980-sm52", name, i == 1, byControl...)
		got := replay(t, machinetest.GPU(t, "gtx980-sm52", gpus.Options{Check: true}, byControl...), dir)
		if len(got) == 0 || !cmp.Equal(want, got) {
			t.Errorf("%s (-executed +read back):\n%s", name, cmp.Diff(want, got))
		}
	}
}

// The listing beside the trace makes each instruction wait for all earlier ones.
func TestARealTraceRunsByTheControlWordsOfAListing(t *testing.T) {
	from := filepath.Join("..", "..", "shared", "data", "traces", "vectoradd")
	if _, err := os.Stat(from); err != nil {
		t.Skip("the traces are not part of the project: ", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	plain, err := sass.Load(filepath.Join(dir, "kernel-1.traceg"), sass.Options{})
	if err != nil {
		t.Fatal(err)
	}
	places := plain.Kernel.Places
	opcodes := make([]string, places[len(places)-1]+1)
	for i, p := range places {
		opcodes[p] = plain.Kernel.Insts[i].Sym
	}
	listing := ".section .text." + plain.Name + "\n"
	for i := range opcodes {
		if opcodes[i] == "" {
			opcodes[i] = "NOP"
		}
		listing += "[B012345:R0:W1:Y:S15] " + opcodes[i] + ";\n"
	}
	if err := os.WriteFile(filepath.Join(dir, sass.ListingName), []byte(listing), 0o644); err != nil {
		t.Fatal(err)
	}
	got := replay(t, machinetest.GPU(t, "gtx980-sm52", gpus.Options{Check: true}, byControl[0]), dir)
	if len(got) != 1 || got[0].IssueSlots["stall"] == 0 || got[0].IssueSlots["counter"] == 0 {
		t.Errorf("%d results, want one with slots lost to stall counts and counters: %v", len(got), got)
	}
}

// Control words are made from the machine's latencies. Other latencies give other words.
func TestOperandsAreThereByControlWordsOfAnyLatency(t *testing.T) {
	for _, set := range [][]string{
		{"sm.units.alu.latency=60"}, {"sm.units.alu.shared=true"}, {"sm.units.half.latency=40"},
		{"sm.units.fma.latency=7", "sm.units.fma.initiation=5"},
		{"sm.units.fma.latency=23", "sm.units.alu.latency=5"},
	} {
		for _, name := range []string{"hotspot", "sgemm", "tpacf"} {
			m := machinetest.GPU(t, "rtx-a6000", gpus.Options{Check: true, Printf: io.Discard},
				append([]string{"slice.sms=1"},
					set...)...)
			benchtest.On(t, m, name)
		}
	}
}
