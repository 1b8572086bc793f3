package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/sched/twolevel"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// Of 7 slots and 9 contexts of two schedulers the first has 4 and 5, the second 3 and 4.
func TestSchedulersShareSlotsAndContextsInTurn(t *testing.T) {
	s := testSetup()
	s.Schedulers, s.Slots, s.Contexts, s.Stale = 2, 7, 9, 3*2
	s.Switch.Switching = switching.VirtualThread
	d := wire.NewDomain("core", smtest.GHz)
	for i, want := range [][2]int{{4, 5}, {3, 4}} {
		x := New("S", d, &s.Config, Links{Index: i, Units: [][]uint8{{0}, {1}}, Planes: &Planes{},
			Audience: &Audience{}, Steady: &Steady{}}, nil)
		if len(x.contextOf) != want[0] || len(x.warps) != want[1] {
			t.Errorf("scheduler %d has %d slots and %d contexts; want %d, %d", i, len(x.contextOf), len(x.warps),
				want[0],
				want[1])
		}
		// a buffer of 2 for each slot; and the instructions in flight for 1 + 2 cycles, 2 per cycle
		if n := x.Fetched.Capacity(); n != 2*want[0]+3*2 {
			t.Errorf("scheduler %d has room for %d instructions, want %d", i, n, 2*want[0]+6)
		}
	}
	if a := twolevel.New(setSpec(6, true, true, 0).rules(3), "A", nil); a.Places != 2 {
		t.Errorf("%d places of 6 for one of three schedulers, want 2", a.Places)
	}
}

func TestADesignMayHaveFourGates(t *testing.T) {
	h := newHand("H", wire.NewDomain("core", smtest.GHz), message.WarpSet{})
	p := &Planes{}
	for _, name := range []string{"a", "b", "c", "d"} {
		p.Gates = append(p.Gates, regfile.Gate{Reason: name, Closed: &h.signal})
	}
	if err := p.checkGates(1); err != nil {
		t.Error(err)
	}
}

// Warps 1 and 2 have a load each, and there is one issue register for the memory unit.
func TestWarpsWithoutAnIssueRegisterWait(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Registers, spec.Units = 1, 2
	b := newBench(spec, k)
	room := wiretest.NewSource("Room", b.d, &b.s.Taken)
	b.warps(1, 0b1110)
	for _, w := range []int{1, 2, 3} {
		b.fetch(2, w, 0)
	}
	room.Send(10, op.Taken{Unit: 1})
	room.Send(20, op.Taken{Unit: 1})
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 11, 21})
}

func TestRegistersAreKeptWhereNoInstructionGivesThemUp(t *testing.T) {
	p := program.New(smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassExit, nil)),
		testSetup().target(),
		&regfile.Insertions{Group: []int32{0, 0}, Ops: make([]regfile.Inserted, 1)})
	least := regfile.NumRegisters
	vacates := func(*ir.Inst) int { return least }
	if got := vacatedOf(vacates, p); got != nil {
		t.Errorf("%v, want nil", got)
	}
	least = 255
	if d := cmp.Diff([]uint16{255, 255, 256}, vacatedOf(vacates, p)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
