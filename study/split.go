package study

import (
	"fmt"
	"strconv"

	"kumiko/gpus/sampling"
)

// ByLaunches is the way to split points: into parts of consecutive launches.
const ByLaunches = "launches"

// usualParts is the default for the most parts of a point. To reach its launches a part executes all launches
// before. This takes about a tenth of the time of simulation, so the last of ten parts executes about as long
// as it simulates: more parts cost more than they save.
const usualParts = 10

// mostParts bounds the parts in a study's setting.
const mostParts = 1000

// checkSplit returns an error for a senseless way to split.
func (s *Spec) checkSplit() error {
	switch {
	case !s.doc.Has("split") && s.doc.Has("parts"):
		return s.errorf("parts", "parts: found without split, expected split = %q with it", ByLaunches)
	case !s.doc.Has("split"):
		return nil
	case s.Split != ByLaunches:
		return s.errorf("split", "split: found %q, expected %q", s.Split, ByLaunches)
	case len(s.Variants) == 0:
		return s.errorf("split", "split: found in a study without variants: streams have no timing")
	case s.Sample != nil:
		return s.errorf("split", "split: found together with sample, expected one of them: which launches of those "+
			"that are alike are simulated hangs on the launches before")
	}
	if !s.doc.Has("parts") {
		s.Parts = usualParts
	}
	if s.Parts < 2 || s.Parts > mostParts {
		return s.errorf("parts", "parts: found %d, expected 2 to %d", s.Parts, mostParts)
	}
	return nil
}

// Split has the launches covered by a record, if the study splits points. The machine of a part is new:
// launches before the part were executed and passed through the tags of its caches, or left cold caches if launches
// flush them. All other state is the state of a new machine.
type Split struct {
	Launches int     `json:"launches"` // of the program
	Parts    []Range `json:"parts"`    // in order; in the record of one part its own, or none if the part is empty
}

// Range is launches by their numbers, from 0: From to To, without To.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// String counts launches from 1.
func (r Range) String() string {
	if r.To == r.From+1 {
		return "launch " + strconv.Itoa(r.To)
	}
	return fmt.Sprintf("launches %d to %d", r.From+1, r.To)
}

// ranges cuts launches of given work into at most n parts, with the largest part as small as possible. It makes no
// more parts than needed for this.
func ranges(work []uint64, n int) []Range {
	var least, most uint64
	for _, w := range work {
		least = max(least, w)
		most += w
	}
	for least < most {
		if mid := least + (most-least)/2; len(filled(work, mid)) <= n {
			most = mid
		} else {
			least = mid + 1
		}
	}
	return filled(work, least)
}

// filled cuts launches into parts, each as long as its work allows.
func filled(work []uint64, most uint64) []Range {
	var out []Range
	var sum uint64
	for i, w := range work {
		if sum += w; len(out) == 0 || sum > most {
			out = append(out, Range{From: i})
			sum = w
		}
		out[len(out)-1].To = i + 1
	}
	return out
}

// split returns the launches of a point; nil: all.
func (g *group) split(p *Point) *Split {
	if p.Part == 0 {
		return nil
	}
	out := &Split{Launches: len(g.work), Parts: []Range{}}
	if all := ranges(g.work, p.Parts); p.Part <= len(all) {
		out.Parts = append(out.Parts, all[p.Part-1])
	}
	return out
}

// part returns the launches to simulate on the machine of a point; nil: all.
func (s *Split) part() *sampling.Part {
	switch {
	case s == nil:
		return nil
	case len(s.Parts) == 0:
		return &sampling.Part{}
	}
	return &sampling.Part{From: s.Parts[0].From, To: s.Parts[0].To}
}
