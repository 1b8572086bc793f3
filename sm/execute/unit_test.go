package execute

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/smtest"
)

// testALU has a latency of 4; special functions take 10 and enter every 8 cycles.
func testALU() UnitSpec {
	return UnitSpec{Count: 1, Classes: []string{"move", "int", "int_mul", "int_div", "convert", "fadd", "fmul", "fma",
		"fdiv", "half", "sfu", "dadd", "dmul", "dfma", "ddiv", "shuffle", "vote", "branch", "special", "shift",
		"compare", "bits", "convert_wide"}, Latency: 4,
		Initial: 1, Class: map[string][]int{"sfu": {10, 8}}}
}

func unitUnderTest(forward int) (*wire.Domain, *Unit, *wiretest.Source[op.Op], *wiretest.Sink[op.Result]) {
	d := wire.NewDomain("core", smtest.GHz)
	u := NewUnit("ALU", d, testALU(), Links{Kind: "alu", Forward: forward, Part: Parts{0}}, nil)
	in := wiretest.NewSource("In", d, &u.In)
	w := NewWriteback("WB", d, 1, 1, nil)
	wire.Connect(&u.Out[0], &w.In[0], 1)
	out := wiretest.NewSink("Out", d, &w.Out[0], 4)
	return d, u, in, out
}

// The first operation enters at 10.
func TestAResultReachesTheRegisterFileAfterTheLatencyAndEarlierIfForwarded(t *testing.T) {
	for _, c := range []struct {
		class   ir.Class
		forward int
		want    []wire.Cycle
	}{
		{ir.ClassInt, 0, []wire.Cycle{14, 15, 16}}, // latency 4, one enters each cycle
		{ir.ClassInt, 2, []wire.Cycle{12, 13, 14}},
		{ir.ClassSFU, 0, []wire.Cycle{20, 28, 36}}, // latency 10, interval 8: in at 10, 18, 26
	} {
		k := smtest.KernelOf(smtest.Inst(c.class, []int{1}, 0))
		d, _, in, out := unitUnderTest(c.forward)
		for i := range wire.Cycle(3) {
			in.Send(9+i, op.Op{Inst: &k.Insts[0]})
		}
		d.RunUntil(80)
		smtest.WantCycles(t, c.class.String(), smtest.Arrivals(out), c.want)
	}
}

// A division of 30 cycles enters at 10, an addition of 4 either in the next cycle or in that from which on both end
// together. Results come one cycle short of the latency, because the writeback stage is not there.
func TestResultsLeaveInTheOrderOfTheirEndsAndThenOfTheirEntries(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassFDiv, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0))
	for _, c := range []struct {
		addition wire.Cycle
		want     []wire.Cycle
		first    uint32
	}{{10, []wire.Cycle{11 + 3, 10 + 29}, 2}, {35, []wire.Cycle{39, 40}, 1}} {
		spec := testALU()
		spec.Class = map[string][]int{"fdiv": {30, 1}}
		d := wire.NewDomain("core", smtest.GHz)
		u := NewUnit("ALU", d, spec, Links{Kind: "alu", Part: Parts{0}}, nil)
		in := wiretest.NewSource("In", d, &u.In)
		out := wiretest.NewSink("Out", d, &u.Out[0], 4)
		in.Send(9, op.Op{Inst: &k.Insts[0], Tag: 1})
		in.Send(c.addition, op.Op{Inst: &k.Insts[1], Tag: 2})
		d.RunUntil(80)
		smtest.WantCycles(t, "results", smtest.Arrivals(out), c.want)
		if out.Got[0].Msg.Tag != c.first {
			t.Errorf("operation %d leaves first, want %d", out.Got[0].Msg.Tag, c.first)
		}
	}
}

func TestAnOperationWithoutDestinationLeavesNoResult(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil, 0))
	d, u, in, out := unitUnderTest(0)
	in.Send(1, op.Op{Inst: &k.Insts[0]})
	d.RunUntil(40)
	if len(out.Got) != 0 || u.ops != 1 {
		t.Errorf("%d results of %d operations, want 0 of 1", len(out.Got), u.ops)
	}
}

// writeback is the stage of so many units and ports. Each unit sends so many results at 4, with its number times ten
// and theirs as tags.
func writeback(units, ports, results int) (*wire.Domain, *Writeback, []*wiretest.Sink[op.Result]) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", smtest.GHz)
	w := NewWriteback("WB", d, units, ports, nil)
	for i := range units {
		s := wiretest.NewSource("In", d, &w.In[i])
		for n := range results {
			s.Send(4, op.Result{Inst: &k.Insts[0], Tag: uint32(10*i + n)})
		}
	}
	var out []*wiretest.Sink[op.Result]
	for i := range ports {
		out = append(out, wiretest.NewSink("Out", d, &w.Out[i], 4))
	}
	return d, w, out
}

func TestResultsOfSeveralUnitsShareThePortsInTurn(t *testing.T) {
	d, w, out := writeback(3, 2, 1)
	d.RunUntil(20)
	// three results at 5, two ports: two at once, the third a cycle later
	smtest.WantCycles(t, "port 0", smtest.Arrivals(out[0]), []wire.Cycle{6, 7})
	smtest.WantCycles(t, "port 1", smtest.Arrivals(out[1]), []wire.Cycle{6})
	if w.conflicts != 1 {
		t.Errorf("conflicts %d, want 1", w.conflicts)
	}
}

