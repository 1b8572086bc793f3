package main

import (
	"time"

	"kumiko/benchmarks"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// row is an application with its measurements, one per size.
type row struct {
	app   *benchmarks.App
	sizes []*measurement
}

// measurement is one run.
type measurement struct {
	launches int
	insts    uint64            // warp instructions
	lanes    uint64            // thread instructions
	ctas     map[string]int    // the most CTAs of a launch, by kernel
	share    map[string]uint64 // warp instructions by kernel
	reports  map[string]compiler.Report
	shared   map[string]int
	seconds  float64
}

func measure(a *benchmarks.App, size benchmarks.Size) (*measurement, error) {
	p, err := a.New(size)
	if err != nil {
		return nil, err
	}
	m := &measurement{ctas: map[string]int{}, share: map[string]uint64{}, reports: map[string]compiler.Report{}, shared: map[string]int{}}
	compiled := map[string]*ir.Kernel{}
	dev := &mem.Memory{}
	r := &emu.Runner{Mem: dev}
	r.Compile = func(l *host.Launch) (*ir.Kernel, error) {
		if compiled[l.Kernel] == nil {
			k, report, err := compiler.CompileReport(l.Module.Kernel(l.Kernel), compiler.Options{})
			if err != nil {
				return nil, err
			}
			compiled[l.Kernel], m.reports[l.Kernel] = k, report
		}
		return compiled[l.Kernel], nil
	}
	r.Done = func(l *host.Launch, s emu.Stats) {
		m.launches++
		m.insts += s.WarpInsts
		m.lanes += s.ThreadInsts
		m.share[l.Kernel] += s.WarpInsts
		m.ctas[l.Kernel] = max(m.ctas[l.Kernel], l.CTAs())
		m.shared[l.Kernel] = compiled[l.Kernel].SharedBytes + l.DynShared
	}
	start := time.Now()
	err = p.Run(&host.Device{Mem: dev, Runner: r})
	m.seconds = time.Since(start).Seconds()
	return m, err
}
