package scoreboard

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
)

func TestAnOperationOnARegisterThatIsGivenUpIsToldFromOnesBelow(t *testing.T) {
	load, add := smtest.Inst(ir.ClassLoad, []int{70}, 0), smtest.Inst(ir.ClassInt, []int{71}, 0)
	for _, k := range []struct {
		in                 ir.Inst
		from               int
		wait, memory, long bool
	}{{load, 70, true, true, true}, {load, 71, false, false, false}, {add, 71, true, false, false},
		{add, 64, true, false, false}} {
		p := program.New(smtest.KernelOf(k.in), &program.Target{Kinds: [ir.NumClasses]uint8{ir.ClassLoad: 1}}, nil)
		var b Board
		b.Issue(&k.in, &p.Info[0])
		b.Read(&k.in)
		if wait, memory, long := b.Occupied(k.from); wait != k.wait || memory != k.memory || long != k.long {
			t.Errorf("class %s, from %d: waits %t, for memory %t, long %t", k.in.T.Class, k.from, wait, memory, long)
		}
	}
}

func TestAPredicateFromAfarIsALongLatencyResult(t *testing.T) {
	load, use := smtest.Inst(ir.ClassAtomic, nil, 0), smtest.Inst(ir.ClassInt, nil, 0)
	load.T.DstPreds, use.T.SrcPreds, load.T.Space = 4, 4, ir.Global
	p := program.New(smtest.KernelOf(load, use), &program.Target{Kinds: [ir.NumClasses]uint8{ir.ClassLoad: 1}}, nil)
	var b Board
	b.Issue(&load, &p.Info[0])
	if !b.AwaitsLong(&p.Info[1]) {
		t.Error("the use of the predicate does not wait for a long-latency result")
	}
	b.Done(&load)
	if b.AwaitsLong(&p.Info[1]) {
		t.Error("it still waits")
	}
}
