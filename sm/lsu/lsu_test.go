package lsu

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/sm/execute"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

type lsuBench struct {
	d      *wire.Domain
	l      *Unit
	in     *wiretest.Source[op.Op]
	reply  *wiretest.Source[req.Reply]
	toMem  *wiretest.Sink[req.Access]
	out    *wiretest.Sink[op.Result]
	stores *wiretest.Sink[message.StoreNote]
}

func newLSUBench(outstanding int) *lsuBench {
	return newLSUBenchOf(Spec{Queue: 2, Outstanding: outstanding}, testMemory())
}

// testMemory is a load/store unit without stages of its own.
func testMemory() *execute.UnitSpec {
	return &execute.UnitSpec{Count: 1, Shared: true, Classes: []string{"load", "store", "atomic", "texture"},
		Latency: 2,
		Initial: 1}
}

func newLSUBenchOf(spec Spec, u *execute.UnitSpec) *lsuBench {
	d := wire.NewDomain("core", smtest.GHz)
	l := New("LSU", d, spec, u, Links{Part: execute.Parts{0}, Schedulers: 1}, nil)
	b := &lsuBench{d: d, l: l}
	b.in = wiretest.NewSource("In", d, &l.In)
	b.reply = wiretest.NewSource("Reply", d, &l.Reply)
	b.toMem = wiretest.NewSink("Mem", d, &l.ToMem, 4)
	b.out = wiretest.NewSink("Out", d, &l.Out[0], 4)
	b.stores = wiretest.NewSink("Stores", d, &l.Stores[0], 4)
	return b
}

func TestALoadGoesToTheMemorySideAndItsResultToWriteback(t *testing.T) {
	b := newLSUBench(4)
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Tag: 77, Exec: 0xf, Warp: 5})
	b.reply.Send(20, req.Reply{Tag: 0, Warp: 5})
	b.d.RunUntil(40)
	want := []wiretest.At[req.Access]{{Cycle: 6, Msg: req.Access{Inst: &k.Insts[0], Exec: 0xf, Warp: 5}}}
	if d := cmp.Diff(want, b.toMem.Got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]wiretest.At[op.Result]{{Cycle: 22, Msg: op.Result{Inst: &k.Insts[0], Tag: 77, Exec: 0xf,
		Warp: 5}}}, b.out.Got); d != "" {
		t.Error(d)
	}
	if b.l.latency != 16 || b.l.loads != 1 {
		t.Errorf("latency %d of %d loads, want 16 of 1: in at 5, reply at 21", b.l.latency, b.l.loads)
	}
}

func TestAStoreIsReportedToItsSchedulerWhenAcknowledged(t *testing.T) {
	b := newLSUBench(4)
	k := smtest.KernelOf(smtest.Inst(ir.ClassStore, nil, 2, 3))
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	b.reply.Send(20, req.Reply{Tag: 0, Warp: 5, Store: true})
	b.d.RunUntil(40)
	if d := cmp.Diff([]wiretest.At[message.StoreNote]{{Cycle: 22, Msg: message.StoreNote{Warp: 5}}},
		b.stores.Got); d != "" ||
		len(b.out.Got) != 0 {
		t.Error(d, b.out.Got)
	}
}

func TestOperationsBeyondTheOutstandingLimitWaitForAReply(t *testing.T) {
	b := newLSUBench(2)
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
	for range 3 {
		b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	}
	b.reply.Send(20, req.Reply{Tag: 1, Warp: 5})
	b.d.RunUntil(60)
	// 5 and 6; the reply is seen at 21, and its place is reused in the same cycle
	smtest.WantCycles(t, "accesses", smtest.Arrivals(b.toMem), []wire.Cycle{6, 7, 22})
}

// The first load enters at 5 and is answered at 12. The address path takes an operation in
// 20 cycles: the second enters at 25.
func TestALoadStoreUnitSaysWhatItHolds(t *testing.T) {
	b := pathBench(2, 20, 1)
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	b.reply.Send(11, req.Reply{Tag: 0, Warp: 5})
	b.reply.Send(40, req.Reply{Tag: 0, Warp: 5})
	for _, k := range []struct {
		at   wire.Cycle
		want string
	}{
		{3, ""}, {10, "1 memory operations outstanding, 1 waiting to enter"},
		{20, "0 memory operations outstanding, 1 waiting to enter"},
		{30, "1 memory operations outstanding, 0 waiting to enter"}, {50, ""},
	} {
		b.d.RunUntil(k.at)
		if got := b.l.Waiting(); got != k.want {
			t.Errorf("at %d: %q, want %q", k.at, got, k.want)
		}
	}
}
