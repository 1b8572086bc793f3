package sampling

import (
	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Mode selects the simulated part of a program. For each launch the machine calls Skips, then Sampler unless the
// launch is skipped, and Done once the launch has a result.
type Mode interface {
	// Skips reports whether the next launch is only executed (Skip).
	Skips(l *Launch) bool
	// Sampler returns the sampler of a launch, or nil if the launch is simulated completely.
	Sampler(l *Launch, src stream.Source) Sampler
	// Done records the result of a launch, and its sampler, if any.
	Done(l *Launch, s Sampler, r *result.Kernel)
	// Lists reports whether a launch, by its number, is added to the rows of the results.
	Lists(launch int, r *result.Kernel) bool
	// Results completes the rows of the launches so far.
	Results(rows []result.Kernel) []result.Kernel
}

// New returns the mode of a program: sampling if spec is set, part if p is set, and whole otherwise.
func New(g *GPU, spec *Spec, p *Part) Mode {
	switch {
	case spec != nil:
		return newClusterMode(g, *spec)
	case p != nil:
		return &part{Part: *p}
	}
	return whole{}
}

// Sampler simulates a part of a launch. It is the source of the dispatcher's CTAs, and samples the machine's state
// between chunks of the simulation.
type Sampler interface {
	stream.Source
	// Chunk returns the number of cycles until the next call of Between; 0: any number.
	Chunk() wire.Cycle
	// Between samples the machine's state. It reports whether more CTAs may follow although none is ready.
	Between() bool
	// End extrapolates the result of the simulated part to the whole launch. The launch ended at cycle at.
	End(at wire.Cycle, r *result.Kernel) error
}

// Launch describes a launch to modes.
type Launch struct {
	Kernel      *ir.Kernel // in the form that matches the PCs in the streams
	Grid, Block [3]int
	SharedBytes int // per CTA, static and dynamic
	Cooperative bool
	Resident    int    // CTAs admitted to an SM at once
	Words       string // origin of the kernel's control words (result.Kernel.ControlWords)
}

// CTAs returns the number of CTAs of the grid.
func (l *Launch) CTAs() int { return l.Grid[0] * l.Grid[1] * l.Grid[2] }

// Threads returns the number of threads of a CTA.
func (l *Launch) Threads() int { return l.Block[0] * l.Block[1] * l.Block[2] }

// Result returns the launch's result before the launch has run.
func (l *Launch) Result() result.Kernel {
	return result.Kernel{Name: l.Kernel.Name, Grid: l.Grid, Block: l.Block, RegistersPerThread: l.Kernel.Footprint,
		SharedBytes: l.SharedBytes, ControlWords: l.Words}
}

// whole is the mode of completely simulated programs.
type whole struct{}

// Skips implements Mode.
func (whole) Skips(*Launch) bool { return false }

// Sampler implements Mode.
func (whole) Sampler(*Launch, stream.Source) Sampler { return nil }

// Done implements Mode.
func (whole) Done(*Launch, Sampler, *result.Kernel) {}

// Lists implements Mode.
func (whole) Lists(int, *result.Kernel) bool { return true }

// Results implements Mode.
func (whole) Results(rows []result.Kernel) []result.Kernel { return rows }
