package tagarray

import (
	"math/bits"
	"testing"

	"kumiko/components/splitmix"
)

func TestTheEntriesThatHoldALineAreCounted(t *testing.T) {
	a := small(t, lru4())
	for k := range uint64(3) {
		a.Replace(a.Victim(k*256), k*256, 0)
		if got := a.Live(); got != int(k)+1 {
			t.Errorf("%d lines, want %d", got, k+1)
		}
	}
	i := a.Find(256)
	a.Replace(i, 5*256, 0) // a line takes the place of another
	if a.Live() != 3 {
		t.Errorf("%d lines after one took the place of another, want 3", a.Live())
	}
	a.Invalidate(i)
	a.Invalidate(i)
	if a.Live() != 2 {
		t.Errorf("%d lines after one was dropped, want 2", a.Live())
	}
}

// A random victim is chosen among the replaceable lines by the generator, from the seed and the number of lines
// allocated so far.
func TestARandomVictimIsTheOneThatTheGeneratorNames(t *testing.T) {
	const seed = 77
	s := lru4()
	s.Replace, s.Seed = "random", seed
	a := small(t, s)
	for k := range uint64(4) {
		a.Replace(a.Victim(k*256), k*256, 0)
	}
	a.Reserve(a.Find(256), 1) // the second way may not go
	ways := []uint64{0, 512, 768}
	for filled := uint64(4); filled < 40; filled++ {
		v := a.Victim(99 * 256)
		k := splitmix.Of(seed+filled) % 3
		if got := a.Addr(v); got != ways[k] {
			t.Fatalf("after %d lines the victim is the one at %d, want %d", filled, got, ways[k])
		}
		ways[k] += 4 * 256 // another line of the set
		a.Replace(v, ways[k], 0)
	}
}

func TestARandomVictimAloneIsTaken(t *testing.T) {
	s := lru4()
	s.Replace = "random"
	a := small(t, s)
	for k := range uint64(4) {
		i := a.Victim(k * 256)
		a.Replace(i, k*256, 0)
		if k != 2 {
			a.Reserve(i, 1)
		}
	}
	if got := a.Addr(a.Victim(9 * 256)); got != 512 {
		t.Errorf("victim is the line at %d, want 512, the only one that may go", got)
	}
}

// An xor index adds, without carry, the groups of bits of a line number.
func TestAnXorIndexFoldsTheBitsOfALine(t *testing.T) {
	const sets = 8
	x := NewIndex("xor", sets)
	for _, line := range []uint64{0, 5, 0x123, 0xfedcba98, 0x12_3456_789a} {
		want := uint64(0)
		for rest := line & (1<<40 - 1); rest != 0; rest >>= bits.Len(sets - 1) {
			want ^= rest & (sets - 1)
		}
		if got := x.Of(line); got != int(want) {
			t.Errorf("line %#x: place %d, want %d", line, got, want)
		}
	}
}

// Of runs of 4 lines the array sees every second one.
func TestAnInterleavedIndexLeavesNoGaps(t *testing.T) {
	x := NewIndex("linear", 16).Interleaved(2, 2)
	for i, line := range []uint64{0, 1, 2, 3, 8, 9, 10, 11, 16, 17} {
		if got := x.Of(line); got != i {
			t.Errorf("line %d: place %d, want %d", line, got, i)
		}
	}
	one := NewIndex("linear", 16).Interleaved(2, 1)
	for line := range uint64(16) {
		if got := one.Of(line); got != int(line) {
			t.Errorf("with one part line %d has place %d", line, got)
		}
	}
}
