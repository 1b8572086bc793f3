package moving

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// keeper is a file with a register of context 2 outside its banks.
type keeper struct {
	regfile.Design
	keeps bool
}

func (k *keeper) Kept() []func(uint16) bool {
	return []func(uint16) bool{func(c uint16) bool { return k.keeps && c == 2 }}
}

func TestThePlaceOfAWarpThatHasEndedIsTakenUntilNothingIsOnItsWayThere(t *testing.T) {
	r := newRig(t)
	k := &keeper{keeps: true}
	r.m.Await(k)
	r.start(0, 2, 3)
	r.end(0, 2, 3)
	r.run(Settle)
	r.start(1, 4)
	if r.m.At(2) < 0 || r.m.At(3) >= 0 {
		t.Errorf("contexts 2 and 3 have the places %d and %d, want that of 2 alone to be taken", r.m.At(2), r.m.At(3))
	}
	k.keeps = false
	r.start(2, 5)
	if r.m.At(2) >= 0 {
		t.Error("nothing is on its way, and the place is still taken")
	}
}

func TestContextsAreHereWhenTheFileKeepsNothingOfThemAndNoResultWaits(t *testing.T) {
	r := newRig(t)
	k := &keeper{keeps: true}
	r.m.Await(k)
	r.start(0, 2, 3)
	if r.m.Here([]uint16{3, 2}) || !r.m.Here([]uint16{3}) || !r.m.Kept(2) {
		t.Error("context 2 is kept elsewhere, and 3 is not")
	}
	k.keeps, r.m.keeps = false, false
	o := r.begin(2, []ir.RegID{5})
	r.m.Away(2)
	r.run(3)
	r.finish(o)
	if r.m.Held() != 1 || r.m.Here([]uint16{2}) {
		t.Errorf("%d results wait, want one, before which the context is not here", r.m.Held())
	}
	r.m.keeps = true
	r.run(5)
	if !r.m.Here([]uint16{2}) {
		t.Error("nothing waits, and the context is not here")
	}
}

// Contexts 2 and 3 end in one cycle. A new warp starts in context 2 in the next one.
func TestAPlaceIsTakenForTheTimeThatALateResultNeedsAndANewWarpKeepsIt(t *testing.T) {
	r := newRig(t)
	r.m.Await(&keeper{})
	r.start(0, 2, 3)
	at := r.Domain.Now() + 1
	r.ctas.Send(at, regfile.CTANotice{Contexts: []uint16{2, 3}, Finished: true})
	r.ctas.Send(at+1, regfile.CTANotice{CTA: 1, Contexts: []uint16{2}})
	for i := range wire.Cycle(2) {
		r.ctas.Send(at+Settle-1+i, regfile.CTANotice{CTA: 2 + uint16(i), Contexts: []uint16{5 + uint16(i)}})
	}
	for i := range wire.Cycle(2) {
		last := at + Settle - 1 + i
		r.Domain.RunUntil(last + 1)
		if taken := r.m.At(3) >= 0; r.m.At(2) < 0 || taken != (i == 0) {
			t.Errorf("%d cycles after the end contexts 2 and 3 have the places %d and %d, want that of 2, and of 3 up "+
				"to %d cycles", last-at, r.m.At(2), r.m.At(3), Settle-1)
		}
	}
}
