package tagarray

import (
	"testing"

	"pgregory.net/rapid"
)

func small(t interface{ Fatal(...any) }, s Spec) *Array {
	a, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func lru4() Spec {
	return Spec{Sets: 2, Ways: 4, Line: 128, Sector: 32, Replace: "lru", Index: "linear"}
}

func TestTheLeastRecentlyUsedLineIsReplaced(t *testing.T) {
	a := small(t, lru4())
	for k := uint64(0); k < 4; k++ {
		addr := k * 256 // line numbers 0, 2, 4, 6: all in set 0 of 2
		a.Replace(a.Victim(addr), addr, 0)
	}
	a.Touch(a.Find(0))
	if got := a.Addr(a.Victim(4 * 256)); got != 256 {
		t.Errorf("victim is the line at %d, want 256: line 0 was touched after it", got)
	}
}

func TestFifoIgnoresUse(t *testing.T) {
	s := lru4()
	s.Replace = "fifo"
	a := small(t, s)
	for k := uint64(0); k < 4; k++ {
		a.Replace(a.Victim(k*256), k*256, 0)
	}
	a.Touch(a.Find(0))
	if got := a.Addr(a.Victim(4 * 256)); got != 0 {
		t.Errorf("victim is the line at %d, want 0, the first to come", got)
	}
}

func TestALineWithASectorOnItsWayIsNeverAVictim(t *testing.T) {
	a := small(t, lru4())
	for k := uint64(0); k < 4; k++ {
		i := a.Victim(k * 256)
		a.Replace(i, k*256, 0)
		a.Reserve(i, 1)
	}
	if v := a.Victim(4 * 256); v != -1 {
		t.Fatalf("victim %d in a set of reserved lines, want none", v)
	}
	a.Fill(a.Find(512), 1)
	if got := a.Addr(a.Victim(4 * 256)); got != 512 {
		t.Errorf("victim is the line at %d, want 512, the only one that has arrived", got)
	}
}

func TestOnlyLinesOfAllowedKindsAreReplaced(t *testing.T) {
	a := small(t, lru4())
	for k := uint64(0); k < 4; k++ {
		a.Replace(a.Victim(k*256), k*256, uint8(k%2)) // kinds 0 1 0 1
	}
	if got := a.Addr(a.VictimAmong(1024, 1<<1)); got != 256 {
		t.Errorf("victim among kind 1 is at %d, want 256", got)
	}
	if v := a.VictimAmong(1024, 1<<2); v != -1 {
		t.Errorf("victim %d among a kind that no line has, want none", v)
	}
}

func TestAPartlyWrittenSectorIsDirtyAndNotValid(t *testing.T) {
	a := small(t, lru4())
	i := a.Victim(0)
	a.Replace(i, 0, 0)
	a.Write(i, 0b0011, 0b0001)
	if a.Valid(i) != 0b0001 || a.Dirty(i) != 0b0011 {
		t.Errorf("valid %04b dirty %04b, want 0001 and 0011", a.Valid(i), a.Dirty(i))
	}
	if e := a.Replace(i, 256, 0); !e.Present || e.Dirty != 0b0011 || e.Addr != 0 {
		t.Errorf("evicted %+v, want the dirty line at 0", e)
	}
}

func TestAskingForAVictimTwiceGivesTheSameAnswer(t *testing.T) {
	s := lru4()
	s.Replace, s.Seed = "random", 7
	a := small(t, s)
	seen := map[int]bool{}
	for k := uint64(0); k < 200; k++ {
		v := a.Victim(k * 256)
		if w := a.Victim(k * 256); w != v {
			t.Fatalf("victims %d and %d of the same state", v, w)
		}
		seen[v] = true
		a.Replace(v, k*256, 0)
	}
	if len(seen) != 4 {
		t.Errorf("random replacement chose %d of 4 ways", len(seen))
	}
}

// model is a cache of whole lines as a list per set, oldest use first.
type model struct {
	sets [][]uint64
	ways int
}

func (m *model) access(line uint64) (hit bool) {
	s := &m.sets[line%uint64(len(m.sets))]
	for i, l := range *s {
		if l == line {
			*s = append(append((*s)[:i:i], (*s)[i+1:]...), line)
			return true
		}
	}
	if len(*s) == m.ways {
		*s = (*s)[1:]
	}
	*s = append(*s, line)
	return false
}

func TestHitsAreThoseOfAListOfRecentlyUsedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets, ways := rapid.IntRange(1, 6).Draw(t, "sets"), rapid.IntRange(1, 5).Draw(t, "ways")
		a := small(t, Spec{Sets: sets, Ways: ways, Line: 128, Sector: 128, Replace: "lru", Index: "linear"})
		m := &model{sets: make([][]uint64, sets), ways: ways}
		for _, l := range rapid.SliceOfN(rapid.Uint64Range(0, 40), 0, 200).Draw(t, "lines") {
			i := a.Find(l * 128)
			if want := m.access(l); want != (i >= 0) {
				t.Fatalf("line %d: hit %v, want %v", l, i >= 0, want)
			}
			if i < 0 {
				i = a.Victim(l * 128)
				a.Replace(i, l*128, 0)
			}
			a.Touch(i)
		}
	})
}

func TestEveryIndexSpreadsAlignedRunsEvenly(t *testing.T) {
	for _, kind := range []string{"linear", "xor", "ipoly"} {
		x := NewIndex(kind, 32)
		for base := uint64(0); base < 1<<20; base += 7919 * 32 {
			var n [32]int
			for l := base; l < base+32; l++ {
				n[x.Of(l)]++
			}
			for s, c := range n {
				if c != 1 {
					t.Fatalf("%s: %d of the 32 lines from %d lie in set %d, want 1", kind, c, base, s)
				}
			}
		}
	}
}

func TestTheHashedIndicesBreakAPowerOfTwoStride(t *testing.T) {
	for _, kind := range []string{"xor", "ipoly"} {
		x := NewIndex(kind, 16)
		seen := map[int]bool{}
		for l := uint64(0); l < 16; l++ {
			seen[x.Of(l*16)] = true // linear: all in set 0
		}
		if len(seen) != 16 {
			t.Errorf("%s: a stride of 16 lines touches %d of 16 sets", kind, len(seen))
		}
	}
}
