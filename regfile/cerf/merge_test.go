package cerf

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// Register 0 has the first entry of the first tag bank. Lanes 0 to 7 are written, the others
// fetched, and a reader waits for them.
func TestTheFirstRegisterIsMergedLikeOthers(t *testing.T) {
	r := newRig(t, fetching())
	r.put(10, 0, 0xff)
	r.get(20, 0, 0xf0f, 0)
	r.d.RunUntil(30)
	same(t, "asked", []asked{{11, req.Read, "spill", 0, 0}}, r.asked())
	r.back(40, 0)
	r.run()
	same(t, "banks", []event{{11, "write result", 0, 0}, {41, "write prefetch", 0, 0}, {42, "read operand", 0, 2}},
		r.bankEvents(0))
	same(t, "lanes that the fill writes", ^uint32(0xff), r.access[0].Got[1].Msg.Content.Lanes)
	if r.stat("merges") != 1 || r.stat("writes") != 1 || r.stat("reads") != 1 {
		t.Errorf("%d merges, %d writes, %d reads; want one of each", r.stat("merges"), r.stat("writes"),
			r.stat("reads"))
	}
}

// Register 0 of the CTA is there from 10 to 40, where the CTA ends, and register 3 from 20.
func TestEntriesAreCountedAsActiveUntilTheirCTAEnds(t *testing.T) {
	r := newRig(t, Default())
	r.ctas.Send(4, regfile.CTANotice{Contexts: []uint16{0}})
	r.put(10, 0, all)
	r.put(20, 3, all)
	r.ctas.Send(39, regfile.CTANotice{Contexts: []uint16{0}, Finished: true})
	r.put(100, 40, all)
	r.run()
	if r.stat("dropped") != 2 || r.stat("active_registers") != 30+20 {
		t.Errorf("%d registers dropped, %d cycles active; want 2 and 50", r.stat("dropped"), r.stat("active_registers"))
	}
}

// The lowest bits of an entry's number are its way, the next ones its tag bank: with two ways and four banks,
// entries 0 and 1, 8 and 9, 16 and 17 belong to bank 0.
func TestRowsOfABankAreThoseOfItsSets(t *testing.T) {
	x := newRig(t, small()).x
	for entry, want := range map[int]uint32{0: 0, 1: 1, 2: 0, 3: 1, 7: 1, 8: 2, 9: 3, 10: 2, 16: 4, 63: 15} {
		if got := x.places.row(entry); got != want {
			t.Errorf("entry %d is in row %d, want %d", entry, got, want)
		}
	}
	same(t, "rows of a bank", 64/4, x.extension().Rows)
}

// From a look-up to its data there are three links, 2 cycles in the bank, and 3 + 4 - 1 on the
// crossbar, where two values of each bank and cycle may be on their way.
func TestTheLatencyOfAHitIsWhatThePathLeaves(t *testing.T) {
	s := small()
	s.base.ReadLatency, s.base.Paths.Latency, s.base.Paths.Cycles, s.base.BankPorts = 2, 3, 4, "2rw"
	for latency, want := range map[int]int{40: 40 - l1.Overhead - (3 + 2 + 3 + 4 - 1), l1.Overhead + 1: 1} {
		s.Latency = latency
		x := newRig(t, s).x
		same(t, "latency of the link", wire.Cycle(want), x.hit)
		same(t, "room for values", (3+4)*4*2, x.Values.Capacity())
	}
}

// Of the five places before the banks, accesses leave one free for a victim, the entry that an access may evict.
func TestAnAccessLeavesAPlaceBeforeTheBanks(t *testing.T) {
	r := newRig(t, small())
	r.access[0].Refuse = func(now wire.Cycle) bool { return now < 60 }
	for i := range wire.Cycle(8) {
		r.get(10+i, 8, 0, 0)
	}
	r.d.RunUntil(50)
	same(t, "places left", 1, r.x.Access[0].Room(2))
	r.run()
	same(t, "reads at the bank", 8, len(r.access[0].Got))
}

func TestAReadTakesAReadPortAndAWriteAWritePort(t *testing.T) {
	s := small()
	s.base.BankPorts = "1r1w"
	r := newRig(t, s)
	r.get(10, 8, 0, 0)
	r.put(10, 8, all)
	r.put(10, 12, all)
	r.run()
	same(t, "banks", []wire.Cycle{11, 11, 12}, r.access[0].Cycles())
}

func TestAsManyMayLeaveAsTheQueueHolds(t *testing.T) {
	var l leaving
	l.init(3)
	same(t, "places", []uint8{2, 1, 0}, l.free)
	s := small()
	var x lines
	x.init(&s)
	same(t, "transactions", s.Queue, len(x.free))
}
