package sampling_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/host"
)

// FineReg holds 8 CTAs of this program at first and 15 after 2,500, and then takes three quarters of the cycles for a
// CTA. Units in a tenth of the CTAs see the first of it alone.
func TestADesignThatSwitchesCTAsIsNotSampledByWaves(t *testing.T) {
	if testing.Short() {
		t.Skip("whole runs beside sampled ones")
	}
	simulate := func(s *sampling.Spec) *result.Kernel {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "finereg", Set: []string{"slice.sms=1"}})
		app, err := benchmarks.Open("synthetic:ctas=400,iters=1,div=1,mem=5,span=4194304,dep=16,block=256")
		if err != nil {
			t.Fatal(err)
		}
		p, err := app.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		m := machinetest.Of(t, c, gpus.Options{Sample: s})
		if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
			t.Fatal(err)
		}
		return &m.Results()[0]
	}
	whole, part := simulate(nil), simulate(&sampling.Spec{Seed: 1})
	if !strings.Contains(part.Whole, "regfile.residency = finereg") {
		t.Errorf("the launch says %q of why it was simulated whole", part.Whole)
	}
	part.Whole = ""
	if d := cmp.Diff(whole, part); d != "" {
		t.Errorf("launch (-whole +sampled):\n%s", d)
	}
}
