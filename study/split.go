package study

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
