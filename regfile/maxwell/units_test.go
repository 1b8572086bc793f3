package maxwell

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// slow is the time of multiplications: they keep the unit for three cycles, and end seven later
// than others.
func slow(controlled bool) func(*regfile.Env) {
	return func(e *regfile.Env) {
		e.Controlled, e.Writebacks = controlled, 2
		var times op.Times
		times.Class[ir.ClassFMA] = op.Time{Latency: 4, Initiation: 1}
		times.Class[ir.ClassIntMul] = op.Time{Latency: 11, Initiation: 3}
		e.Units[0].Times, e.Units[0].Fixed = &times, true
	}
}

func multiply(dst int, src ...ir.RegID) *ir.Inst {
	in := fma(dst, 0, src...)
	in.T.Class = ir.ClassIntMul
	return in
}

func TestUnderControlWordsAnOperationLeavesWhenItsUnitBeginsItAtOnce(t *testing.T) {
	for controlled, want := range map[bool][]wire.Cycle{true: {12, 15, 16}, false: {12, 13, 14}} {
		r := newRigIn(t, nil, slow(controlled))
		r.send(10, 0, 0, multiply(40, 1))
		r.send(11, 1, 0, fma(41, 0, 2))
		r.send(12, 2, 0, fma(42, 0, 3))
		r.run()
		if d := cmp.Diff(want, r.arrived(0)); d != "" {
			t.Errorf("control words %v (-want +got):\n%s", controlled, d)
		}
		r.Checked(3)
	}
}

// The multiplication's result leaves the unit seven cycles later than the result of another operation of the same
// cycle.
func TestUnderControlWordsAResultHasACycleOfItsOwn(t *testing.T) {
	for controlled, want := range map[bool][]wire.Cycle{true: {12, 20}, false: {12, 19}} {
		r := newRigIn(t, nil, slow(controlled))
		r.send(10, 0, 0, multiply(40, 1))
		r.send(17, 1, 0, fma(41, 0, 2))
		r.run()
		if d := cmp.Diff(want, r.arrived(0)); d != "" {
			t.Errorf("control words %v (-want +got):\n%s", controlled, d)
		}
	}
}

func TestUnderControlWordsAnOperationWithoutResultWaitsForNoOther(t *testing.T) {
	r := newRigIn(t, nil, slow(true))
	r.send(10, 0, 0, multiply(40, 1))
	r.send(17, 1, 0, fma(-1, 0, 2))
	r.run()
	if d := cmp.Diff([]wire.Cycle{12, 19}, r.arrived(0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
