package gpus

import (
	"io"
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus/config"
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
		case "sgemm", "bfs", "nw", "histogram", "kmeans.tex", "hotspot", "tpacf", "gaussian":
		default:
			continue
		}
		ran++
		m, err := New(cfg, Options{Check: true, Printf: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(m); err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		s := m.Stats()
		if s.Sum("sm.lost.counter") == 0 || s.Sum("sm.lost.stall") == 0 {
			t.Errorf("%s: nobody waits for a counter or a stall count", a.Name)
		}
	}
	if ran != 8 {
		t.Errorf("%d applications ran, want 8", ran)
	}
}

func TestAProgramWithoutControlWordsIsRefusedWithWhatHelps(t *testing.T) {
	_, err := runKernel(t, chain(3), "sched.dependences=control")
	if err == nil || !strings.Contains(err.Error(), "compiler.control_words = sm_52, sm_75 or sm_86") {
		t.Error(err)
	}
}
