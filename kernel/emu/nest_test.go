package emu

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// meeting and meet add instructions of a meeting place of a kind.
func (k *kit) meeting(kind ir.Meeting, label string) {
	k.fixups[len(k.insts)] = label
	k.add(ir.Inst{Op: ir.OpMeeting, Src: []ir.Operand{ir.Imm(uint64(kind), 1)}})
}

func (k *kit) meet(kind ir.Meeting, guard ir.Operand) {
	k.add(ir.Inst{Op: ir.OpMeet, Guard: guard, Src: []ir.Operand{ir.Imm(uint64(kind), 1)}})
}

// enter adds a call.
func (k *kit) enter(guard ir.Operand, label string) {
	k.bra(guard, label)
	in := &k.insts[len(k.insts)-1]
	in.Flow, in.Targets = ir.FlowEnter, []int{len(k.insts)}
}

func TestLanesGoOnTogetherAtTheirMeetingPlace(t *testing.T) {
	k := newKit(0)
	k.below(8)                        // 0
	k.meeting(ir.MeetSync, "join")    // 1
	k.bra(ir.P(0), "a")               // 2
	k.nop()                           // 3
	k.meet(ir.MeetSync, ir.Operand{}) // 4
	k.label("a")
	k.nop()                           // 5
	k.meet(ir.MeetSync, ir.Operand{}) // 6
	k.nop()                           // 7, of nobody
	k.label("join")
	k.nop()              // 8
	k.exit(ir.Operand{}) // 9
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff}, {PC: 3, N: 2, Mask: 0xffffff00},
		{PC: 5, N: 2, Mask: 0xff}, {PC: 8, N: 2, Mask: 0xffffffff}})
}

func TestLanesThatDoNotMeetYetGoOn(t *testing.T) {
	k := newKit(0)
	k.below(8)                     // 0
	k.meeting(ir.MeetSync, "join") // 1
	k.meet(ir.MeetSync, ir.P(0))   // 2
	k.nop()                        // 3
	k.meet(ir.MeetSync, ir.Operand{})
	k.label("join")
	k.exit(ir.Operand{}) // 5
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff}, {PC: 3, N: 2, Mask: 0xffffff00},
		{PC: 5, N: 1, Mask: 0xffffffff}})
}

// Lane l goes around l+1 times. It leaves the loop out of the inner place, where the others no longer wait for it, and
// meets all lanes behind the loop. Lanes above 28 exit instead.
func TestALaneThatBreaksOutOfALoopIsNoLongerWaitedForInIt(t *testing.T) {
	k := newKit(1)
	k.op(ir.OpMov, ir.U32, ir.R(8, 1), ir.Imm(0, 1))
	k.meeting(ir.MeetBreak, "out")
	k.label("loop")
	k.meeting(ir.MeetSync, "again")
	k.op(ir.OpAdd, ir.U32, ir.R(8, 1), ir.R(8, 1), ir.Imm(1, 1))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.GT}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{ir.R(8, 1), special(ir.TidX)}})
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.GT}, Dst: []ir.Operand{ir.P(1)},
		Src: []ir.Operand{ir.R(8, 1), ir.Imm(29, 1)}})
	k.exit(ir.P(1))
	k.meet(ir.MeetBreak, ir.P(0))
	k.meet(ir.MeetSync, ir.Operand{})
	k.nop() // of nobody
	k.label("again")
	again := len(k.insts)
	k.bra(ir.Operand{}, "loop")
	k.label("out")
	out := len(k.insts)
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 4*32)
	c := collect(t, prepare(t, k.machine(), &m, launch(1, 32, a)))[0]
	for l, got := range words(t, &m, a, 32) {
		want := uint32(l + 1)
		if l > 28 {
			want = 0
		}
		if got != want {
			t.Errorf("lane %d goes around %d times, want %d", l, got, want)
		}
	}
	rounds, last := 0, stream.Run{}
	for _, r := range c.Warps[0].Runs {
		if int(r.PC) == again {
			if want := ^uint32(0) << (rounds + 1); r.Mask != want {
				t.Errorf("round %d is of lanes %#x, want %#x", rounds, r.Mask, want)
			}
			rounds++
		}
		last = r
	}
	if rounds != 29 || int(last.PC) != out || last.Mask != 0x1fffffff {
		t.Errorf("%d rounds and then %+v, want 29 and all that have not exited", rounds, last)
	}
}

