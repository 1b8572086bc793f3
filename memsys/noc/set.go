package noc

import "math/bits"

// set is a set of ports by number, 64 in a word.
type set []uint64

// newSet returns an empty set of numbers below n.
func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s set) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s set) remove(i int) { s[i>>6] &^= 1 << (i & 63) }

func (s set) empty() bool {
	for _, m := range s {
		if m != 0 {
			return false
		}
	}
	return true
}

func (s set) len() int {
	n := 0
	for _, m := range s {
		n += bits.OnesCount64(m)
	}
	return n
}

// firstFrom returns the first member from i on or, if there is none, the first of all. The set must not be
// empty.
func (s set) firstFrom(i int) int {
	w := i >> 6
	m := s[w] &^ (1<<(i&63) - 1)
	for m == 0 {
		if w++; w == len(s) {
			w = 0
		}
		m = s[w]
	}
	return w<<6 + bits.TrailingZeros64(m)
}
