package gpus

import (
	"context"
	"io"
	"sync"

	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/timeline"
	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Options configure a run of the simulator, not the GPU. Apart from Sample and Part, no option changes a result.
type Options struct {
	// Context cancels the simulation; nil: never.
	Context context.Context
	// Check tracks operand versions and stops at the first stale operand.
	Check bool
	// Workers is the number of simulating goroutines; 0 or 1: serial.
	Workers int
	// MaxCycles stops a launch after this many core cycles; 0: no limit.
	MaxCycles uint64
	// Limits bound functional execution, which runs ahead of the simulation, a CTA at a time. The GPU sets
	// SharedBytes. With MaxCycles, the instructions executed of a CTA are limited to the number issuable in so
	// many cycles.
	Limits emu.Limits
	// Printf receives the output of printf in kernels; nil: standard error.
	Printf io.Writer
	// Record, if not nil, receives the streams of every launch before the simulation, and returns a source that
	// passes them on. sharedBytes is per CTA, static and dynamic.
	Record func(k *ir.Kernel, grid, block [3]int, sharedBytes int, src stream.OpenSource) (stream.OpenSource, error)
	// Guard, if not nil, is held while the machine is changed outside a run of its engine.
	Guard sync.Locker
	// Timeline, if not nil, draws one SM. The caller closes it.
	Timeline *timeline.Recorder
	// Sample, if not nil, enables sampling of long launches: most of their CTAs are executed but not simulated, and
	// the results are estimates.
	Sample *sampling.Spec
	// Part, if not nil, restricts the simulation to some consecutive launches of the program. Part excludes Sample,
	// Record and Checkpoints.
	Part *sampling.Part
	// Checkpoints, if not nil, save states of the machine. Checkpoints exclude Record, Timeline and hooks. The slices
	// of the L2 stay in one partition then, so that more than four workers gain less.
	Checkpoints *Checkpoints
	// Launched, if not nil, receives the result of each launch. It must not keep or change it. With Sample, the
	// estimates of skipped launches are not in it.
	Launched func(*result.Kernel)
	// Progress, if not nil, is called from time to time by the simulating goroutine.
	Progress func(Progress)
}

// Progress describes how far the current launch has come.
type Progress struct {
	Kernel     string
	Cycle      uint64 // since the launch
	Done, CTAs int    // CTAs retired, CTAs of the grid
	// Executing is set while the simulation waits for the functional execution of the next CTA. Cycle and Done are
	// then unset.
	Executing bool
}
