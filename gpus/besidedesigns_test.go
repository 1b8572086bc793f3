package gpus_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// designsBeside are register files with plans or tables of a kernel, on an SM whose registers bound the CTAs of
// hotspot and sgemm, and whose slots bound those of bfs. does is a statistic that shows that the design has done its
// work.
var designsBeside = []struct {
	design, gpu string
	set         []string
	does        string
	with        []string // other programs
	apart       bool     // its plan is another one than for one kernel
}{
	{"sharing-owf", "gtx980", []string{"sm.registers=14000"}, "regfile.sharing.lock_refused_held",
		[]string{"bfs", "sgemm"}, false},
	{"finereg", "gtx980", []string{"sm.registers=14000", "regfile.pcrf=200"}, "regfile.finereg.pcrf_reads",
		[]string{"bfs", "sgemm"}, false},
	{"regmutex", "gtx980", []string{"sm.registers=12000"}, "regfile.regmutex.grants", []string{"bfs", "lbm"}, true},
	{"ltrf", "maxwell", nil, "regfile.ltrf.prefetches", []string{"bfs", "sgemm"}, false},
	{"shrf", "maxwell", nil, "regfile.shrf.reads", []string{"bfs", "sgemm"}, false},
	{"bow-wr", "gtx980", nil, "regfile.bow.kept", []string{"bfs", "sgemm"}, false},
}

func TestDesignsRunTwoUnlikeKernelsOnAnSM(t *testing.T) {
	for _, x := range machinetest.Part(3, designsBeside) {
		t.Run(x.design, func(t *testing.T) {
			for _, other := range x.with {
				c := machinetest.Config(t, config.Request{GPU: x.gpu, Design: x.design,
					Set: append([]string{"sm.count=2", "residency.policy=round-robin"}, x.set...)})
				one := beside(t, c, gpus.Options{Workers: 1}, "hotspot", other)
				if d := cmp.Diff(one, beside(t, c, gpus.Options{Workers: 6}, "hotspot", other)); d != "" {
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
			if x.apart {
				t.Skip("another plan")
			}
			alone := machinetest.Run(t, r, gpus.Options{}, "hotspot")
			got := beside(t, machinetest.Config(t, r), gpus.Options{}, "hotspot")[0]
			if len(got.Beside) != 2 || got.Beside[0].End != alone[0].Cycles || got.Stats[x.does] == 0 {
				t.Errorf("%+v, want the first to end in cycle %d", got.Beside, alone[0].Cycles)
			}
		})
	}
}

// apart are the presets that gtx980 does not have, or with which launches do not run side by side: cerf stands on
// another register file, unified has no room for sgemm, those in the pool divide it for each launch, and the others
// have no plan of several kernels.
var apart = []string{"cerf-fair", "cerf-prioritized", "unified", "um", "finereg-um", "virtual-thread-um", "regpool",
	"dynamic-vgpr", "reg-dram"}

func TestTheOperandCheckFindsNothingOnAnyDesignWithTwoKernels(t *testing.T) {
	for _, design := range machinetest.Part(3, config.DesignNames()) {
		c, err := config.Load(config.Request{GPU: "gtx980", Design: design, Set: []string{"sm.count=2",
			"residency.policy=round-robin"}})
		var m *gpus.Machine
		if err == nil {
			m, err = gpus.New(c, gpus.Options{Check: true})
		}
		if err == nil {
			err = tryBeside(t, m, "sgemm", "bfs")
		}
		if (err != nil) != slices.Contains(apart, design) {
			t.Errorf("%s: %v", design, err)
		}
	}
}

// tryBeside runs programs in streams of their own.
func tryBeside(t *testing.T, m *gpus.Machine, names ...string) error {
	t.Helper()
	for i, name := range names {
		p, err := benchmarks.Find(name).New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(&host.Device{Mem: m.Memory(), Runner: inStream{m, i + 1}}); err != nil {
			return err
		}
	}
	return m.Sync()
}
