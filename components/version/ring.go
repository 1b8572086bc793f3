package version

// ringStart is the initial length of a ring of operations. An operation stands at its tag modulo the ring's length
// or in one of the next places. The ring grows when all of these places are taken, as when some operations stay for
// long while many others pass.
const (
	ringStart = 256
	probes    = 8
)

// ring holds a T for each operation in flight, by tag. Tags begin with 1.
type ring[T any] struct {
	tags []uint32 // 0: free; the length is a power of two
	of   []T
}

func newRing[T any]() ring[T] {
	return ring[T]{tags: make([]uint32, ringStart), of: make([]T, ringStart)}
}

// add allocates a place for a tag.
func (r *ring[T]) add(tag uint32) *T {
	for {
		mask := uint32(len(r.tags) - 1)
		for i := range uint32(probes) {
			if at := (tag + i) & mask; r.tags[at] == 0 {
				r.tags[at] = tag
				return &r.of[at]
			}
		}
		r.grow()
	}
}

// place returns the place of a tag, or -1.
func (r *ring[T]) place(tag uint32) int {
	mask := uint32(len(r.tags) - 1)
	for i := range uint32(probes) {
		if at := (tag + i) & mask; r.tags[at] == tag {
			return int(at)
		}
	}
	return -1
}

// find returns the entry of a tag, or nil.
func (r *ring[T]) find(tag uint32) *T {
	if at := r.place(tag); at >= 0 {
		return &r.of[at]
	}
	return nil
}

// drop frees the place of a tag, if the tag has one.
func (r *ring[T]) drop(tag uint32) {
	if at := r.place(tag); at >= 0 {
		r.tags[at] = 0
	}
}

func (r *ring[T]) grow() {
	old := *r
	*r = ring[T]{tags: make([]uint32, 2*len(old.tags)), of: make([]T, 2*len(old.tags))}
	for i, tag := range old.tags {
		if tag != 0 {
			*r.add(tag) = old.of[i]
		}
	}
}
