package alloc

import (
	"sort"

	"kumiko/kernel/compiler/bitset"
)

// file is the occupancy of a physical register file over program points.
type file struct {
	busy []bitset.Set // by physical register
	high int          // registers touched
}

func newFile(limit, points int) *file {
	f := &file{busy: make([]bitset.Set, limit)}
	for i := range f.busy {
		f.busy[i] = bitset.New(points)
	}
	return f
}

// fits reports whether physical register base is possible for node n.
func (f *file) fits(n *node, base int) bool {
	for i, live := range n.live {
		b := f.busy[base+i]
		for _, s := range live {
			if b.AnyIn(int(s.from), int(s.to)) {
				return false
			}
		}
	}
	return true
}

func (f *file) put(n *node, base int) {
	n.base = base
	for i, live := range n.live {
		for _, s := range live {
			f.busy[base+i].AddRange(int(s.from), int(s.to))
		}
	}
	f.high = max(f.high, base+n.words)
}

// order reports whether node a gets its registers before node b.
type order func(a, b *node) bool

// orders are tried in turn, and the order with the fewest registers is kept. Linear scan by start is nearly always
// within a register of the number live at once. The others help where aligned pairs and quads leave gaps.
var orders = []order{
	func(a, b *node) bool { return a.start < b.start },
	func(a, b *node) bool { return a.words > b.words || a.words == b.words && a.start < b.start },
	func(a, b *node) bool { return a.size > b.size },
	func(a, b *node) bool { return a.end > b.end },
}

// picker returns a first register below limit for node n in f, or -1.
type picker func(f *file, n *node, limit int) int

// firstFree returns the lowest register free over the whole live range. A single-word node prefers a register whose
// partner in the aligned pair is in use at the start of the range, to keep pairs whole.
func firstFree(f *file, n *node, limit int) int {
	found := -1
	for b := 0; b+n.words <= limit; b += n.align {
		if !f.fits(n, b) {
			continue
		}
		if n.words > 1 || b^1 >= limit || f.busy[b^1].AnyIn(int(n.start), int(n.start)+1) {
			return b
		}
		if found < 0 {
			found = b
		}
		if b > f.high {
			break
		}
	}
	return found
}

// color assigns registers below limit in the given order. It returns the nodes left without a place, and the number
// of registers used.
func (w *web) color(points, limit int, ord order, pick picker) (failed []*node, used int) {
	f := newFile(limit, points)
	for _, b := range w.bounds {
		for r := b.registers; r < limit; r++ {
			f.busy[r].AddRange(b.from, b.to)
		}
	}
	nodes := append([]*node(nil), w.nodes...)
	sort.SliceStable(nodes, func(i, j int) bool {
		if nodes[i].pinned != nodes[j].pinned {
			return nodes[i].pinned
		}
		return ord(nodes[i], nodes[j])
	})
	for _, n := range nodes {
		n.base = -1
	}
	for _, n := range nodes {
		if b := pick(f, n, limit); b >= 0 {
			f.put(n, b)
		} else {
			failed = append(failed, n)
		}
	}
	return failed, f.high
}

// bases returns the present assignment.
func (w *web) bases() []int {
	out := make([]int, len(w.nodes))
	for i, n := range w.nodes {
		out[i] = n.base
	}
	return out
}

func (w *web) restore(bases []int) {
	for i, n := range w.nodes {
		n.base = bases[i]
	}
}

// best tries all orders and leaves the best assignment in place.
func (w *web) best(points, limit, target int, pick picker) (failed []*node, used int) {
	var keep []int
	for _, ord := range orders {
		f, u := w.color(points, limit, ord, pick)
		if keep == nil || len(f) < len(failed) || len(f) == len(failed) && u < used {
			failed, used, keep = f, u, w.bases()
		}
		if len(failed) == 0 && used <= target {
			break
		}
	}
	w.restore(keep)
	return failed, used
}
