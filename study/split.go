package study

import (
	"fmt"
	"strconv"

	"kumiko/gpus/sampled"
)

// ByLaunches is the way to split points: into parts of consecutive launches.
const ByLaunches = "launches"

// usualParts is how many parts a point has at most unless the study says otherwise. To reach its launches a part
// executes what is before them. That takes about a tenth of the time of simulation, so that the last of ten parts
// executes about as long as it simulates: more of them cost more than they save.
const usualParts = 10

// mostParts bounds the parts that a study may ask for.
const mostParts = 1000

// checkSplit refuses ways to split that make no sense.
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

// Split is what of a program's launches a record is of, where the study splits points. The machine of a part is new:
// launches before the part were executed and passed through the tags of its caches, or left cold caches where launches
// flush them. What else a launch finds is as in a machine that has done nothing.
type Split struct {
	Launches int     `json:"launches"` // of the program
	Parts    []Range `json:"parts"`    // in order; of the record of one part, that one, or none that is left for it
}

// Range is launches by their numbers, from 0: From to To, which is not one of them.
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

// ranges cuts launches of so much work into at most n parts, of which the largest is as small as can be. There are no
// more parts than that takes.
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

// split is what of the program's launches a point is; nil: it is whole.
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

// part is what the machine of a point is to simulate; nil: everything.
func (s *Split) part() *sampled.Part {
	switch {
	case s == nil:
		return nil
	case len(s.Parts) == 0:
		return &sampled.Part{}
	}
	return &sampled.Part{From: s.Parts[0].From, To: s.Parts[0].To}
}