func TestLanesReturnToTheirCallFromWithinAnotherPlace(t *testing.T) {
	k := newKit(0)
	k.below(8)            // 0
	k.lessThan(1, 16)     // 1
	k.enter(ir.P(1), "f") // 2
	k.nop()               // 3
	k.exit(ir.Operand{})  // 4
	k.label("f")
	k.meeting(ir.MeetSync, "join") // 5
	k.meet(ir.MeetReturn, ir.P(0)) // 6
	k.meet(ir.MeetSync, ir.Operand{})
	k.label("join")
	k.nop() // 8
	k.meet(ir.MeetReturn, ir.Operand{})
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff}, {PC: 5, N: 2, Mask: 0xffff},
		{PC: 7, N: 3, Mask: 0xff00}, {PC: 3, N: 2, Mask: 0xffff},
		{PC: 3, N: 2, Mask: 0xffff0000}})
}

func TestAMeetingPlaceMustBeThere(t *testing.T) {
	k := newKit(0)
	k.meeting(ir.MeetSync, "a")
	k.label("a")
	k.meet(ir.MeetBreak, ir.Operand{})
	k.exit(ir.Operand{})
	var m mem.Memory
	_, err := Run(prepare(t, k.machine(), &m, launch(1, 32)))
	if err == nil || !strings.Contains(err.Error(), "lanes 0-31 go to a meeting place, and there is none of the kind") {
		t.Errorf("%v", err)
	}
	for _, kind := range []ir.Meeting{0, ir.MeetReturn + 1} {
		k := newKit(0)
		k.meet(kind, ir.Operand{})
		if _, err := Prepare(k.machine()); err == nil || !strings.Contains(err.Error(), "a kind of meeting place") {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}

// A branch to an address goes to the instruction there: with a control word in front of each three before Volta.
func TestAnAddressOfBundledCodeCountsTheControlWords(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpShl, ir.B32, ir.R(0, 1), special(ir.TidX), ir.Imm(3, 1))                      // 0
	k.op(ir.OpMin, ir.U32, ir.R(0, 1), ir.R(0, 1), ir.Imm(24, 1))                           // 1
	k.brx(ir.Operand{}, ir.R(0, 1), "a", "b", "c")                                          // 2
	k.insts[2].Type, k.insts[2].Flow, k.insts[2].Addr.Offset = ir.U32, ir.FlowAddress, 0x30 // to 0x30, 0x38, 0x48
	k.nop()                                                                                 // 3, at 0x28
	k.label("a")
	k.exit(ir.Operand{}) // 4, at 0x30
	k.label("b")
	k.exit(ir.Operand{}) // 5, at 0x38
	k.label("c")
	k.exit(ir.Operand{}) // 6, at 0x48
	machine := k.machine()
	machine.Bundled = true
	var m mem.Memory
	runs := collect(t, prepare(t, machine, &m, launch(1, 2)))[0].Warps[0].Runs
	wantRuns(t, runs, []stream.Run{{PC: 0, N: 3, Mask: 3}, {PC: 5, N: 1, Mask: 2}, {PC: 4, N: 1, Mask: 1}})
	for n, address := range []int{8, 16, 24, 40, 48, 56, 72} {
		if at, ok := machine.Place(uint32(address)); ir.BundledAddress(n) != address || at != n || !ok {
			t.Errorf("address %d is that of instruction %d (%t), want %d", address, at, ok, n)
		}
	}
	for address, n := range map[uint32]int{0: 0, 32: 3, 64: 6} { // control words stand for the instruction behind
		if at, ok := machine.Place(address); at != n || !ok {
			t.Errorf("address %d is that of instruction %d (%t), want %d", address, at, ok, n)
		}
	}
	for _, address := range []uint32{4, 80} {
		if _, ok := machine.Place(address); ok {
			t.Errorf("address %d is that of an instruction", address)
		}
	}
}
