package sharing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

type pairsRig struct {
	d     *wire.Domain
	p     *Pairs
	ctas  *wiretest.Source[regfile.CTANotice]
	taken *wiretest.Source[Taken]
	seats *wiretest.Sink[Seat]
	reg   stats.Registry
}

// warpsPerCTA of the tests: CTA slot s has contexts 2s and 2s+1.
const warpsPerCTA = 2

func newPairsRig(x plan) *pairsRig {
	x.warps = warpsPerCTA
	r := &pairsRig{d: wire.NewDomain("Core", 1e9)}
	r.p = NewPairs("Pairs", r.d, 8, 16, &r.reg)
	r.ctas = wiretest.NewSource("Residency", r.d, &r.p.CTA)
	r.taken = wiretest.NewSource("Locks", r.d, &r.p.Taken)
	r.seats = wiretest.NewSink("Seats", r.d, &r.p.Seats, 16)
	r.p.Load(x)
	return r
}

func contexts(slot int) []uint16 {
	return []uint16{uint16(warpsPerCTA * slot), uint16(warpsPerCTA*slot + 1)}
}

// begin and finish put a notice at cycle c, visible at c + 1.
func (r *pairsRig) begin(c wire.Cycle, slot int) {
	r.ctas.Send(c, regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot)})
}

func (r *pairsRig) finish(c wire.Cycle, slot int) {
	r.ctas.Send(c, regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot), Finished: true})
}

// slotsOf returns the CTA slots with all warps in the set; a slot with only one of two is -1.
func slotsOf(s regfile.WarpSet) []int {
	out := []int{}
	for slot := range 8 {
		a, b := s.Has(2*slot), s.Has(2*slot+1)
		switch {
		case a && b:
			out = append(out, slot)
		case a || b:
			out = append(out, -1)
		}
	}
	return out
}

func (r *pairsRig) want(t *testing.T, owner, nonOwner, unshared []int) {
	t.Helper()
	for _, c := range []struct {
		name string
		got  regfile.WarpSet
		want []int
	}{{"owners", r.p.Owner.Get(), owner}, {"non-owners", r.p.NonOwner.Get(), nonOwner},
		{"unshared", r.p.Unshared.Get(), unshared}} {
		if got := slotsOf(c.got); !slices.Equal(got, c.want) {
			t.Errorf("cycle %d: %s are the CTAs of slots %v, want %v", r.d.Now(), c.name, got, c.want)
		}
	}
}

// Two pairs and one unshared CTA: slots 0 and 1 begin the pairs, 2 is unshared,
// 3 and 4 are the partners of 0 and 1.
func TestTheFirstCTAsFitWithoutSharing(t *testing.T) {
	x := plan{pairs: 2, unshared: 1}
	for slot, want := range [][2]int{{0, 0}, {1, 0}, {alone, 0}, {0, 1}, {1, 1}} {
		pair, side := x.seat(slot)
		if pair != want[0] || side != want[1] {
			t.Errorf("slot %d: pair %d side %d, want %v", slot, pair, side, want)
		}
		if pair != alone && x.slot(pair, side) != slot {
			t.Errorf("pair %d side %d is slot %d, want %d", pair, side, x.slot(pair, side), slot)
		}
	}
}

func TestTheCTAThatIsThereFirstOwnsThePair(t *testing.T) {
	r := newPairsRig(plan{pairs: 2, unshared: 1})
	for slot := range 5 {
		r.begin(10+wire.Cycle(slot), slot)
	}
	r.d.RunUntil(30)
	r.want(t, []int{0, 1}, []int{3, 4}, []int{2})
	for i, s := range r.seats.Got {
		pair, side := r.p.plan.seat(i)
		if int(s.Msg.Pair) != pair || int(s.Msg.Side) != side || !slices.Equal(s.Msg.Contexts, contexts(i)) {
			t.Errorf("seat %d is %+v, want pair %d side %d", i, s.Msg, pair, side)
		}
	}
}

// The notice put at 10 is visible at 11; the signals and the seat are visible at 12.
func TestASeatIsKnownTheCycleAfterItsNotice(t *testing.T) {
	r := newPairsRig(plan{pairs: 1})
	r.begin(10, 0)
	r.d.RunUntil(11)
	r.want(t, []int{}, []int{}, []int{})
	r.d.RunUntil(12)
	r.want(t, []int{0}, []int{}, []int{})
	if c := r.seats.Cycles(); !slices.Equal(c, []wire.Cycle{12}) {
		t.Errorf("seats at %v, want 12", c)
	}
}

func TestOwnershipGoesToThePartnerWhenTheOwnerFinishes(t *testing.T) {
	r := newPairsRig(plan{pairs: 1})
	r.begin(10, 0)
	r.begin(11, 1)
	r.finish(20, 0)
	r.d.RunUntil(25)
	r.want(t, []int{1}, []int{}, []int{})
	r.begin(30, 0) // the next CTA takes the slot
	r.d.RunUntil(35)
	r.want(t, []int{1}, []int{0}, []int{})
	if n := r.reg.Snapshot()["regfile.sharing.ownership_by_finish"]; n != 1 {
		t.Errorf("%d transfers, want 1", n)
	}
}

