package conventional

import (
	"slices"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// absent is a block beside the banks receiving the results of away contexts.
type absent struct {
	wire.Comp
	away wire.Signal[regfile.WarpSet]
	late wire.InPort[bank.Access]
	got  []wiretest.At[bank.Access]
	sets map[wire.Cycle]regfile.WarpSet

	values wire.InPort[bank.Value]
}

func (a *absent) Use(*bank.Index, uint8) regfile.BankPorts {
	return regfile.BankPorts{Values: &a.values, Away: &a.away, Late: &a.late, Cause: bank.Switch}
}

func (a *absent) Tick(now wire.Cycle) bool {
	if s, ok := a.sets[now]; ok {
		a.away.Set(s)
	}
	for m := a.late.Head(); m != nil; m = a.late.Head() {
		a.got = append(a.got, wiretest.At[bank.Access]{Cycle: now, Msg: *m})
		a.late.Pop()
	}
	return true
}

// The block sets context 2 away in 20, seen by the write-back stage in 21, and back in 30. Results are at
// write-back in the cycle given.
func TestResultsOfContextsThatAreAwayComeToTheBlockAndNotToTheBanks(t *testing.T) {
	env := oneScheduler()
	a := &absent{sets: map[wire.Cycle]regfile.WarpSet{20: {1 << 2}, 30: {}}}
	r := newRigOf(t, env, func() (*File, error) {
		a.Init("Absent", env.Domain, a)
		a.away.Init(&a.Comp, regfile.WarpSet{})
		a.late.Init(&a.Comp, "Late", 8)
		a.values.Init(&a.Comp, "Values", 8)
		a.WakeAt(1)
		env.User = a
		return New(env, new(simple()))
	})
	two := filetest.Inst([]ir.RegID{5, 9})
	at := []struct {
		cycle wire.Cycle
		warp  uint16
		late  bool
	}{{20, 2, false}, {21, 2, true}, {25, 3, false}, {30, 2, true}, {31, 2, false}}
	for i, x := range at {
		o := r.send(5+wire.Cycle(i), 0, 0, x.warp, two)
		r.Finish(x.cycle, 0, o)
	}
	r.Domain.RunUntil(100)
	var got []wire.Cycle
	for i, g := range a.got {
		got = append(got, g.Cycle)
		if g.Msg.Warp != 2 || g.Msg.Reg != []ir.RegID{5, 9}[i%2] || g.Msg.Content.Lanes == 0 {
			t.Errorf("result %d is for R%d of context %d", i, g.Msg.Reg, g.Msg.Warp)
		}
	}
	if want := []wire.Cycle{22, 22, 31, 31}; !slices.Equal(got, want) {
		t.Errorf("late results at %v, want %v", got, want)
	}
	if n := r.Stat("bank.writes.result"); n != 6 {
		t.Errorf("%d registers were written to the banks, want the 6 of three results", n)
	}
	if n := len(r.Done[0].Got); n != len(at) {
		t.Errorf("%d results were told to the scheduler, want %d", n, len(at))
	}
}
