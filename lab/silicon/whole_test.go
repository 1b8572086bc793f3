package main

import (
	"bytes"
	"math"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// cycles returns the cycles of the launches of a launch file together, as Nsight Compute counts them: with cold caches.
func cycles(t *testing.T, module, file, gpu string, set ...string) (sum float64) {
	t.Helper()
	p := program(t, module, file, bytes.Clone)
	cfg, err := config.Load(config.Request{GPU: gpu, Set: append(set, "cache.flush_between_launches=true")})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: machine.Memory(), Runner: machine}); err != nil {
		t.Fatal(err)
	}
	for _, k := range machine.Results() {
		sum += float64(k.Cycles)
	}
	return sum
}

// The launch cycles are those of lab/docs/silicon.md. The errors are the documented ones, and move with the machine.
func TestKernelsMeasuredByOthersTakeTheDocumentedCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("ten million warp instructions")
	}
	const pcie = "gpu.launch_cycles=3761"
	for _, c := range []struct {
		module, file, gpu, launch string
		measured, off             float64
	}{
		{"polybench.ptx", "atax.toml", "h100-pcie", pcie, 101797, 0.062},
		{"ffma.ptx", "ffma.toml", "h100-pcie", pcie, 31478, -0.036},
		// Planting takes 7,450 of the simulated cycles, and two launches of the search are measured.
		{"search.ptx", "search.toml", "h200", "gpu.launch_cycles=2418", 7450 + 2*17025, -0.009},
	} {
		got := cycles(t, c.module, c.file, c.gpu, c.launch)/c.measured - 1
		t.Logf("%s: %+.1f %%", c.file, 100*got)
		if math.Abs(got-c.off) > 0.01 {
			t.Errorf("%s on %s: %+.1f %% off the measured cycles, documented is %+.1f %%", c.file, c.gpu, 100*got,
				100*c.off)
		}
	}
}
