package study

import "slices"

// checkBars returns errors for bar settings in figures of other kinds, and for an impossible start of
// bars.
func (s *Spec) checkBars(path string, f *Figure) []error {
	var c complaints
	from := path + ".y.from"
	if f.X.From != nil {
		c.add(s.errorf(path+".x.from", "from: found for x, expected for y"))
	}
	switch {
	case f.Y.From == nil:
	case f.Kind != Bar:
		c.add(s.errorf(from, "from: found in a figure of kind %s, expected %s", f.Kind, Bar))
	case f.Y.Zero != nil:
		c.add(s.errorf(from, "from: found together with zero, expected one of them"))
	case f.Y.Log && *f.Y.From <= 0:
		c.add(s.errorf(from, "from: found %v together with log, expected above 0", *f.Y.From))
	case f.Y.Min != nil && *f.Y.From < *f.Y.Min:
		c.add(s.errorf(from, "from: found %v, expected at least min, which is %v", *f.Y.From, *f.Y.Min))
	case f.Y.Max != nil && *f.Y.From > *f.Y.Max:
		c.add(s.errorf(from, "from: found %v, expected at most max, which is %v", *f.Y.From, *f.Y.Max))
	}
	if f.Kind == Stack && f.Y.Zero != nil && !*f.Y.Zero {
		c.add(s.errorf(path+".y.zero", "figure %s: the parts of a stack begin at zero", f.ID))
	}
	switch {
	case f.Mean != "" && f.Kind != Bar:
		c.add(s.errorf(path+".mean", "mean: found in a figure of kind %s, expected %s", f.Kind, Bar))
	case !slices.Contains([]string{"", Arithmetic, Geometric, BothMeans}, f.Mean):
		c.add(
			s.errorf(path+".mean", "mean: found %q, expected %s, %s or %s", f.Mean, Arithmetic, Geometric, BothMeans),
		)
	}
	return c
}
