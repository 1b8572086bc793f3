package sm

import (
	"testing"

	"kumiko/kernel/ir"
)

func TestAnOperationOnARegisterThatIsGivenUpIsToldFromOnesBelow(t *testing.T) {
	load, add := inst(ir.ClassLoad, []int{70}, 0), inst(ir.ClassInt, []int{71}, 0)
	for _, k := range []struct {
		in                 ir.Inst
		from               int
		wait, memory, long bool
	}{{load, 70, true, true, true}, {load, 71, false, false, false}, {add, 71, true, false, false},
		{add, 64, true, false, false}} {
		p := NewProgram(kernelOf(k.in), &Target{Kinds: [ir.NumClasses]uint8{ir.ClassLoad: 1}}, nil)
		var b scoreboard
		b.issue(&k.in, &p.info[0])
		b.read(&k.in)
		if wait, memory, long := b.occupied(k.from); wait != k.wait || memory != k.memory || long != k.long {
			t.Errorf("class %s, from %d: waits %t, for memory %t, long %t", k.in.T.Class, k.from, wait, memory, long)
		}
	}
}

func TestAPredicateFromAfarIsALongLatencyResult(t *testing.T) {
	load, use := inst(ir.ClassAtomic, nil, 0), inst(ir.ClassInt, nil, 0)
	load.T.DstPreds, use.T.SrcPreds, load.T.Space = 4, 4, ir.Global
	p := NewProgram(kernelOf(load, use), &Target{Kinds: [ir.NumClasses]uint8{ir.ClassLoad: 1}}, nil)
	var b scoreboard
	b.issue(&load, &p.info[0])
	if !b.awaitsLong(&p.info[1]) {
		t.Error("the use of the predicate does not wait for a long-latency result")
	}
	b.done(&load)
	if b.awaitsLong(&p.info[1]) {
		t.Error("it still waits")
	}
}
