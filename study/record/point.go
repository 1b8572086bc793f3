package record

import (
	"fmt"
	"strings"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
)

// Point is one thing to be executed: a benchmark on a variant, or a benchmark's
// access stream.
type Point struct {
	Study     string   `json:"study"`
	Variant   string   `json:"variant"` // or the stream's name
	Benchmark string   `json:"benchmark"`
	Size      string   `json:"size"`
	GPU       string   `json:"gpu"`
	Design    string   `json:"design"`
	Set       []string `json:"set"`
	Registers string   `json:"registers"`
	// Perturb is the number of the perturbation, 0 for none.
	Perturb int  `json:"perturb"`
	Stream  bool `json:"stream"`
	// Sample is how the run was sampled: seed and error of the study; empty: it was not.
	Sample string `json:"sample,omitempty"`
	// Profile: the result has the operand waits by instruction.
	Profile bool `json:"profile,omitempty"`
	// Split is how the run was split: ByLaunches, into Parts at most; empty: it was not. Part is the number of a part,
	// from 1; 0: the whole.
	Split string `json:"split,omitempty"`
	Parts int    `json:"parts,omitempty"`
	Part  int    `json:"part,omitempty"`
}

// String names a point for people.
func (p *Point) String() string {
	s := p.Variant + " " + p.Benchmark
	if p.Perturb > 0 {
		s += fmt.Sprintf(" perturbed %d", p.Perturb)
	}
	if p.Part > 0 {
		s += fmt.Sprintf(" part %d", p.Part)
	}
	return s
}

// unmeasured is the budget of an unmeasured benchmark, in warp
// instructions: the most of any at size study.
const unmeasured = 3_000_000

// Budget returns the number of warp instructions of a point, from the measured tables of the built-in benchmark of
// its name, or a guess.
func (p *Point) Budget() uint64 {
	n := p.unsplitBudget()
	if p.Part > 0 {
		n /= uint64(p.Parts)
	}
	return n
}

// unsplitBudget is Budget for the whole of a point that is split into parts.
func (p *Point) unsplitBudget() uint64 {
	if a := measured.Of(p.Benchmark); a != nil {
		r, ok := a.Sizes[p.Size]
		if !ok && p.Size == benchmarks.Large.String() { // the same as size study there
			r, ok = a.Sizes[benchmarks.Study.String()]
		}
		if ok {
			return r.WarpInstructions
		}
	}
	return unmeasured
}

// pointID identifies a point within a study, apart from the settings: the key covers these.
type pointID struct {
	variant, benchmark, size, registers, sample, split string
	perturb, parts, part                               int
	stream                                             bool
}

func (p *Point) id() pointID {
	return pointID{
		p.Variant,
		p.Benchmark,
		p.Size,
		p.Registers,
		p.Sample,
		p.Split,
		p.Perturb,
		p.Parts,
		p.Part,
		p.Stream,
	}
}

// Same reports whether two points of a study are one, apart from their settings.
func (p *Point) Same(o *Point) bool { return p.id() == o.id() }

// AsPart returns a part of a point, by its number from 1.
func (p *Point) AsPart(k int) Point {
	own := *p
	own.Part = k
	return own
}

// file returns the name of a point's record: benchmark, variant, perturbation, and
// enough of the key to distinguish records.
func (p *Point) file(key string) string {
	kind := p.Variant
	if p.Stream {
		kind = "stream-" + kind
	}
	if p.Perturb > 0 {
		kind += fmt.Sprintf(".p%d", p.Perturb)
	}
	switch {
	case p.Part > 0:
		kind += fmt.Sprintf(".part%d", p.Part)
	case p.Split != "":
		kind += ".split"
	}
	return tidy(p.Benchmark) + "--" + tidy(kind) + "--" + p.Size + "--" + key[:keyDigits] + recordSuffix
}

// keyDigits is the number of digits of a key in the name of its file: 80 bits, so no two agree
// by chance.
const keyDigits = 20

// recordSuffix ends the names of records.
const recordSuffix = ".json"

// tidy replaces characters of a name not allowed in every file system.
func tidy(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|,; `, r) || r < ' ' || r > '~' {
			return '-'
		}
		return r
	}, s)
}
