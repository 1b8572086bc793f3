package wholemachine

import (
	"fmt"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all" // so that applications can be named
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// Job is an application on a GPU.
type Job struct {
	App  string
	Size benchmarks.Size
	GPU  string
	Set  []string // settings, key=value
	// Printed uses the registers per thread printed in the papers, if any, instead of the allocator's number.
	Printed bool
}

// Outcome is the sum of a job's launches.
type Outcome struct {
	Insts, Cycles uint64
	// Limit is the resource limiting the residency of the launch with the most instructions. CTAs is this launch's
	// number of resident CTAs per SM.
	Limit string
	CTAs  int
}

// Run runs a job, including the application's own check.
func (j *Job) Run() (Outcome, error) {
	var out Outcome
	a := benchmarks.Find(j.App)
	if a == nil {
		return out, fmt.Errorf("no application is called %q", j.App)
	}
	p, err := a.New(j.Size)
	if err != nil {
		return out, err
	}
	cfg, err := config.Load(config.Request{GPU: j.GPU, Set: j.Set})
	if err != nil {
		return out, err
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		return out, err
	}
	var runner host.Runner = m
	if j.Printed {
		runner = a.PaperRegisters(m)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: runner}); err != nil {
		return out, fmt.Errorf("%s: %w", j.App, err)
	}
	most := uint64(0)
	for _, k := range m.Results() {
		out.Insts += k.WarpInstructions
		out.Cycles += k.Cycles
		if k.WarpInstructions <= most {
			continue
		}
		most = k.WarpInstructions
		if out.Limit, out.CTAs, err = residency(cfg, k.Block, k.RegistersPerThread, k.SharedBytes); err != nil {
			return out, err
		}
	}
	return out, nil
}
