package gpus

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"kumiko/gpus/sample"
	"kumiko/gpus/sampled"
	"kumiko/gpus/timeline"
	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
)

// Options are what a run asks of the simulator rather than of the GPU: none of
// them changes a result.
type Options struct {
	// Context cancels the simulation; nil: never.
	Context context.Context
	// Check follows operand versions and stops at the first operand that is not
	// the newest value.
	Check bool
	// Workers is the number of goroutines that simulate; 0 or 1: serial.
	Workers int
	// MaxCycles stops a launch that takes longer, in core cycles; 0: no limit.
	MaxCycles uint64
	// Limits bound functional execution, which goes first, a CTA at a time. The GPU
	// gives SharedBytes. With MaxCycles, a CTA is executed only as far as it can get in
	// so many cycles.
	Limits emu.Limits
	// Printf is where printf in kernels writes; nil: standard error.
	Printf io.Writer
	// Record, if not nil, is given the streams of every launch on their way to
	// the simulation: it returns a source that passes them on. sharedBytes is
	// per CTA, static and dynamic.
	Record func(k *ir.Kernel, grid, block [3]int, sharedBytes int, src Source) (Source, error)
	// Guard, if not nil, is held while the machine is changed outside a run of its
	// engine.
	Guard sync.Locker
	// Timeline, if not nil, draws one SM. Who made it closes it.
	Timeline *timeline.Recorder
	// Sample, if not nil, has launches sampled that are long enough: most of their CTAs are executed and not
	// simulated, and the results are estimates.
	Sample *sample.Spec
	// Part, if not nil, has some consecutive launches of the program simulated, and no others. It does not go together
	// with Sample, Record and Checkpoints.
	Part *sampled.Part
	// Checkpoints, if not nil, keep states of the machine. They do not go together with Record, Timeline
	// and hooks.
	Checkpoints *Checkpoints
	// Progress, if not nil, is called now and then from the simulating goroutine.
	Progress func(Progress)
}

// Progress is how far the current launch is.
type Progress struct {
	Kernel     string
	Cycle      uint64 // since the launch
	Done, CTAs int    // CTAs retired, CTAs of the grid
	// Executing: the simulation waits for the functional execution of the next CTA.
	// Cycle and Done are not given then.
	Executing bool
}

// ErrInterrupted says that the context was cancelled.
var ErrInterrupted = errors.New("interrupted")

// ErrPartOver is the error of a launch behind the last launch of the machine's part. The host program
// then has nothing left to do.
var ErrPartOver = errors.New("the launches of the part are over")

// StopError says that the simulation stopped by itself before the kernel
// ended: nothing moved any more, the cycle limit was reached, or the operand
// check found a wrong operand.
type StopError struct {
	Check  bool     // the operand check
	Reason string   // one line
	Report []string // who waits for what
}

// Error is the reason, and below it the report.
func (e *StopError) Error() string {
	if len(e.Report) == 0 {
		return e.Reason
	}
	return e.Reason + "\n  " + strings.Join(e.Report, "\n  ")
}
