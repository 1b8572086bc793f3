package gpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// designsBeside are register files with plans or tables of a kernel, on an SM whose registers bound the CTAs of
// hotspot and sgemm, and whose slots bound those of bfs. does is a statistic that shows that the design has done its
// work.
var designsBeside = []struct {
	design, gpu string
	set         []string
	does        string
}{
	{"sharing-owf", "gtx980", []string{"sm.registers=14000"}, "regfile.sharing.lock_refused_held"},
	{"finereg", "gtx980", []string{"sm.registers=14000", "regfile.pcrf=200"}, "regfile.finereg.pcrf_reads"},
}

func TestDesignsRunTwoUnlikeKernelsOnAnSM(t *testing.T) {
	for _, x := range designsBeside {
		t.Run(x.design, func(t *testing.T) {
			for _, other := range []string{"bfs", "sgemm"} {
				c := machinetest.Config(t, config.Request{GPU: x.gpu, Design: x.design,
					Set: append([]string{"sm.count=2", "residency.policy=round-robin"}, x.set...)})
				one := beside(t, c, gpus.Options{Workers: 1}, "hotspot", other)
				if d := cmp.Diff(one, beside(t, c, gpus.Options{Workers: 3}, "hotspot", other)); d != "" {
					t.Errorf("%s: %s", other, d)
				}
				if len(one) != 1 || one[0].Stats[x.does] == 0 || one[0].Beside[0].Overlap == 0 {
					t.Errorf("%s: %s is %d, %+v", other, x.does, one[0].Stats[x.does], one[0].Beside)
				}
			}
		})
	}
}

// The launches of one stream run one after the other, with a plan for launches side by side too.
func TestTheFirstOfTwoLaunchesInAStreamIsUnmovedToTheCycle(t *testing.T) {
	for _, x := range designsBeside {
		t.Run(x.design, func(t *testing.T) {
			r := config.Request{GPU: x.gpu, Design: x.design, Set: append([]string{"sm.count=2"}, x.set...)}
			alone := machinetest.Run(t, r, gpus.Options{}, "hotspot")
			got := beside(t, machinetest.Config(t, r), gpus.Options{}, "hotspot")[0]
			if len(got.Beside) != 2 || got.Beside[0].End != alone[0].Cycles || got.Stats[x.does] == 0 {
				t.Errorf("%+v, want the first to end in cycle %d", got.Beside, alone[0].Cycles)
			}
		})
	}
}
