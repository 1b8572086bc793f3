package intervals

import "math/bits"

// Set is a set of register numbers from 0 to 255.
type Set [4]uint64

// Add puts register r into the set.
func (s *Set) Add(r int) { s[r>>6] |= 1 << (r & 63) }

// Has reports whether register r is in the set.
func (s Set) Has(r int) bool { return s[r>>6]>>(r&63)&1 != 0 }

// Remove takes register r out of the set.
func (s *Set) Remove(r int) { s[r>>6] &^= 1 << (r & 63) }

// Empty reports whether no register is in the set.
func (s Set) Empty() bool { return s == Set{} }

// First returns the lowest register of a set. It panics if the set is empty.
func (s *Set) First() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	panic("intervals: the first register of an empty set")
}

// And returns the intersection of two sets.
func (s Set) And(o Set) Set {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// Without returns the set less the registers of another one.
func (s Set) Without(o Set) Set {
	for i := range s {
		s[i] &^= o[i]
	}
	return s
}

// Or returns the union of two sets.
func (s Set) Or(o Set) Set {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// Len returns the number of registers.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Registers returns the registers in ascending order.
func (s Set) Registers() []int {
	out := make([]int, 0, s.Len())
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, i<<6+bits.TrailingZeros64(w))
		}
	}
	return out
}
