//go:build unix

package gpus_test

import (
	"fmt"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// executor executes launches without timing and measures their cost, without the compiler, the application's inputs
// and its checks.
type executor struct {
	emu     emu.Runner
	streams bool // recorded, as a simulation has them, and dropped
	insts   uint64
	seconds float64 // of processor time
}

func (x *executor) Launch(l *host.Launch) error {
	e, err := x.emu.Prepare(l)
	if err != nil {
		return err
	}
	begin := cpuSeconds()
	defer func() { x.seconds += cpuSeconds() - begin }()
	if !x.streams {
		s, err := emu.Run(e)
		x.insts += s.WarpInsts
		return err
	}
	src := emu.NewSource(e, 4)
	for c := src.Next(); c != nil; c = src.Next() {
	}
	x.insts += src.Stats().WarpInsts
	return src.Err()
}

// BenchmarkEmulator measures the processor time of functional execution, with and without recording the warps'
// streams.
func BenchmarkEmulator(b *testing.B) {
	cfg, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"fmaheavy", "sgemm", "hotspot", "lbm", "bfs", "stencil"} {
		for _, streams := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/streams=%t", name, streams), func(b *testing.B) {
				x := &executor{streams: streams}
				made := map[string]*ir.Kernel{}
				x.emu.Compile = func(l *host.Launch) (k *ir.Kernel, err error) {
					if k = made[l.Kernel]; k == nil {
						k, err = compiler.Compile(l.Module.Kernel(l.Kernel), cfg.CompilerOptions(0, 0))
						made[l.Kernel] = k
					}
					return k, err
				}
				for b.Loop() {
					p, err := benchmarks.Find(name).New(benchmarks.Small)
					if err != nil {
						b.Fatal(err)
					}
					x.emu.Mem = &mem.Memory{}
					if err := p.Run(&host.Device{Mem: x.emu.Mem, Runner: x}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(x.seconds*1e9/float64(x.insts), "cpu-ns/warp-inst")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
