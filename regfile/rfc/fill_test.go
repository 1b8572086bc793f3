package rfc

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

func filling(s *Spec) { s.AllocateReads, s.Entries = true, 2 }

// come makes a value from the main file visible to the cache at cycle at: the value of the first register of the
// request seen at asked.
func (r *rig) come(at, asked wire.Cycle, seq uint32) {
	r.Fill.Send(at-1, bank.Value{Content: version.Content{Seq: seq, Lanes: all}, Tag: uint32(asked), To: 1})
}

func TestAReadThatMissesBringsItsRegisterIntoTheCache(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.come(15, 10, 7)
	r.read(20, 0, all, 5)
	r.Run()
	wiretest.Same(t, "misses", []event{{11, 5}}, r.missed())
	wiretest.Same(t, "values", cycles(22), r.Operand.Cycles())
	if c := r.Operand.Got[0].Msg.Content; c.Lane(0) != 7 {
		t.Errorf("value %+v", c)
	}
	wiretest.Same(t, "filled", uint64(1), r.Stat("filled"))
}

func TestAReadOfARegisterOnItsWayIsAnsweredWhenItComes(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.read(11, 0, 0xff, 5)
	r.read(12, 0, all, 5)
	r.come(15, 10, 7)
	r.Run()
	wiretest.Same(t, "misses", []event{{11, 5}}, r.missed())
	wiretest.Same(t, "values", cycles(17, 17), r.Operand.Cycles())
	wiretest.Same(
		t,
		"hits, of these on the way",
		[2]uint64{2, 2},
		[2]uint64{r.Stat("read_hits"), r.Stat("fill_hits")},
	)
	if g := r.Operand.Got; g[0].Msg.Tag != 11 || g[1].Msg.Tag != 12 {
		t.Errorf("values %+v", g)
	}
}

func TestAFilledRegisterIsCleanAndEvictedWithoutBeingWritten(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.come(15, 10, 7)
	r.write(20, 0, 1, all)
	r.write(21, 0, 2, all) // R5 goes
	r.write(22, 0, 3, all) // R1 goes
	r.Run()
	wiretest.Same(t, "written", []event{{23, 1}}, r.written())
}

func TestARegisterThatIsEvictedOnItsWayStillReachesWhoWaits(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.read(11, 0, all, 5)
	r.write(12, 0, 1, all)
	r.write(12, 0, 2, all) // R5's entry goes
	r.come(15, 10, 7)
	r.read(20, 0, all, 5) // not here
	r.Run()
	wiretest.Same(t, "misses", []event{{11, 5}, {21, 5}}, r.missed())
	wiretest.Same(t, "values", cycles(17), r.Operand.Cycles())
	wiretest.Same(t, "filled", uint64(0), r.Stat("filled"))
}

func TestAResultIsNotOverwrittenByAnOlderValueOnItsWay(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	v := r.write(12, 0, 5, 0xff)
	r.come(15, 10, 99)
	r.read(20, 0, all, 5)
	r.Run()
	c := r.Operand.Got[0].Msg.Content
	if c.Lane(0) != v || c.Lane(8) != 99 {
		t.Errorf("value %+v", c)
	}
}

func TestReadsBeyondTheWaitingRoomHoldUpThoseBehindThem(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	for i := range maxWaiters + 1 {
		r.read(11+wire.Cycle(i), 0, all, 5)
	}
	r.read(30, 0, all, 9)
	r.come(40, 10, 7)
	r.Run()
	wiretest.Same(t, "hits, on the way", [2]uint64{maxWaiters + 1, maxWaiters}, [2]uint64{r.Stat("read_hits"),
		r.Stat("fill_hits")})
	wiretest.Same(t, "misses", []event{{11, 5}, {41, 9}}, r.missed())
}

func TestAFillTakesAWritePortThatResultsLeave(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { filling(s); s.WriteBuffer = 0; s.Entries = 4 }), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.come(15, 10, 7)
	r.write(15, 0, 1, all)          // takes the port at 15
	r.read(15, 0, all, ir.RegID(5)) // is answered when the fill is taken, at 16
	r.Run()
	wiretest.Same(t, "results that wait", uint64(0), r.Stat("write_waits"))
	wiretest.Same(t, "values", cycles(18), r.Operand.Cycles())
}

// TestReadsWaitWhenAllThatCanBeUnderWayIs: values from the main file arrive at the rate of the banks and leave at
// the rate of a write port.
func TestReadsWaitWhenAllThatCanBeUnderWayIs(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { filling(s); s.Entries = 64 }), 8)
	r.start(2)
	limit := r.c.fills.limit // 4 collectors of 8 sources
	for i := range limit + 1 {
		r.read(10+wire.Cycle(i), uint16(i/32), all, ir.RegID(i%32))
	}
	r.come(100, 10, 7)
	r.Run()
	wiretest.Same(t, "the last read", event{101, 0}, r.missed()[limit])
	wiretest.Same(t, "reads", limit+1, len(r.missed()))
}
