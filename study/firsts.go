package study

// Firsts chooses the points of a run whose operands are checked although the run does not ask for it: of each variant
// the cheapest one that is to be simulated, so that a machine that reads values too early is noticed. A variant with a
// checked result needs no other.
type Firsts struct {
	version string
	checked map[string]bool // variants that have or get a checked result
	failed  map[string]bool // keys of points whose check has failed
}

// NewFirsts makes the choice for a version of the simulator, which knows no record yet.
func NewFirsts(version string) *Firsts {
	return &Firsts{version: version, checked: map[string]bool{}, failed: map[string]bool{}}
}

// Saw takes note of a record that is there. A point that has failed under the check is executed under the check again.
func (f *Firsts) Saw(r *Record) {
	switch a := r.Attempt; {
	case a != nil && a.Checked && a.Version == f.version, !r.Measured() && r.Checked:
		f.failed[r.Key] = true
	case r.Checked && r.Version == f.version:
		f.checked[r.Point.Variant] = true
	}
}

// Checks takes note of points that are under way, and are checked.
func (f *Firsts) Checks(points []Point) {
	for i := range points {
		f.checked[points[i].Variant] = true
	}
}

// Choose reports which of n simulations are to be checked. of returns the key and the points of a simulation.
// Simulations are in the order of the study's points.
func (f *Firsts) Choose(n int, of func(i int) (key string, points []Point)) []bool {
	out := make([]bool, n)
	cheapest := map[string]int{}
	budget := make([]uint64, n)
	for i := range n {
		key, points := of(i)
		budget[i] = points[0].Budget()
		out[i] = f.failed[key]
		for k := range points {
			p := &points[k]
			if p.Stream || f.checked[p.Variant] {
				continue
			}
			if best, ok := cheapest[p.Variant]; !ok || budget[i] < budget[best] {
				cheapest[p.Variant] = i
			}
		}
	}
	for _, i := range cheapest {
		out[i] = true
	}
	return out
}
