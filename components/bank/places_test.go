package bank

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

type place struct {
	bank  uint8
	entry uint32
}

func find(x *Index, warp, reg int) place {
	b, e := x.Find(uint16(warp), ir.RegID(reg))
	return place{b, e}
}

// Two registers share an entry if and only if they are the same upper register of two contexts with the same place.
func TestContextsOfOnePlaceHaveOneUpperPartAndNoOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const warps, registers, places = 6, 21, 3
		policy := Policy(rapid.IntRange(0, int(numPolicies)-1).Draw(t, "policy"))
		x, err := NewIndex(policy, 8, warps, registers, 2)
		if err != nil {
			t.Fatal(err)
		}
		x.AddPlaces(places)
		split := rapid.IntRange(0, registers).Draw(t, "split")
		x.Split(split)
		at, splits := make([]int, warps), make([]int, places)
		for i := range splits {
			splits[i] = split
		}
		if rapid.Bool().Draw(t, "splits of their own") {
			for i := range splits {
				splits[i] = rapid.IntRange(split, registers).Draw(t, "split of a place")
			}
		}
		for w := range at {
			at[w] = rapid.IntRange(-1, places-1).Draw(t, "place")
			x.Lift(uint16(w), at[w])
			if at[w] >= 0 {
				x.SplitOf(uint16(w), splits[at[w]])
			}
		}
		type reg struct{ warp, reg int }
		seen := map[place]reg{}
		for w := range warps {
			for r := range registers {
				p, me := find(x, w, r), reg{w, r}
				if int(p.entry) >= x.Entries() || int(p.bank) >= 8 {
					t.Fatalf("%v lies at %v, beyond the banks", me, p)
				}
				want := me // who is there first
				if at[w] >= 0 && r >= splits[at[w]] {
					for v := range w {
						if at[v] == at[w] {
							want = reg{v, r}
							break
						}
					}
				}
				first, taken := seen[p]
				if !taken {
					first = me
					seen[p] = me
				}
				if first != want {
					t.Fatalf("%v lies where %v does, want %v", me, first, want)
				}
			}
		}
	})
}

func TestPlacesThatNobodyHasChangeNothing(t *testing.T) {
	a, _ := NewIndex(ByRegisterAndWarp, 4, 5, 16, 1)
	b, _ := NewIndex(ByRegisterAndWarp, 4, 5, 16, 1)
	b.AddPlaces(2)
	b.Split(3)
	for w := range 5 {
		for r := range 16 {
			if find(a, w, r) != find(b, w, r) {
				t.Errorf("R%d of warp %d lies at %v, without them at %v", r, w, find(b, w, r), find(a, w, r))
			}
		}
	}
}
