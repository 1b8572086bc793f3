//go:build unix

package gpus_test

import (
	"fmt"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// emulate executes an application without timing and returns its warp instructions.
func emulate(b *testing.B, name string, cfg *config.Config) uint64 {
	b.Helper()
	p, err := benchmarks.Find(name).New(benchmarks.Small)
	if err != nil {
		b.Fatal(err)
	}
	var insts uint64
	made := map[string]*ir.Kernel{}
	r := &emu.Runner{Mem: &mem.Memory{}, Done: func(_ *host.Launch, s emu.Stats) { insts += s.WarpInsts }}
	r.Compile = func(l *host.Launch) (k *ir.Kernel, err error) {
		if k = made[l.Kernel]; k == nil {
			k, err = compiler.Compile(l.Module.Kernel(l.Kernel), cfg.CompilerOptions(0, 0))
			made[l.Kernel] = k
		}
		return k, err
	}
	if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil {
		b.Fatal(err)
	}
	return insts
}

// BenchmarkFloor compares functional execution with the timed run of the same machine code. Functional execution is
// the lower bound for any timing model.
func BenchmarkFloor(b *testing.B) {
	cfg, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"fmaheavy", "sgemm", "hotspot", "lbm", "bfs"} {
		b.Run(name, func(b *testing.B) {
			var insts uint64
			var plain, timed float64
			for b.Loop() {
				t0 := cpuSeconds()
				insts += emulate(b, name, cfg)
				t1 := cpuSeconds()
				runBenchmark(b, name, benchmarks.Small, gpus.Options{}, config.Request{GPU: "gtx980"})
				plain += t1 - t0
				timed += cpuSeconds() - t1
			}
			b.ReportMetric(plain*1e9/float64(insts), "emulator-cpu-ns/warp-inst")
			b.ReportMetric(timed*1e9/float64(insts), "timed-cpu-ns/warp-inst")
			b.ReportMetric(timed/plain, "x-emulator")
		})
	}
}

// scaling runs an application on a GPU and reports the cost per cycle of an SM and per instruction.
func scaling(b *testing.B, name string, sms, workers int) {
	var insts, cycles uint64
	cpu := cpuSeconds()
	for b.Loop() {
		n, c := runBenchmark(b, name, benchmarks.Small, gpus.Options{Workers: workers},
			config.Request{GPU: "gtx980", Set: []string{fmt.Sprintf("sm.count=%d", sms)}})
		insts += n
		cycles += c
	}
	b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(insts), "cpu-ns/warp-inst")
	b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(cycles)/float64(sms), "cpu-ns/sm-cycle")
	b.ReportMetric(float64(insts)/b.Elapsed().Seconds(), "warp-insts/s")
}

// BenchmarkScalingSMs runs constant work on an increasing number of SMs (the 16 CTAs of sgemm leave 48 of 64 SMs
// idle), and four CTAs for each SM of an increasing number.
func BenchmarkScalingSMs(b *testing.B) {
	for _, sms := range []int{1, 4, 16, 64} {
		b.Run(fmt.Sprintf("sgemm/%d", sms), func(b *testing.B) { scaling(b, "sgemm", sms, 1) })
	}
	for _, sms := range []int{1, 4, 16, 64} {
		busy := fmt.Sprintf("synthetic:ctas=%d,iters=5", 4*sms)
		b.Run(fmt.Sprintf("synthetic/%d", sms), func(b *testing.B) { scaling(b, busy, sms, 1) })
	}
}

// BenchmarkScalingWorkers runs the same simulation with one and with two goroutines.
func BenchmarkScalingWorkers(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("sgemm/%d", workers), func(b *testing.B) { scaling(b, "sgemm", 16, workers) })
	}
}
