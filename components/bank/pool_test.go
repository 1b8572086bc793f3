package bank

import (
	"testing"

	"pgregory.net/rapid"
)

// No two contexts have the same place. A place belongs to its context's scheduler. Registers moved elsewhere are
// overwritten by the next context in need of a place. A passed place stays the same.
func TestAPoolGivesEachContextAPlaceOfItsSchedulerAndOverwritesWhatWasMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const contexts = 12
		schedulers := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "schedulers")
		x, err := NewIndex(Policy(rapid.IntRange(0, int(numPolicies)-1).Draw(t, "policy")), 4, contexts, 9, schedulers)
		if err != nil {
			t.Fatal(err)
		}
		p := NewPool(x, schedulers)
		at := map[int]place{} // of register 0, by context
		moved := map[int]map[place]bool{}
		for s := range schedulers {
			moved[s] = map[place]bool{}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			w := rapid.IntRange(0, contexts-1).Draw(t, "context")
			s := w % schedulers
			if was, there := at[w]; there {
				if !p.Has(uint16(w)) {
					t.Fatalf("context %d has lost its place", w)
				}
				if to := (w + schedulers) % contexts; !p.Has(uint16(to)) && rapid.Bool().Draw(t, "passed") {
					p.Pass(uint16(w), uint16(to))
					delete(at, w)
					at[to] = find(x, to, 0)
					if p.Has(uint16(w)) || at[to] != was {
						t.Fatalf("context %d lies at %v after it got the place %v of context %d", to, at[to], was, w)
					}
					continue
				}
				out := rapid.Bool().Draw(t, "moved")
				p.Leave(uint16(w), out)
				delete(at, w)
				if out {
					moved[s][was] = true
				}
				continue
			}
			p.Take(uint16(w))
			got := find(x, w, 0)
			if len(moved[s]) > 0 && !moved[s][got] {
				t.Fatalf("context %d lies at %v, and not where registers were moved away: %v", w, got, moved[s])
			}
			delete(moved[s], got)
			for v, other := range at {
				if other == got {
					t.Fatalf("contexts %d and %d both lie at %v", v, w, got)
				}
			}
			at[w] = got
		}
	})
}

func TestAContextHasThePlaceOfItsNumberAsLongAsNothingMoves(t *testing.T) {
	plain, _ := NewIndex(ByRegisterAndSlot, 4, 8, 16, 2)
	x, _ := NewIndex(ByRegisterAndSlot, 4, 8, 16, 2)
	p := NewPool(x, 2)
	for _, w := range []int{3, 0, 7, 3, 1, 0} {
		if p.Has(uint16(w)) {
			p.Leave(uint16(w), false)
		}
		p.Take(uint16(w))
		for r := range 16 {
			if find(x, w, r) != find(plain, w, r) {
				t.Errorf("R%d of context %d lies at %v, without a pool at %v", r, w, find(x, w, r), find(plain, w, r))
			}
		}
	}
}
