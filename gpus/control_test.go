package gpus_test

import (
	"io"
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// byControl lets the measured Maxwell issue by control words of the compiler.
var byControl = []string{"sched.dependences=control", "compiler.control_words=sm_52"}

// Every operand is checked, and the applications compare what they leave in memory with results of
// their own: divergence, barriers, atomics, textures, double precision and calls are among them.
func TestApplicationsAreRightByTheCompilersControlWords(t *testing.T) {
	cfg, err := config.Load(config.Request{GPU: "gtx980-sm52", Set: append([]string{"sm.count=2"}, byControl...)})
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, a := range benchmarks.List() {
		switch a.Name {
		case "sgemm", "bfs", "nw", "srad", "kmeans.tex", "hotspot", "tpacf", "gaussian":
		default:
			continue
		}
		ran++
		m, err := gpus.New(cfg, gpus.Options{Check: true, Printf: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		counter, stall := uint64(0), uint64(0)
		for _, k := range m.Results() {
			counter += k.IssueSlots["counter"]
			stall += k.IssueSlots["stall"]
		}
		if counter == 0 || stall == 0 {
			t.Errorf("%s: %d slots lost to counters and %d to stall counts, want some", a.Name, counter, stall)
		}
	}
	if ran != 8 {
		t.Errorf("%d applications ran, want 8", ran)
	}
}

func TestAProgramWithoutControlWordsIsRefusedWithWhatHelps(t *testing.T) {
	cfg, err := config.Load(config.Request{GPU: "gtx980-sm52", Set: byControl[:1]})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(cfg, gpus.Options{Printf: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range benchmarks.List() {
		if a.Name != "vecadd" {
			continue
		}
		p, err := a.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
		if err == nil || !strings.Contains(err.Error(), "compiler.control_words = sm_52, sm_75 or sm_86") {
			t.Errorf("%v, want the remedy", err)
		}
		return
	}
	t.Error("there is no vecadd")
}