func TestANonOwnerThatFinishesLeavesTheOwnerAsItIs(t *testing.T) {
	r := newPairsRig(plan{pairs: 1})
	r.begin(10, 0)
	r.begin(11, 1)
	r.finish(20, 1)
	r.d.RunUntil(25)
	r.want(t, []int{0}, []int{}, []int{})
	if n := r.reg.Snapshot()["regfile.sharing.ownership_by_finish"]; n != 0 {
		t.Errorf("%d transfers, want none", n)
	}
}

func TestWhoTakesALockFirstBecomesTheOwner(t *testing.T) {
	r := newPairsRig(plan{pairs: 1})
	r.begin(10, 0)
	r.begin(11, 1)
	r.taken.Send(20, Taken{Pair: 0, Side: 1})
	r.d.RunUntil(25)
	r.want(t, []int{1}, []int{0}, []int{})
	r.taken.Send(30, Taken{Pair: 0, Side: 1}) // has it already
	r.d.RunUntil(35)
	r.want(t, []int{1}, []int{0}, []int{})
	if n := r.reg.Snapshot()["regfile.sharing.ownership_by_lock"]; n != 1 {
		t.Errorf("%d transfers, want 1", n)
	}
}

func TestWithoutSharingThereIsNoClassAndNoSeat(t *testing.T) {
	r := newPairsRig(plan{unshared: 3})
	for slot := range 3 {
		r.begin(10, slot)
	}
	r.d.RunUntil(30)
	r.want(t, []int{}, []int{}, []int{})
	if len(r.seats.Got) != 0 {
		t.Errorf("seats %v, want none", r.seats.Got)
	}
}

// A context is free when its warp has ended, though its CTA has not.
func TestAContextOfACTAThatHasNotEndedMayGoToAnother(t *testing.T) {
	r := newPairsRig(plan{pairs: 1, unshared: 2})
	r.ctas.Send(10, regfile.CTANotice{CTA: 1, Contexts: []uint16{0, 1}})
	r.ctas.Send(20, regfile.CTANotice{CTA: 2, Contexts: []uint16{1, 2}})
	r.ctas.Send(30, regfile.CTANotice{CTA: 1, Contexts: []uint16{0, 1}, Finished: true})
	r.d.RunUntil(40)
	if v := r.p.Unshared.Get(); v.Has(0) || !v.Has(1) || !v.Has(2) {
		t.Errorf("unshared %b, want contexts 1 and 2", v[0])
	}
}

// CTAs 0 and 1 of a pair are there for 40 and 20 cycles, the unshared one for 30.
func TestResidenceIsCountedByKind(t *testing.T) {
	r := newPairsRig(plan{pairs: 1, unshared: 1})
	r.begin(10, 0)
	r.begin(10, 1)
	r.begin(20, 2)
	r.finish(40, 1)
	r.finish(40, 2)
	r.finish(50, 0)
	r.d.RunUntil(60)
	s := r.reg.Snapshot()
	for name, want := range map[string]uint64{"shared_cta_cycles": 60, "unshared_cta_cycles": 30, "ctas_shared": 2,
		"ctas_unshared": 1} {
		if got := s["regfile.sharing."+name]; got != want {
			t.Errorf("%s = %d, want %d", name, got, want)
		}
	}
}

// Whatever CTAs start and end: owners, non-owners and unshared CTAs together are the resident ones, none is of two
// kinds, and a non-empty pair has one owner.
func TestEveryPairHasExactlyOneOwner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := plan{pairs: rapid.IntRange(1, 3).Draw(t, "pairs"), unshared: rapid.IntRange(0, 2).Draw(t, "unshared")}
		r := newPairsRig(x)
		n := 2*x.pairs + x.unshared
		there := make([]bool, n)
		for i := range 40 {
			c := wire.Cycle(10 + 4*i)
			slot := rapid.IntRange(0, n-1).Draw(t, "slot")
			pair, side := x.seat(slot)
			switch what := rapid.IntRange(0, 2).Draw(t, "event"); {
			case !there[slot]:
				r.begin(c, slot)
				there[slot] = true
			case what == 0:
				r.finish(c, slot)
				there[slot] = false
			case pair != alone:
				r.taken.Send(c, Taken{Pair: int16(pair), Side: uint8(side)})
			}
			r.d.RunUntil(c + 3)
			owner, nonOwner, unshared := slotsOf(r.p.Owner.Get()), slotsOf(r.p.NonOwner.Get()),
				slotsOf(r.p.Unshared.Get())
			var all []int
			for s, is := range there {
				if is {
					all = append(all, s)
				}
			}
			if got := slices.Sorted(slices.Values(slices.Concat(owner, nonOwner, unshared))); !slices.Equal(got, all) {
				t.Fatalf("owners %v, non-owners %v, unshared %v; resident %v", owner, nonOwner, unshared, all)
			}
			owners := make([]int, x.pairs)
			for _, s := range owner {
				p, _ := x.seat(s)
				owners[p]++
			}
			for p, k := range owners {
				some := there[x.slot(p, 0)] || there[x.slot(p, 1)]
				if some && k != 1 || !some && k != 0 {
					t.Fatalf("pair %d has %d owners; resident %v", p, k, all)
				}
			}
		}
	})
}
