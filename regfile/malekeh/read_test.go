package malekeh

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// A request seen at 10 is at the banks at 11. One seen at 20 is given to the link of two cycles at 20.
func TestAnOperandThatWasReadComesFromTheUnit(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	b := r.ask(20, 1, all, source{4, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}}, r.missed())
	wiretest.Same(t, "given", []operand{{22, b, 7}}, r.given())
	r.WantStats(map[string]uint64{"reads": 2, "read_hits": 1, "filled": 1, "taken": 1, "forced": 0, "waits": 0})
}

func TestAnotherWarpsRegisterIsNotGiven(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	r.ask(20, 2, all, source{4, 3})
	r.Run()
	wiretest.Same(t, "given", []operand(nil), r.given())
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {21, 4}}, r.missed())
}

// The second request comes at 11, and the operand of the first at 20.
func TestARegisterOnItsWayIsWaitedFor(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	b := r.ask(11, 1, all, source{4, 3})
	r.Bring(20, a, 0, all, 7)
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}}, r.missed())
	wiretest.Same(t, "given", []operand{{22, b, 7}}, r.given())
	r.WantStats(map[string]uint64{"waits": 9})
}

func TestARequestPassesOneThatWaits(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	r.ask(11, 1, all, source{4, 3})
	r.ask(12, 2, all, source{5, 3})
	r.Bring(20, a, 0, all, 7)
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {13, 5}}, r.missed())
}

func TestAUnitServesARequestInACycle(t *testing.T) {
	r := newRig(t, nil)
	r.ask(10, 1, all, source{4, 3})
	r.ask(10, 1, all, source{5, 3})
	r.ask(10, 2, all, source{6, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {11, 6}, {12, 5}}, r.missed())
}

// The operands of an instruction may be requested in several messages.
func TestAUnitTakesTheRestOfItsInstruction(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	r.request(11, 1, a, all, source{5, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {12, 5}}, r.missed())
}

func TestAReadOfMoreLanesThanThereAreGoesToTheBanks(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, 0xff, source{4, 3})
	r.Bring(12, a, 0, 0xff, 7)
	b := r.ask(20, 1, all, source{4, 3})
	r.Bring(25, b, 0, all, 7)
	c := r.ask(30, 1, all, source{4, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {21, 4}}, r.missed())
	wiretest.Same(t, "given", []operand{{32, c, 7}}, r.given())
}

func TestTheValueReadLatestGivesWay(t *testing.T) {
	for name, x := range map[string]struct {
		hints [3]uint8
		gone  uint8 // of R1, R2 and R3
	}{
		"the farthest":                 {[3]uint8{5, 9, 7}, 2},
		"never read again before far":  {[3]uint8{5, 200, 0}, 3},
		"255 is far, not never":        {[3]uint8{255, 5, 9}, 1},
		"among equals the last use":    {[3]uint8{5, 5, 5}, 1}, // R1 is used again
		"the farthest though it is R1": {[3]uint8{9, 5, 5}, 1},
	} {
		r := newRig(t, nil)
		list := []source{{1, 0}, {2, 0}, {3, 0}}
		for i := range list {
			list[i].hint = r.u.spec.hint(x.hints[i])
		}
		a := r.ask(10, 1, all, list...)
		for i := range list {
			r.Bring(15, a, uint8(i), all, 7)
		}
		r.ask(20, 1, all, list[0])
		r.ask(22, 1, all, source{9, 4})
		r.Run()
		c := r.u.unitOf(1)
		for _, s := range list {
			if there := c.find(s.reg) != nil; there == (uint8(s.reg) == x.gone) {
				t.Errorf("%s: R%d there: %v, want R%d gone alone", name, s.reg, there, x.gone)
			}
		}
	}
}

func TestAnOperandWithoutAnEntryIsReadAllTheSame(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	a := r.ask(10, 1, all, source{4, 3}, source{5, 3})
	r.Bring(15, a, 0, all, 7)
	r.Bring(16, a, 1, all, 8)
	b := r.ask(20, 1, all, source{4, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {11, 5}}, r.missed())
	wiretest.Same(t, "given", []operand{{22, b, 7}}, r.given())
	r.WantStats(map[string]uint64{"filled": 1})
}

// The collectors take nothing before 150, and their port holds 32 operands: those of eight requests.
func TestARequestIsServedWhenThereIsRoomForAllOfItsOperands(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 4 })
	list := []source{{4, 3}, {5, 3}, {6, 3}, {7, 3}}
	a := r.ask(10, 1, all, list...)
	for i := range list {
		r.Bring(15, a, uint8(i), all, 7)
	}
	r.Operand.Refuse = func(now wire.Cycle) bool { return now < 150 }
	for i := range 10 {
		r.ask(wire.Cycle(20+i), 1, all, list...)
	}
	r.Domain.RunUntil(149)
	r.WantStats(map[string]uint64{"read_hits": 32})
	r.Run()
	r.WantStats(map[string]uint64{"read_hits": 40})
}

// Eleven requests wait for a register: eight where requests are served, and three before.
func TestRequestsThatWaitHaveRoom(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	room := cap(r.u.pending)
	for i := range 11 {
		r.ask(wire.Cycle(20+i), 1, all, source{4, 3})
	}
	r.Domain.RunUntil(49)
	if s := r.u.Waiting(); s != "11 requests and 0 results wait" || len(r.u.pending) != room {
		t.Errorf("waiting: %q, %d of them in a place for %d", s, len(r.u.pending), room)
	}
	r.Bring(60, a, 0, all, 7)
	r.Run()
	r.WantStats(map[string]uint64{"read_hits": 11})
}
