package collector

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

func TestStagesHoldUpOperationsThatReadNothing(t *testing.T) {
	for stages := 0; stages <= 3; stages++ {
		s := general(2)
		s.Stages = stages
		r := newRig(t, s, false)
		r.send(10, 0) // without stages at its unit at 12
		r.d.RunUntil(50)
		same(t, "arrival", cycles(wire.Cycle(12+stages)), r.units[0].Cycles())
	}
}

func TestStagesLeaveAloneWhatHasWaitedForOperandsLonger(t *testing.T) {
	s := general(2)
	s.Stages = 2 // earliest dispatch at 13
	r := newRig(t, s, false)
	r.send(10, 0, 5)
	r.send(11, 1, 5)
	r.answer(14, 0, 0)
	r.answer(13, 1, 0) // as early as it can be: alone, it could leave at 13; the stages end at 14
	r.d.RunUntil(50)
	same(t, "arrival", cycles(15), r.units[0].Cycles())
	same(t, "arrival", cycles(15), r.units[1].Cycles())
}

// words makes the hints of a block using the Dead bits, valid for the last read only, and the FarSrc bits of
// sources.
var words = &bank.Hints{Last: 1, Source: func(t *ir.Timing, i int) bank.Hint {
	return bank.Hint(t.Dead>>i&1 | t.FarSrc>>i&1<<1)
}}

// sendKnown issues an operation whose sources have Dead and FarSrc bits.
func (r *rig) sendKnown(at wire.Cycle, dead, far uint16, src ...ir.RegID) op.Op {
	o := r.send(at, 0, src...)
	o.Inst.T.Dead, o.Inst.T.FarSrc = dead, far
	return o
}

func TestRequestsCarryTheWordsThatAGuestWants(t *testing.T) {
	for _, c := range []struct {
		words *bank.Hints
		want  [bank.MaxReads]bank.Hint
	}{{nil, [bank.MaxReads]bank.Hint{}}, {words, [bank.MaxReads]bank.Hint{2, 2, 1}}} {
		s := general(2)
		s.Hints = c.words
		r := newRig(t, s, false)
		r.sendKnown(10, 0b100, 0b011, 1, 2, 3)
		r.d.RunUntil(50)
		same(t, "words", c.want, r.requests(0)[0].Msg.Hint)
	}
}

func TestAWordOfTheLastReadGoesWithTheLastRequestAlone(t *testing.T) {
	s := general(2)
	s.Hints, s.Inputs, s.ReadTwice = words, 1, true
	r := newRig(t, s, false)
	r.sendKnown(10, 0b11, 0b11, 7, 7) // one request per cycle: the first of the two is not the last read
	r.d.RunUntil(50)
	m := r.requests(0)
	same(t, "words", []bank.Hint{2, 3}, []bank.Hint{m[0].Msg.Hint[0], m[1].Msg.Hint[0]})

	s = general(2)
	s.Hints, s.Inputs = words, 1
	r = newRig(t, s, false)
	r.send(10, 0, 1, 2, 7)     // asks for R7 at 12
	r.sendKnown(11, 0b1, 0, 7) // asks for R7 at 11
	r.d.RunUntil(50)
	same(t, "asked at", cycles(12), r.asks(1))
	same(t, "word", bank.Hint(0), r.requests(1)[0].Msg.Hint[0])
}

func TestValuesFromTheBanksGoToFillAndValuesFromTheLastLineDoNot(t *testing.T) {
	s := general(2)
	s.Lines, s.Fills = 1, true
	r := newRig(t, s, false)
	fill := wiretest.NewSink("Cache", r.d, &r.x.Fill, 16)
	line := wiretest.NewSource("Line", r.d, &r.x.Lines[0])
	o := r.send(10, 0, 5, 6)
	v := bank.Value{Content: version.Content{Seq: 9, Lanes: 3}, Tag: o.Tag, Slot: 1}
	r.give.Send(13, v)
	line.Send(12, bank.Value{Tag: o.Tag, Slot: 0})
	r.d.RunUntil(50)
	if len(fill.Got) != 1 || fill.Got[0].Cycle != 15 || fill.Got[0].Msg != v {
		t.Errorf("passed on %+v", fill.Got)
	}
	same(t, "arrival", cycles(15), r.units[0].Cycles())
}
