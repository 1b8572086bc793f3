package sampled

import "kumiko/gpus/result"

// Part is some consecutive launches of a program. A machine of a part simulates these and no others: the launches
// before are skipped, and the program ends behind the last.
type Part struct {
	From, To int // numbers of launches, from 0; To is behind the last one
}

// Over reports whether a launch lies behind the part.
func (p *Part) Over(launch int) bool { return p != nil && launch >= p.To }

// part is the mode of a part.
type part struct {
	whole
	Part
	seen int // launches so far
}

// Skips implements Mode.
func (p *part) Skips(*Launch) bool { return p.seen < p.From }

// Done implements Mode.
func (p *part) Done(*Launch, Sampler, *result.Kernel) { p.seen++ }

// Results implements Mode.
func (p *part) Results(all []result.Kernel) []result.Kernel { return all[min(p.From, len(all)):] }
