// Package bitset is a fixed-size set of small integers.
package bitset

import (
	"iter"
	"math/bits"
)

// Set holds integers from 0 to 64*len-1.
type Set []uint64

// New makes an empty set for integers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Add puts i into the set.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove takes i out of the set.
func (s Set) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Or adds the elements of o, a set of the same length, and reports whether s changed.
func (s Set) Or(o Set) bool {
	changed := false
	for i, w := range o {
		if n := s[i] | w; n != s[i] {
			s[i] = n
			changed = true
		}
	}
	return changed
}

// Each calls f with every element, in ascending order.
func (s Set) Each(f func(int)) {
	for i := range s.All() {
		f(i)
	}
}

// All returns the elements in ascending order. The set must not change meanwhile.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// CountBelow returns the number of elements below n.
func (s Set) CountBelow(n int) int {
	count := 0
	for _, w := range s[:n>>6] {
		count += bits.OnesCount64(w)
	}
	if n&63 != 0 {
		count += bits.OnesCount64(s[n>>6] & (1<<(n&63) - 1))
	}
	return count
}

// AnyIn reports whether an element e with from <= e < to is in the set.
func (s Set) AnyIn(from, to int) bool {
	if from >= to {
		return false
	}
	a, b := from>>6, (to-1)>>6
	lo := ^uint64(0) << (from & 63)
	hi := ^uint64(0) >> (63 - (to-1)&63)
	if a == b {
		return s[a]&lo&hi != 0
	}
	if s[a]&lo != 0 || s[b]&hi != 0 {
		return true
	}
	for _, w := range s[a+1 : b] {
		if w != 0 {
			return true
		}
	}
	return false
}

// AddRange puts every e with from <= e < to into the set.
func (s Set) AddRange(from, to int) {
	for from < to {
		w := ^uint64(0) << (from & 63)
		next := (from>>6 + 1) << 6
		if to < next {
			w &= ^uint64(0) >> (next - to)
		}
		s[from>>6] |= w
		from = next
	}
}

// Clone returns a copy of the set.
func (s Set) Clone() Set { return append(Set(nil), s...) }

// Clear empties the set.
func (s Set) Clear() { clear(s) }
