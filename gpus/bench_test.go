//go:build unix

package gpus_test

import (
	"runtime"
	"syscall"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// runBenchmark runs an application on a fresh machine and returns the numbers of issued warp instructions and of
// cycles.
func runBenchmark(b testing.TB, name string, size benchmarks.Size, opt gpus.Options, req config.Request) (insts,
	cycles uint64) {
	b.Helper()
	app, err := benchmarks.Open(name)
	if err != nil || app == nil {
		b.Fatalf("no benchmark %s: %v", name, err)
	}
	p, err := app.New(size)
	if err != nil {
		b.Fatal(err)
	}
	cfg, err := config.Load(req)
	if err != nil {
		b.Fatal(err)
	}
	m, err := gpus.New(cfg, opt)
	if err != nil {
		b.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		b.Fatal(err)
	}
	for _, r := range m.Results() {
		insts += r.WarpInstructions
		cycles += r.Cycles
	}
	return insts, cycles
}

// BenchmarkRun measures the speed of a whole run with one worker: parsing, building, executing, simulating and
// checking.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"fmaheavy", "sgemm", "hotspot", "transpose", "vecadd"} {
		for _, check := range []bool{false, true} {
			sub := name
			if check {
				sub += "/check"
			}
			b.Run(sub, func(b *testing.B) {
				b.ReportAllocs()
				var insts, cycles uint64
				cpu := cpuSeconds()
				for b.Loop() {
					n, c := runBenchmark(b, name, benchmarks.Small, gpus.Options{Check: check},
						config.Request{GPU: "gtx980"})
					insts += n
					cycles += c
				}
				s := b.Elapsed().Seconds()
				b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(insts), "cpu-ns/warp-inst")
				b.ReportMetric(float64(insts)/s, "warp-insts/s")
				b.ReportMetric(float64(cycles)/s, "cycles/s")
			})
		}
	}
}

// cpuSeconds returns the processor time of the process, which is more reliable than wall-clock time on a busy
// machine.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkLTRF measures the cost of the register-cache designs in LTRF's comparison relative to two-level
// scheduling, the scheduler of all of them.
func BenchmarkLTRF(b *testing.B) {
	for _, name := range []string{"sgemm", "hotspot", "kmeans"} {
		for _, design := range []string{"ltrf", "ltrf-plus", "shrf"} {
			b.Run(name+"/"+design, func(b *testing.B) {
				benchmarkOver(b, name, config.Request{GPU: "maxwell", Set: []string{"slice.sms=3"}}, 3, "ltrf-bl",
					design)
			})
		}
	}
}

// BenchmarkCERF measures the cost of a cache-emulated register file relative to a conventional one.
func BenchmarkCERF(b *testing.B) {
	for _, name := range []string{"sgemm", "kmeans", "syrk"} {
		for _, design := range []string{"cerf-fair", "cerf-prioritized"} {
			b.Run(name+"/"+design, func(b *testing.B) {
				benchmarkOver(b, name, config.Request{GPU: "fermi-gto", Set: []string{"slice.sms=5"}}, 5, "", design)
			})
		}
	}
}

// BenchmarkSwitching measures the cost of designs with CTA switching relative to the conventional machine.
func BenchmarkSwitching(b *testing.B) {
	for _, name := range []string{"kmeans", "syr2k", "lbm"} {
		for _, design := range []string{"virtual-thread", "reg-dram", "finereg", "regmutex-vt"} {
			b.Run(name+"/"+design, func(b *testing.B) {
				benchmarkOver(b, name, config.Request{GPU: "gtx980", Set: []string{"slice.sms=2"}}, 2, "", design)
			})
		}
	}
}

// BenchmarkBeforeTheBanks measures the cost of designs with caches or windows before the banks, and of sharing,
// relative to the conventional machine.
func BenchmarkBeforeTheBanks(b *testing.B) {
	for _, name := range []string{"sgemm", "hotspot", "bfs"} {
		for _, design := range []string{"rfc", "bow", "sharing"} {
			b.Run(name+"/"+design, func(b *testing.B) {
				benchmarkOver(b, name, config.Request{GPU: "gtx980", Set: []string{"slice.sms=2"}}, 2, "", design)
			})
		}
	}
}

// benchmarkOver reports the cost of a design relative to another one on the same program, run in turn: processor
// time per cycle of an SM, and allocated memory per run.
func benchmarkOver(b *testing.B, name string, r config.Request, sms uint64, base, design string) {
	var cpu, bytes [2]float64
	var cycles [2]uint64
	for b.Loop() {
		for i, d := range []string{base, design} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuSeconds()
			r.Design = d
			_, c := runBenchmark(b, name, benchmarks.Small, gpus.Options{}, r)
			cpu[i] += cpuSeconds() - start
			runtime.ReadMemStats(&after)
			bytes[i] += float64(after.TotalAlloc - before.TotalAlloc)
			cycles[i] += c
		}
	}
	b.ReportMetric(cpu[0]*1e9/float64(sms*cycles[0]), "base-ns/sm-cycle")
	b.ReportMetric(cpu[1]*1e9/float64(sms*cycles[1]), "cpu-ns/sm-cycle")
	b.ReportMetric(cpu[1]/float64(cycles[1])/(cpu[0]/float64(cycles[0])), "time-ratio")
	b.ReportMetric(bytes[1]/bytes[0], "memory-ratio")
}
