package sampling

import "kumiko/gpus/result"

// Part is a range of consecutive launches of a program. A machine with a part simulates only these. Launches before
// the part are skipped, and the program ends after the last launch of the part.
type Part struct {
	From, To int // numbers of launches, from 0; To is exclusive
}

// Over reports whether a launch lies after the part.
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

// Lists implements Mode.
func (p *part) Lists(launch int, _ *result.Kernel) bool { return launch >= p.From }
