package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/reason"
	"kumiko/sm/sched/policy"
	"kumiko/sm/sched/slots"
	"kumiko/sm/smtest"
)

func TestTheCurrentGroupStaysUntilAllItsWarpsWaitLong(t *testing.T) {
	p := policy.NewFetchGroups(2)
	s := slots.Sets{Live: 0b111111}
	for _, c := range []struct {
		what     string
		mem, bar uint64
		exited   uint64
		want     uint64
	}{
		{"nobody waits", 0, 0, 0, 0b000011},
		{"one of the group waits for memory", 0b000001, 0, 0, 0b000011},
		{"the other is at a barrier", 0b000001, 0b000010, 0, 0b001100},
		{"the first group is back, but it is not its turn", 0, 0, 0, 0b001100},
		{"the second group has ended", 0, 0, 0b001100, 0b110000},
		{"the third waits: the turn begins anew", 0b110000, 0, 0b001100, 0b000011},
		{"the third is back; the first, all but one ended, waits", 0b000001, 0, 0b001110, 0b110000},
		{"all wait: the group stays", 0b110001, 0, 0b001110, 0b110000},
		{"the first to be back gets its turn", 0b110000, 0, 0b001110, 0b000011},
	} {
		s.Blocked[reason.Memory], s.Blocked[reason.AtBarrier], s.Exited = c.mem, c.bar, c.exited
		if got := p.Eligible(&s); got != c.want {
			t.Fatalf("%s: group %06b, want %06b", c.what, got, c.want)
		}
		if got := p.Eligible(&s); got != c.want {
			t.Fatalf("%s: asked again: group %06b, want %06b", c.what, got, c.want)
		}
	}
}

func TestAGroupWithAWarpThatCanGoOnIsAlwaysFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policy.NewFetchGroups(rapid.IntRange(1, 64).Draw(t, "size"))
		word := rapid.Uint64()
		for range 10 {
			s := slots.Sets{Live: word.Draw(t, "live"), Asked: word.Draw(t, "asked")}
			s.Blocked[reason.Memory], s.Blocked[reason.AtBarrier] = word.Draw(t, "memory"), word.Draw(t, "barrier")
			able := s.Live &^ (s.Blocked[reason.Memory] | s.Blocked[reason.AtBarrier] | s.Asked)
			if got := p.Eligible(&s); able != 0 && able&got == 0 {
				t.Fatalf("group %x; %x can go on", got, able)
			}
		}
	})
}

// Two groups of two warps. Each warp loads, uses the loaded value and
// computes. The second group begins when both warps of the first wait for their
// data, and the first resumes when the second waits too.
func TestGroupsReachTheirLoadsAtDifferentTimes(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassInt, []int{3},
			4),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Choice = Spec{Policy: FetchGroup, Group: 2}
	b := newBench(spec, k)
	b.warps(1, 0b1111)
	for slot := range 4 {
		b.fetch(2, slot, 0, 1, 2)
	}
	b.done.Send(5, op.Done{Inst: &k.Insts[0], Warp: 0}) // seen at 6
	b.done.Send(11, op.Done{Inst: &k.Insts[0], Warp: 3})
	b.d.RunUntil(30)
	// Group 0 loads at 3 and 4, so group 1 is current at 5 and 6, and warp
	// 0, ready at 6, has to wait. At 7 group 1 waits, and warp 0 is
	// alone in its group for 7 and 8. Then its buffer is empty and it does
	// not wait for memory: group 0 stays current.
	if d := cmp.Diff([]int{0, 1, 2, 3, 0, 0}, b.warpOrder()); d != "" {
		t.Error(d)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 5, 6, 7, 8})
	got := b.slotsOf(30)
	if got["inactive"] != 19 { // warp 3 could go on from 12 on
		t.Errorf("slots %v, want 19 of inactive", got)
	}
}
