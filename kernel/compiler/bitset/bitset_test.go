package bitset

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRangesAreThoseOfSingleElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 300
		s, want := New(n), map[int]bool{}
		for range rapid.IntRange(0, 4).Draw(t, "ranges") {
			a := rapid.IntRange(0, n).Draw(t, "from")
			b := rapid.IntRange(0, n).Draw(t, "to")
			s.AddRange(a, b)
			for i := a; i < b; i++ {
				want[i] = true
			}
		}
		count, last := 0, -1
		s.Each(func(int) { count++ })
		if count != len(want) {
			t.Fatalf("%d elements, want %d", count, len(want))
		}
		for i := range s.All() {
			if i <= last || !want[i] {
				t.Fatalf("element %d after %d, in the set: %v", i, last, want[i])
			}
			last = i
			count--
		}
		if count != 0 {
			t.Fatalf("All leaves out %d elements", count)
		}
		a := rapid.IntRange(0, n).Draw(t, "a")
		b := rapid.IntRange(0, n).Draw(t, "b")
		any := false
		for i := a; i < b; i++ {
			any = any || want[i]
			if s.Has(i) != want[i] {
				t.Fatalf("element %d: %v", i, s.Has(i))
			}
		}
		if s.AnyIn(a, b) != any {
			t.Fatalf("any in [%d,%d): %v", a, b, !any)
		}
	})
}

func TestOrTellsWhetherSomethingWasAdded(t *testing.T) {
	a, b := New(100), New(100)
	b.Add(70)
	if !a.Or(b) || a.Or(b) {
		t.Error("the first union adds 70, the second nothing")
	}
	a.Remove(70)
	if a.Has(70) || !b.Has(70) {
		t.Error("removal from one set reached the other")
	}
}
