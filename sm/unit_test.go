package sm

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

func arrivals[T any](s *wiretest.Sink[T]) []wire.Cycle {
	var out []wire.Cycle
	for _, g := range s.Got {
		out = append(out, g.Cycle)
	}
	return out
}

func unitUnderTest(forward int) (*wire.Domain, *Unit, *wiretest.Source[op.Op], *wiretest.Sink[op.Result]) {
	d := wire.NewDomain("core", ghz)
	u := NewUnit("ALU", d, testSpec().Units["alu"], unitLinks{kind: "alu", forward: forward, part: parts{0}}, nil)
	in := wiretest.NewSource("In", d, &u.In)
	w := NewWriteback("WB", d, 1, 1, nil)
	wire.Connect(&u.Out[0], &w.In[0], 1)
	out := wiretest.NewSink("Out", d, &w.Out[0], 4)
	return d, u, in, out
}

func TestAResultReachesTheRegisterFileAfterTheLatency(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d, _, in, out := unitUnderTest(0)
	in.Send(9, op.Op{Inst: &k.Insts[0]})
	d.RunUntil(40)
	// enters at 10, latency 4
	wantCycles(t, "result", arrivals(out), []wire.Cycle{14})
}

func TestForwardingAnnouncesTheResultEarlier(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d, _, in, out := unitUnderTest(2)
	in.Send(9, op.Op{Inst: &k.Insts[0]})
	d.RunUntil(40)
	wantCycles(t, "result", arrivals(out), []wire.Cycle{12})
}

func TestAPipelineOfInitiationIntervalOneTakesAnOperationEveryCycle(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d, _, in, out := unitUnderTest(0)
	for c := range wire.Cycle(4) {
		in.Send(9+c, op.Op{Inst: &k.Insts[0]})
	}
	d.RunUntil(40)
	wantCycles(t, "results", arrivals(out), []wire.Cycle{14, 15, 16, 17})
}

func TestTheInitiationIntervalSpacesOperations(t *testing.T) {
	k := kernelOf(inst(ir.ClassSFU, []int{1}, 0))
	d, _, in, out := unitUnderTest(0)
	for c := range wire.Cycle(3) {
		in.Send(9+c, op.Op{Inst: &k.Insts[0]})
	}
	d.RunUntil(80)
	// latency 10, interval 8: in at 10, 18, 26
	wantCycles(t, "results", arrivals(out), []wire.Cycle{20, 28, 36})
}

func TestAShortOperationOvertakesALongOne(t *testing.T) {
	spec := testSpec().Units["alu"]
	spec.Class = map[string][]int{"fdiv": {30, 1}}
	k := kernelOf(inst(ir.ClassFDiv, []int{1}, 0), inst(ir.ClassInt, []int{2}, 0))
	d := wire.NewDomain("core", ghz)
	u := NewUnit("ALU", d, spec, unitLinks{kind: "alu", forward: 0, part: parts{0}}, nil)
	in := wiretest.NewSource("In", d, &u.In)
	out := wiretest.NewSink("Out", d, &u.Out[0], 4)
	in.Send(9, op.Op{Inst: &k.Insts[0], Tag: 1})
	in.Send(10, op.Op{Inst: &k.Insts[1], Tag: 2})
	d.RunUntil(80)
	// one cycle short of the latency: the writeback stage is not there
	wantCycles(t, "results", arrivals(out), []wire.Cycle{11 + 3, 10 + 29})
	if out.Got[0].Msg.Tag != 2 {
		t.Errorf("first result is of operation %d, want 2", out.Got[0].Msg.Tag)
	}
}

func TestAnOperationWithoutDestinationLeavesNoResult(t *testing.T) {
	k := kernelOf(inst(ir.ClassBranch, nil, 0))
	d, u, in, out := unitUnderTest(0)
	in.Send(1, op.Op{Inst: &k.Insts[0]})
	d.RunUntil(40)
	if len(out.Got) != 0 || u.ops != 1 {
		t.Errorf("%d results of %d operations, want 0 of 1", len(out.Got), u.ops)
	}
}

func TestResultsOfSeveralUnitsShareThePortsInTurn(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", ghz)
	w := NewWriteback("WB", d, 3, 2, nil)
	for i := range 3 {
		s := wiretest.NewSource("In", d, &w.In[i])
		s.Send(4, op.Result{Inst: &k.Insts[0], Tag: uint32(i)})
	}
	a := wiretest.NewSink("A", d, &w.Out[0], 4)
	b := wiretest.NewSink("B", d, &w.Out[1], 4)
	d.RunUntil(20)
	// three results at 5, two ports: two at once, the third a cycle later
	wantCycles(t, "port 0", arrivals(a), []wire.Cycle{6, 7})
	wantCycles(t, "port 1", arrivals(b), []wire.Cycle{6})
	if w.conflicts != 1 {
		t.Errorf("conflicts %d, want 1", w.conflicts)
	}
}

func TestResultsOfFixedLatencyGoFirst(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", ghz)
	w := NewWriteback("WB", d, 3, 2, nil)
	w.fixFirst(2)
	for i := range 3 {
		s := wiretest.NewSource("In", d, &w.In[i])
		s.Send(4, op.Result{Inst: &k.Insts[0], Tag: uint32(i)})
	}
	a := wiretest.NewSink("A", d, &w.Out[0], 4)
	b := wiretest.NewSink("B", d, &w.Out[1], 4)
	d.RunUntil(20)
	wantCycles(t, "first port", arrivals(a), []wire.Cycle{6})
	wantCycles(t, "last port", arrivals(b), []wire.Cycle{6, 7})
	if a.Got[0].Msg.Tag != 2 {
		t.Errorf("the first port has the result of unit %d, want that of unit 2", a.Got[0].Msg.Tag)
	}
}

func TestResultsOfVariableLatencyTakeTheLastPortAlone(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", ghz)
	w := NewWriteback("WB", d, 3, 3, nil)
	w.fixFirst(1)
	var out [3]*wiretest.Sink[op.Result]
	for i := range 3 {
		s := wiretest.NewSource("In", d, &w.In[i])
		s.Send(4, op.Result{Inst: &k.Insts[0], Tag: uint32(i)})
	}
	for i := range out {
		out[i] = wiretest.NewSink("Out", d, &w.Out[i], 4)
	}
	d.RunUntil(20)
	if len(out[0].Got) != 1 || out[0].Got[0].Msg.Tag != 1 || len(out[1].Got) != 0 || len(out[2].Got) != 2 {
		t.Errorf("%d, %d and %d results on the ports, want that of fixed latency on the first, the others on the last",
			len(out[0].Got), len(out[1].Got), len(out[2].Got))
	}
}
