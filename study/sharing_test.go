package study

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
)

// CTAs of an SM at 90 % sharing: Jatala et al., table 5.
var mostShared = []struct {
	benchmark, kernel string
	ctas              int
}{
	{"backprop", "adjust_weights", 6}, {"b+tree", "findRangeK", 3}, {"hotspot", "hotspot", 6},
	{"libor", "Pathcalc_Portfolio_KernelGPU", 8}, {"mum", "mummergpuKernel", 6}, {"mri-q", "ComputeQ", 6},
	{"sgemm", "sgemm", 8}, {"stencil", "block2D_hybrid_coarsen_x", 3},
}

func TestTheInputsOfSharingFillTheMachineAsOftenAsTheStudyAsks(t *testing.T) {
	s, err := Load("sharing")
	if err != nil {
		t.Fatal(err)
	}
	if s.Size != benchmarks.Large.String() || s.Waves < 10 {
		t.Fatalf("size %s, %v waves", s.Size, s.Waves)
	}
	for _, m := range mostShared {
		a := measured.Of(m.benchmark)
		if a == nil {
			t.Fatalf("%s has not been measured", m.benchmark)
		}
		run, ok := a.Sizes[s.Size]
		if !ok {
			run = a.Sizes[benchmarks.Study.String()]
		}
		found := false
		for _, w := range run.Work {
			if w.Kernel != m.kernel {
				continue
			}
			found = true
			if waves := float64(w.CTAs) / float64(4*m.ctas); waves < s.Waves {
				t.Errorf("%s: %d CTAs fill four SMs of %d %.2f times", m.benchmark, w.CTAs, m.ctas, waves)
			}
		}
		if !found {
			t.Errorf("%s: no kernel %s has been measured", m.benchmark, m.kernel)
		}
	}
}

func TestTheBudgetOfALargePointIsThatOfStudiesWhereTheSizesAreOne(t *testing.T) {
	for _, b := range []string{"backprop", "hotspot"} {
		large, study := Point{Benchmark: b, Size: "large"}, Point{Benchmark: b, Size: "study"}
		if same := large.Budget() == study.Budget(); same != (b == "backprop") {
			t.Errorf("%s: %d warp instructions, %d at size study", b, large.Budget(), study.Budget())
		}
	}
}
