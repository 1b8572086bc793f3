package maxwell

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// The Result of cycle 20 comes two cycles before its value. A read in cycle 22 finds the value. A read in cycle 21
// finds the old content, reported by the checker.
func TestAReadFindsAResultFromItsTimeOn(t *testing.T) {
	for at, violations := range map[wire.Cycle]int{21: 32, 22: 0} {
		r := newRig(t, nil)
		in := fma(7, 0)
		tag := r.send(10, 0, 0, in)
		r.send(at, 0, 0, fma(-1, 0, 7))
		r.write(20, tag, 0, in)
		r.run()
		if d := cmp.Diff([]wire.Cycle{21}, r.Done[0].Cycles()); d != "" {
			t.Errorf("Done (-want +got):\n%s", d)
		}
		if n := len(r.Checker.Violations()); n != violations {
			t.Errorf("a read in cycle %d: %d violations, want %d", at, n, violations)
		}
	}
}

// A result of four registers of bank 3 fills its queue. They are there in cycle 22 and are written
// in 22 to 25; the next result is taken in 26.
func TestAFullResultQueueHoldsResults(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Queue = 4 })
	for i := range wire.Cycle(2) {
		in := fma(3, 0)
		in.T.Dst, in.T.NDst = [ir.NumDests]ir.RegID{3, 7, 11, 15}, 4
		r.write(20+i, r.send(10+i, 0, 0, in), 0, in)
	}
	r.run()
	if d := cmp.Diff([]wire.Cycle{21, 27}, r.Done[0].Cycles()); d != "" {
		t.Errorf("Done (-want +got):\n%s", d)
	}
	if w, n := r.Stat("bank.writes.result"), r.Stat("maxwell.result_waits"); w != 8 || n != 5 {
		t.Errorf("%d writes and %d cycles of waiting, want 8 and 5", w, n)
	}
}

// Registers of four banks are written in one cycle.
func TestEachBankWritesARegisterPerCycle(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Queue = 4 })
	for i := range wire.Cycle(8) {
		in := fma(4, 0)
		in.T.Dst, in.T.NDst = [ir.NumDests]ir.RegID{4, 5, 6, 7}, 4
		r.write(20+i, r.send(10+i, 0, 0, in), 0, in)
	}
	r.run()
	want := []wire.Cycle{21, 22, 23, 24, 25, 26, 27, 28}
	if d := cmp.Diff(want, r.Done[0].Cycles()); d != "" {
		t.Errorf("Done (-want +got):\n%s", d)
	}
}

func TestAResultWithoutLanesWritesNothing(t *testing.T) {
	r := newRig(t, nil)
	in := fma(7, 0)
	o := op.Op{Inst: in, Tag: 1, Unit: 0}
	r.Issue[0].Send(9, o)
	r.Result[0].Send(19, op.Result{Inst: in, Tag: 1})
	r.run()
	if n := r.Stat("bank.writes.result"); n != 0 || len(r.Done[0].Got) != 1 {
		t.Errorf("%d writes and %d notices, want 0 and 1", n, len(r.Done[0].Got))
	}
}