func TestResultsOfFixedLatencyGoFirst(t *testing.T) {
	d, w, out := writeback(3, 2, 1)
	w.FixFirst(2)
	d.RunUntil(20)
	smtest.WantCycles(t, "first port", smtest.Arrivals(out[0]), []wire.Cycle{6})
	smtest.WantCycles(t, "last port", smtest.Arrivals(out[1]), []wire.Cycle{6, 7})
	if tag := out[0].Got[0].Msg.Tag; tag != 20 {
		t.Errorf("the first port has result %d, want that of unit 2", tag)
	}
}

func TestResultsOfVariableLatencyTakeTheLastPortAlone(t *testing.T) {
	d, w, out := writeback(3, 3, 1)
	w.FixFirst(1)
	d.RunUntil(20)
	if len(out[0].Got) != 1 || out[0].Got[0].Msg.Tag != 10 || len(out[1].Got) != 0 || len(out[2].Got) != 2 {
		t.Errorf("%d, %d and %d results on the ports, want that of fixed latency on the first, the others on the last",
			len(out[0].Got), len(out[1].Got), len(out[2].Got))
	}
}

// Operations of an interval of 8 and a latency of 10 come at 10; the last writes nothing.
func TestAUnitSaysHowManyOperationsItHolds(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassSFU, []int{1}, 0), smtest.Inst(ir.ClassSFU, nil, 0))
	d, u, in, _ := unitUnderTest(0)
	for _, i := range []int{0, 1, 1} {
		in.Send(9, op.Op{Inst: &k.Insts[i]})
	}
	for _, k := range []struct {
		at   wire.Cycle
		want string
	}{
		{8, ""}, {17, "1 operations executing, 2 waiting to enter"}, {20, "0 operations executing, 1 waiting to enter"},
		{40, ""},
	} {
		d.RunUntil(k.at)
		if got := u.Waiting(); got != k.want {
			t.Errorf("at %d: %q, want %q", k.at, got, k.want)
		}
	}
}

func TestAWritebackStageSaysHowManyResultsItHolds(t *testing.T) {
	d, w, out := writeback(2, 1, 4)
	out[0].Refuse = func(now wire.Cycle) bool { return now < 20 }
	d.RunUntil(10)
	if got, want := w.Waiting(), "4 results wait for the register file"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.RunUntil(40)
	if got := w.Waiting(); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}

// unitOf is a unit with these times for every class, and room for so many results.
func unitOf(latency, initiation, room int) (*wire.Domain, *Unit, *wiretest.Source[op.Op], *wiretest.Sink[op.Result]) {
	spec := testALU()
	spec.Latency, spec.Initial, spec.Class = latency, initiation, nil
	d := wire.NewDomain("core", smtest.GHz)
	u := NewUnit("ALU", d, spec, Links{Kind: "alu", Part: Parts{0}}, nil)
	return d, u, wiretest.NewSource("In", d, &u.In), wiretest.NewSink("Out", d, &u.Out[0], room)
}

// In from 10 on, one per cycle: a unit sends 2 cycles before the end of its latency, and its
// pipeline has this length.
func TestAPipelineHoldsAnOperationForEachCycleOfItsLatency(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0))
	for _, latency := range []int{4, 10, 31} {
		d, _, in, out := unitOf(latency, 1, 4)
		var want []wire.Cycle
		for i := range wire.Cycle(80) {
			in.Send(9+i, op.Op{Inst: &k.Insts[0], Tag: uint32(i)})
			want = append(want, 10+i+wire.Cycle(latency)-2+1)
		}
		d.RunUntil(200)
		smtest.WantCycles(t, "results", smtest.Arrivals(out), want)
	}
}

// The second enters at 13, though the first is not done before 30.
func TestAnOperationEntersWhenTheIntervalIsOverWhateverIsUnderWay(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, nil, 0))
	for i, want := range [][]wire.Cycle{{29, 32, 35}, nil} {
		d, u, in, out := unitOf(20, 3, 4)
		for range 3 {
			in.Send(9, op.Op{Inst: &k.Insts[i]})
		}
		d.RunUntil(100)
		smtest.WantCycles(t, "results", smtest.Arrivals(out), want)
		if u.ops != 3 || u.busy != 9 {
			t.Errorf("%d operations, busy for %d cycles; want 3, 9", u.ops, u.busy)
		}
	}
}

// The second result finds no room until 100; the third operation enters at 70 all the same.
func TestAUnitThatCannotSendGoesOnTakingOperations(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0))
	d, u, in, out := unitOf(4, 30, 1)
	out.Refuse = func(now wire.Cycle) bool { return now < 100 }
	for range 3 {
		in.Send(9, op.Op{Inst: &k.Insts[0]})
	}
	d.RunUntil(80)
	if u.ops != 3 {
		t.Errorf("%d operations entered by 80, want 3: at 10, 40, 70", u.ops)
	}
}

// Two units with a result in every cycle share one port in turn: neither is
// served twice while the other waits.
func TestUnitsTakeTurnsAtAWritebackPort(t *testing.T) {
	d, _, out := writeback(2, 1, 4)
	d.RunUntil(40)
	want := []uint32{0, 10, 1, 11, 2, 12, 3, 13}
	for i, g := range out[0].Got {
		if g.Msg.Tag != want[i] {
			t.Errorf("result %d is %d, want %d", i, g.Msg.Tag, want[i])
		}
	}
	if len(out[0].Got) != len(want) {
		t.Errorf("%d results, want %d", len(out[0].Got), len(want))
	}
}
