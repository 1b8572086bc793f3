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

func TestTheLargeInputsOfSharingFillTheMachineTenTimes(t *testing.T) {
	size, least := benchmarks.Large.String(), 10.0
	for _, m := range mostShared {
		a := measured.Of(m.benchmark)
		if a == nil {
			t.Fatalf("%s has not been measured", m.benchmark)
		}
		run, ok := a.Sizes[size]
		if !ok {
			run = a.Sizes[benchmarks.Study.String()]
		}
		found := false
		for _, w := range run.Work {
			if w.Kernel != m.kernel {
				continue
			}
			found = true
			if waves := float64(w.CTAs) / float64(4*m.ctas); waves < least {
				t.Errorf("%s: %d CTAs fill four SMs of %d %.2f times", m.benchmark, w.CTAs, m.ctas, waves)
			}
		}
		if !found {
			t.Errorf("%s: no kernel %s has been measured", m.benchmark, m.kernel)
		}
	}
}
