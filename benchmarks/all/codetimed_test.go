package all_test

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// Machine code of ptxas runs on timed GPUs with every operand checked, and each program's own check passes. On the
// first two GPUs scoreboards hold instructions back. On the others the code's own control words do: an operand is read
// too early if a latency of the model is longer than they allow, and so is wrong. With -short one program runs on each
// GPU.
func TestMachineCodeRunsOnTimedGPUsAndReadsNoOperandEarly(t *testing.T) {
	for g, on := range []struct{ gpu, code, design string }{{"gtx980", "sm_52", "rfc"},
		{"gtx980-sm52", "sm_52", ""}, {"titan-v", "sm_70", ""}, {"rtx-2070s", "sm_75", ""},
		{"rtx-a6000", "sm_86", ""}, {"h100", "sm_90", ""}} {
		cfg := machinetest.Config(t, config.Request{GPU: on.gpu, Design: on.design,
			Set: []string{"compiler.code=" + on.code}})
		for _, a := range benchmarks.List() {
			if testing.Short() && a.Name != []string{"bfs", "hotspot", "kmeans.tex"}[g%3] {
				continue
			}
			t.Run(on.gpu+"/"+a.Name, func(t *testing.T) {
				m := machinetest.Of(t, cfg, gpus.Options{Check: true})
				execute(t, a, m.Memory(), m)
				if len(m.Codes()) == 0 || m.Codes()[0].Code != on.code {
					t.Errorf("codes %+v, want kernels for %s", m.Codes(), on.code)
				}
			})
		}
	}
}
