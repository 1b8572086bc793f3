package tagarray

import (
	"math/bits"

	"kumiko/components/splitmix"
)

// none is the line number of an empty entry.
const none = ^uint64(0)

// AllKinds allows lines of every kind to be replaced.
const AllKinds = ^uint16(0)

// Array holds the tags of a structure. Sector masks have bit i for sector i of the line.
type Array struct {
	spec   Spec
	index  Index
	shift  uint // log2 of the line size
	lru    bool // as Spec.Replace says
	random bool
	// One element per entry, the ways of a set side by side.
	line    []uint64 `bits:"40"`
	stamp   []uint64 `bits:"log(spec.Ways)"` // order of use (lru) or of allocation (fifo)
	valid   []uint8  `bits:"spec.Line/spec.Sector"`
	dirty   []uint8  `bits:"spec.Line/spec.Sector"`
	pending []uint8  `bits:"spec.Line/spec.Sector"`
	kind    []uint8  `bits:"2"`
	clock   uint64
	filled  uint64 // allocations so far; the next place of the random sequence
	live    int
}

// Evicted is the line replaced by a new one. Present is false if the entry was free.
type Evicted struct {
	Addr    uint64
	Valid   uint8
	Dirty   uint8
	Kind    uint8
	Present bool
}

// New returns an array without lines, or the error of Spec.Check.
func New(s Spec) (*Array, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := s.Sets * s.Ways
	a := &Array{
		spec: s, index: NewIndex(s.Index, s.Sets), shift: uint(bits.TrailingZeros(uint(s.Line))),
		lru: s.Replace == "lru", random: s.Replace == "random",
		line: make([]uint64, n), stamp: make([]uint64, n),
		valid: make([]uint8, n), dirty: make([]uint8, n), pending: make([]uint8, n), kind: make([]uint8, n),
	}
	a.Reset()
	return a, nil
}

// Interleave declares, before first use, that the array sees only one in every parts runs of runLines lines (a
// power of two); see Index.Interleaved.
func (a *Array) Interleave(runLines, parts int) {
	a.index = a.index.Interleaved(uint(bits.TrailingZeros(uint(runLines))), parts)
}

// Reset drops every line. Dirty ones are lost.
func (a *Array) Reset() {
	for i := range a.line {
		a.drop(i)
	}
	a.live = 0
}

// Spec returns the specification of the array.
func (a *Array) Spec() *Spec { return &a.spec }

// Entries returns the number of entries, Sets x Ways.
func (a *Array) Entries() int { return len(a.line) }

// Live returns the number of entries holding a line, reserved entries included.
func (a *Array) Live() int { return a.live }

// Set returns the set of an address.
func (a *Array) Set(addr uint64) int { return a.index.Of(addr >> a.shift) }

// Find returns the entry holding the line of addr, or -1.
func (a *Array) Find(addr uint64) int {
	l := addr >> a.shift
	first := a.index.Of(l) * a.spec.Ways
	for i, x := range a.line[first : first+a.spec.Ways] {
		if x == l {
			return first + i
		}
	}
	return -1
}

// Victim returns the entry for a new line at addr: a free one, otherwise the choice of the replacement policy among
// the entries without a pending sector. It returns -1 if every way of the set has a pending sector.
func (a *Array) Victim(addr uint64) int { return a.VictimAmong(addr, AllKinds) }

// VictimAmong is Victim restricted to replacing lines of the given kinds (bit k: kind k, below 16).
func (a *Array) VictimAmong(addr uint64, kinds uint16) int {
	first := a.Set(addr) * a.spec.Ways
	best, candidates := -1, uint64(0)
	for i := first; i < first+a.spec.Ways; i++ {
		if a.line[i] == none {
			return i
		}
		if a.pending[i] != 0 || kinds>>(a.kind[i]&15)&1 == 0 {
			continue
		}
		candidates++
		if best < 0 || a.stamp[i] < a.stamp[best] {
			best = i
		}
	}
	if !a.random || candidates < 2 {
		return best
	}
	skip := splitmix.Of(a.spec.Seed+a.filled) % candidates
	for i := first; ; i++ {
		if a.pending[i] != 0 || kinds>>(a.kind[i]&15)&1 == 0 {
			continue
		}
		if skip == 0 {
			return i
		}
		skip--
	}
}

// Replace puts the line of addr into entry i, as the most recently used line of its set, with no valid, dirty or
// pending sector. It returns the replaced line.
func (a *Array) Replace(i int, addr uint64, kind uint8) Evicted {
	var old Evicted
	if a.line[i] == none {
		a.live++
	} else {
		old = Evicted{Addr: a.line[i] << a.shift, Valid: a.valid[i], Dirty: a.dirty[i], Kind: a.kind[i], Present: true}
	}
	a.filled++
	a.clock++
	a.line[i], a.stamp[i], a.kind[i] = addr>>a.shift, a.clock, kind
	a.valid[i], a.dirty[i], a.pending[i] = 0, 0, 0
	return old
}

// Invalidate frees entry i. Dirty sectors are lost.
func (a *Array) Invalidate(i int) {
	if a.line[i] != none {
		a.live--
		a.drop(i)
	}
}

func (a *Array) drop(i int) {
	a.line[i], a.stamp[i], a.kind[i] = none, 0, 0
	a.valid[i], a.dirty[i], a.pending[i] = 0, 0, 0
}
