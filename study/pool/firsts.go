package pool

import (
	"kumiko/study/record"
)

// Firsts chooses the points to check for operand versions in a run without checks: for each variant
// the cheapest point to simulate. So a machine reading values too early is noticed. A variant with a
// checked result needs no other.
type Firsts struct {
	version string
	checked map[string]bool // variants with a checked result, or with one to come
	failed  map[string]bool // keys of points with a failed check
	// among are the names of the cheapest points of variants in a larger run; nil: any point may be chosen.
	among map[string]bool
}

// NewFirsts returns the choice for a version of the simulator, without any record yet.
func NewFirsts(version string) *Firsts {
	return &Firsts{version: version, checked: map[string]bool{}, failed: map[string]bool{}}
}

// Among restricts the choice to the cheapest point of each variant among these points. A pool that has only
// a shard of them then checks no other point than the whole run would check.
func (f *Firsts) Among(points []record.Point) {
	cheapest := map[string]*record.Point{}
	for i := range points {
		p := &points[i]
		if best := cheapest[p.Variant]; !p.Stream && (best == nil || p.Budget() < best.Budget()) {
			cheapest[p.Variant] = p
		}
	}
	f.among = map[string]bool{}
	for _, p := range cheapest {
		f.among[p.String()] = true
	}
}

// Saw registers an existing record. A point with a failed check is executed under the check again.
func (f *Firsts) Saw(r *record.Record) {
	switch a := r.Attempt; {
	case a != nil && a.Checked && a.Version == f.version, !r.Measured() && r.Checked:
		f.failed[r.Key] = true
	case r.Checked && r.Version == f.version:
		f.checked[r.Point.Variant] = true
	}
}

// Checks registers points in flight under the check.
func (f *Firsts) Checks(points []record.Point) {
	for i := range points {
		f.checked[points[i].Variant] = true
	}
}

// Choose reports, for each of n simulations, whether to check it. of returns the key and the points of a
// simulation. Simulations are in the order of the study's points.
func (f *Firsts) Choose(n int, of func(i int) (key string, points []record.Point)) []bool {
	out := make([]bool, n)
	cheapest := map[string]int{}
	budget := make([]uint64, n)
	for i := range n {
		key, points := of(i)
		budget[i] = points[0].Budget()
		out[i] = f.failed[key]
		for k := range points {
			p := &points[k]
			if p.Stream || f.checked[p.Variant] || f.among != nil && !f.among[p.String()] {
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
