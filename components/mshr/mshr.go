package mshr

import (
	"math/bits"

	"kumiko/components/spec"
)

// Spec is the size of a file.
type Spec struct {
	Entries int `toml:"entries" unit:"lines" doc:"lines that may be outstanding at once"`
	Merges  int `toml:"merges" unit:"accesses" doc:"accesses that may wait for one line, the first included"`
}

// mostWaits bounds the number of accesses waiting in a file.
const mostWaits = 1 << 20

// Check refuses impossible settings of a file.
func (s *Spec) Check() error {
	switch {
	case s.Entries < 1 || s.Entries > 1<<15:
		return spec.Errorf("entries", s.Entries, "1 to %d", 1<<15)
	case s.Merges < 1 || s.Merges > mostWaits/s.Entries:
		return spec.Errorf("merges", s.Merges, "at least 1, and at most %d waiting accesses in all", mostWaits)
	}
	return nil
}

// Refusal is the reason for which a miss cannot be recorded.
type Refusal uint8

// Refusals.
const (
	Accepted Refusal = iota
	NoEntry          // as many lines as there are entries are outstanding
	NoMerge          // as many accesses as an entry holds wait for the line
)

// File is a set of miss status holding registers. T is the type of waiting accesses. Sector masks have bit i for
// sector i of the line.
type File[T any] struct {
	spec    Spec
	entries []entry   `bits:"type"`
	waits   []wait[T] `bits:"type"`
	buckets []int32   `soft:"an associative look-up in hardware"` // first entry of each chain of equal hash, -1: none
	mask    uint64
	free    []int32 `bits:"log(entries)"` // entries, last freed first
	freeW   int32   // chain of unused waits that were in use, or -1
	fresh   int32   // the waits from this one on were never in use, nor their memory touched
	used    int
	// Occupancy is the sum over time of the entries in use, in entry-cycles, up to the last change.
	Occupancy uint64
	since     uint64
}

type entry struct {
	line              uint64
	next              int32 `soft:"an associative look-up in hardware"` // in the chain of equal hash
	first, last       int32 // waits
	n                 int32
	expected, arrived uint8
}

type wait[T any] struct {
	next int32
	need uint8
	v    T
}

// New returns an empty file, or the error of Spec.Check.
func New[T any](s Spec) (*File[T], error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f := &File[T]{spec: s, entries: make([]entry, s.Entries), waits: make([]wait[T], s.Entries*s.Merges), freeW: -1}
	n := 1 << bits.Len(uint(s.Entries))
	f.buckets, f.mask = make([]int32, n), uint64(n-1)
	for i := range f.buckets {
		f.buckets[i] = -1
	}
	for i := s.Entries - 1; i >= 0; i-- {
		f.free = append(f.free, int32(i))
	}
	return f, nil
}

func (f *File[T]) bucket(line uint64) *int32 {
	return &f.buckets[(line*0x9e3779b97f4a7c15)>>40&f.mask] // Fibonacci hashing (Knuth 6.4)
}

// Used returns the number of outstanding lines.
func (f *File[T]) Used() int { return f.used }

// Find returns the entry of a line, or -1.
func (f *File[T]) Find(line uint64) int {
	for e := *f.bucket(line); e >= 0; e = f.entries[e].next {
		if f.entries[e].line == line {
			return int(e)
		}
	}
	return -1
}

// CanOpen reports whether there is a free entry for another line.
func (f *File[T]) CanOpen() Refusal {
	if len(f.free) == 0 {
		return NoEntry
	}
	return Accepted
}

// CanAdd reports whether another access can wait for entry e.
func (f *File[T]) CanAdd(e int) Refusal {
	if int(f.entries[e].n) == f.spec.Merges {
		return NoMerge
	}
	return Accepted
}

// Open allocates an entry for a line without one. CanOpen must have accepted.
func (f *File[T]) Open(now, line uint64) int {
	f.account(now)
	e := f.free[len(f.free)-1]
	f.free = f.free[:len(f.free)-1]
	f.used++
	b := f.bucket(line)
	f.entries[e] = entry{line: line, next: *b, first: -1, last: -1}
	*b = e
	return int(e)
}

// Add makes an access wait until the sectors need of entry e have arrived. CanAdd must have accepted.
func (f *File[T]) Add(e int, need uint8, v T) {
	w := f.freeW
	if w >= 0 {
		f.freeW = f.waits[w].next
	} else {
		w = f.fresh
		f.fresh++
	}
	f.waits[w] = wait[T]{next: -1, need: need, v: v}
	x := &f.entries[e]
	if x.last < 0 {
		x.first = w
	} else {
		f.waits[x.last].next = w
	}
	x.last = w
	x.n++
}

// Line returns the line of entry e.
func (f *File[T]) Line(e int) uint64 { return f.entries[e].line }

// Expected returns the requested sectors of entry e.
func (f *File[T]) Expected(e int) uint8 { return f.entries[e].expected }

// Expect records a request for sectors of entry e.
func (f *File[T]) Expect(e int, sectors uint8) { f.entries[e].expected |= sectors }

// Arrive records the arrival of sectors of entry e.
func (f *File[T]) Arrive(e int, sectors uint8) { f.entries[e].arrived |= sectors }

// Next returns the oldest access of entry e whose sectors have all arrived, or nil. The access stays until Drop.
func (f *File[T]) Next(e int) *T {
	x := &f.entries[e]
	for w := x.first; w >= 0; w = f.waits[w].next {
		if f.waits[w].need&^x.arrived == 0 {
			return &f.waits[w].v
		}
	}
	return nil
}

// Drop removes the access returned by Next.
func (f *File[T]) Drop(e int) {
	x := &f.entries[e]
	prev := int32(-1)
	for w := x.first; w >= 0; prev, w = w, f.waits[w].next {
		if f.waits[w].need&^x.arrived != 0 {
			continue
		}
		next := f.waits[w].next
		if prev < 0 {
			x.first = next
		} else {
			f.waits[prev].next = next
		}
		if x.last == w {
			x.last = prev
		}
		f.waits[w].next = f.freeW
		f.freeW = w
		x.n--
		return
	}
}

// Done reports whether entry e can be closed: every requested sector has arrived and no access waits.
func (f *File[T]) Done(e int) bool {
	x := &f.entries[e]
	return x.n == 0 && x.arrived == x.expected
}

// Close frees entry e.
func (f *File[T]) Close(now uint64, e int) {
	f.account(now)
	p := f.bucket(f.entries[e].line)
	for *p != int32(e) {
		p = &f.entries[*p].next
	}
	*p = f.entries[e].next
	f.free = append(f.free, int32(e))
	f.used--
}

func (f *File[T]) account(now uint64) {
	f.Occupancy += uint64(f.used) * (now - f.since)
	f.since = now
}
