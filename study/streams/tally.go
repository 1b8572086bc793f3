package streams

import "math/bits"

// tally counts events in 64 configurations at once: bit c of every plane is a
// digit of configuration c's count.
type tally struct {
	planes [16]uint64
	added  int
	sums   [64]uint64
}

// add counts one event in each configuration of the set.
func (t *tally) add(set uint64) {
	if set == 0 {
		return
	}
	for i := 0; set != 0; i++ {
		carry := t.planes[i] & set
		t.planes[i] ^= set
		set = carry
	}
	if t.added++; t.added == 1<<len(t.planes)-1 {
		t.spill()
	}
}

func (t *tally) spill() {
	for i := range t.planes {
		for p := t.planes[i]; p != 0; p &= p - 1 {
			t.sums[bits.TrailingZeros64(p)] += 1 << i
		}
		t.planes[i] = 0
	}
	t.added = 0
}

// accesses counts accesses in 64 configurations, by the number of clusters
// touched.
type accesses [9]tally

func (a *accesses) add(set uint64, clusters int) { a[clusters].add(set) }

// count returns the number of accesses counted for configuration c.
func (a *accesses) count(c int) (out Accesses) {
	for k := range a {
		a[k].spill()
		out.Whole += a[k].sums[c]
		out.Lanes += uint64(k) * a[k].sums[c]
	}
	return out
}
