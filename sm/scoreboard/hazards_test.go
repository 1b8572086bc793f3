package scoreboard

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
)

// infos returns the issue table of instructions.
func infos(list ...ir.Inst) []program.Inst {
	return program.New(smtest.KernelOf(list...), &program.Target{}, nil).Info
}

func TestAnInstructionWaitsForResultsAndForReadsOfWhatItOverwrites(t *testing.T) {
	add, load := smtest.Inst(ir.ClassInt, []int{1}, 2), smtest.Inst(ir.ClassLoad, []int{1}, 2)
	pred, far := smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassAtomic, nil)
	pred.T.DstPreds, far.T.DstPreds = 2, 2
	guard := smtest.Inst(ir.ClassInt, nil)
	guard.T.SrcPreds = 2
	uniform, reads := smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil)
	uniform.T.DstUniform, reads.T.SrcUniform = 4, 4
	for name, k := range map[string]struct {
		first, next  ir.Inst
		wait, memory bool
	}{
		"read after write":                     {add, smtest.Inst(ir.ClassInt, []int{3}, 1), true, false},
		"read after a load":                    {load, smtest.Inst(ir.ClassInt, []int{3}, 1), true, true},
		"write after write":                    {add, smtest.Inst(ir.ClassInt, []int{1}), true, false},
		"write after read":                     {add, smtest.Inst(ir.ClassInt, []int{2}), true, false},
		"read after read":                      {add, smtest.Inst(ir.ClassInt, []int{3}, 2), false, false},
		"predicate after a comparison":         {pred, guard, true, false},
		"predicate after an atomic":            {far, guard, true, true},
		"uniform register":                     {uniform, reads, true, false},
		"another register":                     {add, smtest.Inst(ir.ClassInt, []int{5}, 6), false, false},
		"a predicate after a uniform register": {uniform, guard, false, false},
	} {
		x := infos(k.first, k.next)
		var b Board
		b.Issue(&k.first, &x[0])
		if wait, memory := b.Blocks(&x[1]); wait != k.wait || memory != k.memory {
			t.Errorf("%s: waits %t, for memory %t; want %t, %t", name, wait, memory, k.wait, k.memory)
		}
		b.Read(&k.first)
		b.Done(&k.first)
		if wait, _ := b.Blocks(&x[1]); wait {
			t.Errorf("%s: waits for an operation that is done", name)
		}
	}
}

func TestARegisterIsFreeWhenTheLastOfItsReadersHasRead(t *testing.T) {
	a, b := smtest.Inst(ir.ClassStore, nil, 2), smtest.Inst(ir.ClassStore, nil, 2)
	x := infos(a, b, smtest.Inst(ir.ClassInt, []int{2}))
	var board Board
	board.Issue(&a, &x[0])
	board.Issue(&b, &x[1])
	for _, want := range []bool{true, false} {
		board.Read(&a)
		if wait, _ := board.Blocks(&x[2]); wait != want {
			t.Errorf("waits %t, want %t", wait, want)
		}
	}
}

func TestABoardCountsWhatIsUnderWay(t *testing.T) {
	type state struct{ unfenced, settled, idle bool }
	of := func(b *Board) state { return state{b.Unfenced(), b.Settled(), b.Idle()} }
	add, load := smtest.Inst(ir.ClassInt, []int{1}), smtest.Inst(ir.ClassLoad, []int{3})
	store, reader := smtest.Inst(ir.ClassStore, nil), smtest.Inst(ir.ClassInt, nil, 7)
	x := infos(add, load, store, reader)
	var b Board
	if got := of(&b); got != (state{false, true, true}) {
		t.Errorf("nothing under way: %+v", got)
	}
	b.Issue(&add, &x[0])
	if got := of(&b); got != (state{false, false, false}) || b.Flight != 1 || b.Loads != 0 {
		t.Errorf("an addition: %+v, %d in flight, %d loads", got, b.Flight, b.Loads)
	}
	b.Done(&add)
	b.Issue(&load, &x[1])
	if got := of(&b); got != (state{true, true, false}) || b.Flight != 1 || b.Loads != 1 {
		t.Errorf("a load: %+v, %d in flight, %d loads", got, b.Flight, b.Loads)
	}
	b.Done(&load)
	b.Issue(&store, &x[2])
	if got := of(&b); got != (state{true, true, false}) || b.Flight != 0 || b.Loads != 0 || b.Stores != 1 {
		t.Errorf("a store: %+v, %d in flight, %d loads, %d stores", got, b.Flight, b.Loads, b.Stores)
	}
	b.Stores--
	b.Issue(&reader, &x[3])
	if got := of(&b); got != (state{false, false, true}) {
		t.Errorf("an operand to be read: %+v", got)
	}
}

func TestABoardNamesWhatAnInstructionWaitsFor(t *testing.T) {
	load, add := smtest.Inst(ir.ClassLoad, []int{1}), smtest.Inst(ir.ClassInt, []int{2}, 3)
	add.T.DstPreds = 4
	next := smtest.Inst(ir.ClassInt, []int{3}, 1, 2)
	next.T.SrcPreds = 4 | 8
	x := infos(load, add, next)
	var b Board
	b.Issue(&load, &x[0])
	b.Issue(&add, &x[1])
	if got, want := b.Blocking(&x[2]), "R1 (from memory), R2, R3 (still to be read), P2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
