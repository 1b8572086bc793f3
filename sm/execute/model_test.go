package execute

import (
	"math/rand/v2"
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/smtest"
)

// Operations of three latencies overtake each other. An operation enters when the one before has left
// the first stage, and the results leave in the order of their ends, one per cycle.
func TestResultsLeaveInTheOrderOfTheirEndsOnePerCycle(t *testing.T) {
	spec := testALU()
	spec.Class = map[string][]int{"fdiv": {30, 1}, "sfu": {10, 3}}
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}), smtest.Inst(ir.ClassFDiv, []int{2}),
		smtest.Inst(ir.ClassSFU, []int{3}))
	latency, interval := [3]wire.Cycle{4, 30, 10}, [3]wire.Cycle{1, 1, 3}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := wire.NewDomain("core", smtest.GHz)
		u := NewUnit("ALU", d, spec, Links{Kind: "alu", Part: Parts{0}}, nil)
		in, out := wiretest.NewSource("In", d, &u.In), wiretest.NewSink("Out", d, &u.Out[0], 4)
		var ends []wire.Cycle // by tag
		at, free := wire.Cycle(10), wire.Cycle(0)
		for tag := range uint32(80) {
			c := rng.IntN(3)
			if tag < 40 {
				c = min(c, 1) // many long ones, with short ones behind
			}
			in.Send(at, op.Op{Inst: &k.Insts[c], Tag: tag})
			enters := max(at+1, free)
			free = enters + interval[c]
			ends = append(ends, enters+latency[c]-1) // the writeback stage is not there
			at += wire.Cycle(rng.IntN(2) * rng.IntN(8))
			at = max(at, free-1)
		}
		d.RunUntil(2000)
		if len(out.Got) != len(ends) {
			t.Fatalf("seed %d: %d results, want %d", seed, len(out.Got), len(ends))
		}
		for i, g := range out.Got {
			earliest := ends[g.Msg.Tag]
			if i > 0 {
				before := out.Got[i-1]
				if earliest < ends[before.Msg.Tag] || earliest == ends[before.Msg.Tag] && g.Msg.Tag < before.Msg.Tag {
					t.Fatalf("seed %d: the result of %d, due at %d, leaves behind that of %d, due at %d", seed,
						g.Msg.Tag, earliest, before.Msg.Tag, ends[before.Msg.Tag])
				}
				earliest = max(earliest, before.Cycle+1)
			}
			if g.Cycle != earliest {
				t.Fatalf("seed %d: the result of %d leaves in cycle %d, want %d", seed, g.Msg.Tag, g.Cycle, earliest)
			}
		}
		if at := d.NextWake(); at != wire.Never {
			t.Errorf("seed %d: an empty unit ticks at %d", seed, at)
		}
	}
}

func TestTheLastPortIsNotForResultsOfFixedLatency(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", smtest.GHz)
	w := NewWriteback("WB", d, 2, 2, nil)
	w.FixFirst(0)
	w.FixFirst(1)
	for i := range 2 {
		wiretest.NewSource("In", d, &w.In[i]).Send(4, op.Result{Inst: &k.Insts[0]})
	}
	a, b := wiretest.NewSink("A", d, &w.Out[0], 4), wiretest.NewSink("B", d, &w.Out[1], 4)
	d.RunUntil(20)
	smtest.WantCycles(t, "first port", smtest.Arrivals(a), []wire.Cycle{6, 7})
	smtest.WantCycles(t, "last port", smtest.Arrivals(b), nil)
	if at := d.NextWake(); at != wire.Never {
		t.Errorf("an empty stage ticks at %d", at)
	}
}

func TestTimesOfAUnitAreALatencyAndAnInterval(t *testing.T) {
	for _, times := range [][]int{{2, 1}, {1000, 1000}} {
		if err := CheckTimes("alu", times); err != nil {
			t.Errorf("%v: %v", times, err)
		}
	}
	for _, times := range [][]int{{1, 1}, {1001, 1}, {2, 0}, {2, 1001}, {2}, {2, 1, 1}} {
		if CheckTimes("alu", times) == nil {
			t.Errorf("%v is accepted", times)
		}
	}
}

func TestEveryClassHasAName(t *testing.T) {
	list := ClassList()
	if len(list) != int(ir.NumClasses) {
		t.Fatalf("%d names, want %d", len(list), ir.NumClasses)
	}
	optional := 0
	for i, name := range list {
		c, ok := ClassByName(name)
		if !ok || c != ir.Class(i) {
			t.Errorf("%s is class %d, %t; want %d", name, c, ok, i)
		}
		if Optional(c) {
			optional++
		}
	}
	if !Optional(ir.ClassMatrix) || !Optional(ir.ClassMatrixWide) || optional != 3 {
		t.Errorf("%d classes are optional, want the three of matrices", optional)
	}
	if _, ok := ClassByName("none"); ok {
		t.Error("there is a class none")
	}
}
