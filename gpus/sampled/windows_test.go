package sampled_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/gpus/sample"
)

// sgemm has several waves of CTAs with barriers on one SM. What moving warps ahead changes beside the interval is some
// percent (docs/sampling.md). With wide loads the launch is half as long at this size and has 17 windows, too few to
// compare.
func TestWindowsCountEveryInstructionAndComeNearTheCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	req := config.Request{GPU: "gtx980", Set: []string{`compiler.off=["merge"]`}}
	whole := run(t, "sgemm", benchmarks.Study, req, nil, 2)
	part := run(t, "sgemm", benchmarks.Study, req, &sample.Spec{Seed: 1, Windows: true}, 2)
	s := part.Sampling()
	if s == nil {
		t.Fatal("the launch is simulated whole")
	}
	if a, b := whole.Total.WarpInstructions, part.Total.WarpInstructions; a != b {
		t.Errorf("%d warp instructions, want %d", b, a)
	}
	if a, b := whole.Total.ThreadInstructions, part.Total.ThreadInstructions; a != b {
		t.Errorf("%d thread instructions, want %d", b, a)
	}
	if share := float64(s.WarpInstructions) / float64(whole.Total.WarpInstructions); share > 0.6 {
		t.Errorf("%.0f %% of the instructions are simulated, want less than 60", 100*share)
	}
	a, b := float64(whole.Total.Cycles), float64(part.Total.Cycles)
	if math.Abs(a-b) > 0.1*a {
		t.Errorf("%v cycles, want %v give or take ten percent", b, a)
	}
}

func TestWindowsDoNotDependOnTheWorkers(t *testing.T) {
	one := run(t, "gemm", benchmarks.Study, gtx980, &sample.Spec{Seed: 1, Windows: true}, 1)
	two := run(t, "gemm", benchmarks.Study, gtx980, &sample.Spec{Seed: 1, Windows: true}, 2)
	if one.Sampling() == nil {
		t.Fatal("the launch is simulated whole")
	}
	if d := cmp.Diff(one.Kernels, two.Kernels); d != "" {
		t.Errorf("with one worker and two (-one +two):\n%s", d)
	}
}

// Designs keep more of a warp than its place in the stream: operands in caches, registers elsewhere, CTAs aside.
func TestWindowsLeaveEveryDesignItsOperands(t *testing.T) {
	requests := []config.Request{{GPU: "gtx980", Design: "finereg"}, {GPU: "gtx980", Design: "virtual-thread"},
		{GPU: "maxwell", Design: "ltrf"}, {GPU: "fermi-gto", Design: "cerf-fair"}, {GPU: "fermi", Design: "rfc"}}
	if testing.Short() {
		requests = requests[:1]
	}
	for _, req := range requests {
		t.Run(req.Design, func(t *testing.T) {
			if run(t, "gemm", benchmarks.Study, req, &sample.Spec{Seed: 2, Windows: true}, 2).Sampling() == nil {
				t.Error("the launch is simulated whole")
			}
		})
	}
}
