package maxwell

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Both are visible in cycle 10 and in their units in 12, as they would be alone, if no bank has three
// registers of them to read. With three they wait for each other.
func TestTwoInstructionsOfACycleReadTogether(t *testing.T) {
	for _, c := range []struct {
		first, second []ir.RegID
		want          wire.Cycle
	}{
		{regs(1, 2, 3), regs(4), 12},
		{regs(1, 2, 3), regs(5), 12},
		{regs(1, 5, 3), regs(9), 13},
		{regs(1), regs(5, 9, 13), 14},
		{nil, regs(1, 5, 9), 13},
		{regs(1, 1), regs(1), 12},
	} {
		r := newRigIn(t, nil, func(e *regfile.Env) { e.IssueWidth = 2 })
		r.send(10, 0, 0, fma(-1, 0, c.first...))
		r.send(10, 0, 1, special(c.second...))
		r.run()
		for unit := range 2 {
			if d := cmp.Diff([]wire.Cycle{c.want}, r.arrived(unit)); d != "" {
				t.Errorf("%v and %v, unit %d (-want +got):\n%s", c.first, c.second, unit, d)
			}
		}
		r.Checked(uint64(len(c.first) + len(c.second)))
	}
}

// A latch takes one instruction in a cycle.
func TestTwoInstructionsOfAUnitReadOneBehindTheOther(t *testing.T) {
	r := newRigIn(t, nil, func(e *regfile.Env) { e.IssueWidth = 2 })
	r.send(10, 0, 0, fma(-1, 0, 1))
	r.send(10, 0, 0, fma(-1, 0, 2))
	r.run()
	if d := cmp.Diff([]wire.Cycle{12, 13}, r.arrived(0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := r.Stat("maxwell.pairs"); n != 0 {
		t.Errorf("%d pairs, want none", n)
	}
}
