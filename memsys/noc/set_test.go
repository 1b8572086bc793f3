package noc

import (
	"testing"

	"pgregory.net/rapid"
)

func TestASetIsAMapOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "numbers")
		s, ref := newSet(n), map[int]bool{}
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			i := rapid.IntRange(0, n-1).Draw(t, "number")
			if rapid.Bool().Draw(t, "add") {
				s.add(i)
				ref[i] = true
			} else {
				s.remove(i)
				delete(ref, i)
			}
			if s.has(i) != ref[i] || s.len() != len(ref) || s.empty() != (len(ref) == 0) {
				t.Fatalf("set %v, want %v", s, ref)
			}
			if len(ref) == 0 {
				continue
			}
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			want := from
			for !ref[want] {
				want = (want + 1) % n
			}
			if got := s.firstFrom(from); got != want {
				t.Fatalf("first from %d: %d, want %d of %v", from, got, want, ref)
			}
		}
	})
}
