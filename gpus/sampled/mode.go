// Package sampled runs programs without simulating all of them. Everything is executed; a Mode selects what is
// simulated:
//
//	whole     every launch
//	part      some consecutive launches
//	sampling  some of the launches that are similar (a cluster), and of a long launch some waves of CTAs or some
//	          windows of time; the rest is estimated
//
// Skipped launches and CTAs warm the tags of the caches. Package sample draws the units and has the statistics;
// docs/sampling.md describes the method.
package sampled

import (
	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Mode selects what is simulated of a program. For each launch the machine calls Skips, then Sampler unless the launch
// is skipped, and Done once the launch has a result.
type Mode interface {
	// Skips reports whether the next launch is executed alone (Skip).
	Skips(l *Launch) bool
	// Sampler returns the sampler of a launch, or nil if all of the launch is simulated.
	Sampler(l *Launch, src stream.Source) Sampler
	// Done records the result of a launch, and the sampler if there was one.
	Done(l *Launch, s Sampler, r *result.Kernel)
	// Results returns the program's launches. all are the results of the launches so far.
	Results(all []result.Kernel) []result.Kernel
}

// New returns the mode of a program: sampling where there is a spec, part where there is one, and whole otherwise.
func New(g *GPU, spec *sample.Spec, p *Part) Mode {
	switch {
	case spec != nil:
		return newSampling(g, *spec)
	case p != nil:
		return &part{Part: *p}
	}
	return whole{}
}

// Sampler simulates a part of a launch. A sampler is the source of the dispatcher's CTAs, and looks at the machine
// between chunks of the simulation.
type Sampler interface {
	stream.Source
	// Chunk returns the number of cycles to the next look; 0: any number.
	Chunk() wire.Cycle
	// Between looks at the machine, and reports whether more CTAs may follow although none is ready.
	Between() bool
	// End extends the result of what was simulated to the whole launch, which ended at a cycle.
	End(at wire.Cycle, r *result.Kernel) error
}

// Launch is a launch as modes see it.
type Launch struct {
	Kernel      *ir.Kernel // in the form to whose PCs the streams refer
	Grid, Block [3]int
	SharedBytes int // per CTA, static and dynamic
	Cooperative bool
	Resident    int    // CTAs that an SM holds, as admitted
	Words       string // whose control words the kernel has, as result.Kernel says it
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

// whole is the mode of programs of which every launch is simulated.
type whole struct{}

// Skips implements Mode.
func (whole) Skips(*Launch) bool { return false }

// Sampler implements Mode.
func (whole) Sampler(*Launch, stream.Source) Sampler { return nil }

// Done implements Mode.
func (whole) Done(*Launch, Sampler, *result.Kernel) {}

// Results implements Mode.
func (whole) Results(all []result.Kernel) []result.Kernel { return all }
