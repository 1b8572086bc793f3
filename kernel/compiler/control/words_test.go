package control

import (
	"testing"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// op is an instruction of a class with registers of 32 bits.
func op(c ir.Class, dst []ir.RegID, src ...ir.RegID) ir.Inst {
	in := ir.Inst{}
	in.T.Class = c
	in.T.NDst, in.T.NSrc = uint8(copy(in.T.Dst[:], dst)), uint8(copy(in.T.Src[:], src))
	for i := range src {
		in.T.Slots |= uint32(min(i, 3)) << (2 * i)
	}
	return in
}

func to(r ...ir.RegID) []ir.RegID { return r }

// plainTimes returns a checker with long read and write times.
func plainTimes(m *Machine) *checker {
	return &checker{m: m, read: func(int) int { return 20 }, write: func(int) int { return 200 }}
}

func TestTheStallBetweenTwoInstructionsIsTheLatencyAndNoMore(t *testing.T) {
	pairs := 0
	for _, name := range Names() {
		m := machine(t, name)
		for a := range ir.NumClasses {
			for b := range ir.NumClasses {
				if !m.byClass[a].fixed || a == ir.ClassNop {
					continue
				}
				pairs++
				code := Sequence([]ir.Inst{op(a, to(1), 2), op(b, nil, 1)}, m)
				if err := plainTimes(m).play(pointers(code)); err != nil {
					t.Errorf("%s: %s before %s: %v", name, a, b, err)
				}
				code[0].Control.Stall--
				if code[0].Control.Stall < leastYield {
					code[0].Control.Yield = false
				}
				if plainTimes(m).play(pointers(code)) == nil {
					t.Errorf("%s: %s before %s: a cycle less is right too", name, a, b)
				}
			}
		}
	}
	if pairs < 500 {
		t.Errorf("only %d pairs were looked at", pairs)
	}
}

func TestAConsumerWaitsForTheCounterOfALoad(t *testing.T) {
	code := Sequence([]ir.Inst{op(ir.ClassLoad, to(1), 2), op(ir.ClassFMA, to(3), 1, 1, 1)}, machine(t, "sm_52"))
	if a, b := code[0].Control, code[1].Control; a.Write != 0 || a.Stall != 2 || b.Wait != 1 || a.Read != ir.NoCounter {
		t.Errorf("%v and %v, want counter 0 raised with a stall of 2, and waited for", a, b)
	}
}

func TestASourceThatIsOverwrittenBeforeTheResultIsUsedHasACounter(t *testing.T) {
	code := Sequence([]ir.Inst{op(ir.ClassLoad, to(1), 2), op(ir.ClassInt, to(2), 3), op(ir.ClassInt, to(4), 1)},
		machine(t, "sm_86"))
	if a, b, c := code[0].Control, code[1].Control, code[2].Control; a.Read != 1 || b.Wait != 2 || c.Wait != 1 {
		t.Errorf("%v, %v, %v: want counter 1 for the source and 0 for the result", a, b, c)
	}
}

func TestACounterIsFreeAfterTheFirstWait(t *testing.T) {
	var list []ir.Inst
	for i := range ir.RegID(20) {
		list = append(list, op(ir.ClassLoad, to(1), 2), op(ir.ClassInt, to(3+i), 1))
	}
	code := Sequence(list, machine(t, "sm_75"))
	for i := 0; i < len(code); i += 2 {
		if code[i].Control.Write != 0 {
			t.Errorf("load %d: %v, want counter 0", i/2, code[i].Control)
		}
	}
}

func TestLoadsBeyondTheCountersShareThem(t *testing.T) {
	var list []ir.Inst
	for i := range ir.RegID(12) {
		list = append(list, op(ir.ClassLoad, to(10+i), 1))
	}
	for i := range ir.RegID(12) {
		list = append(list, op(ir.ClassFMA, to(40+i), 10+i))
	}
	code := Sequence(list, machine(t, "sm_52"))
	for i := 1; i < 12; i++ {
		if code[i].Control.Wait != 0 {
			t.Errorf("load %d waits: %v", i, code[i].Control)
		}
	}
	if err := plainTimes(machine(t, "sm_52")).play(pointers(code)); err != nil {
		t.Error(err)
	}
}

func TestACounterStandsForAtMostSixtyThree(t *testing.T) {
	var list []ir.Inst
	for i := range 500 {
		list = append(list, op(ir.ClassStore, nil, ir.RegID(i%200), 255))
	}
	code := Sequence(list, machine(t, "sm_86"))
	var up [ir.Counters]int
	for i := range code {
		c := &code[i].Control
		for k := range up {
			if c.Wait>>k&1 != 0 {
				up[k] = 0
			}
		}
		if c.Read < ir.Counters {
			if up[c.Read]++; up[c.Read] > ir.MostCounted {
				t.Fatalf("counter %d stands for %d stores", c.Read, up[c.Read])
			}
		}
	}
	if up == [ir.Counters]int{} {
		t.Error("no store has a counter")
	}
}

func TestALatencyBeyondAStallCountIsFilledAndBranchesFindTheirTargets(t *testing.T) {
	k := &ir.Kernel{Insts: []ir.Inst{op(ir.ClassMatrixWide, to(1), 2), op(ir.ClassMove, to(3), 1),
		{Op: ir.OpBra, Target: 1, Guard: ir.P(0)}, {Op: ir.OpExit}}}
	k.Insts[2].T.Class, k.Insts[3].T.Class = ir.ClassBranch, ir.ClassExit
	cfg.Build(k.Insts).SetReconv(k.Insts)
	Set(k, machine(t, "sm_75"))
	if len(k.Insts) != 5 || k.Insts[1].Op != ir.OpNop || !k.Insts[1].Control.Set {
		t.Fatalf("%d instructions, want a NOP behind the first of four", len(k.Insts))
	}
	if a, b := k.Insts[0].Control, k.Insts[1].Control; a.Stall != 15 || !a.Yield || b.Stall != 7 || b.Yield {
		t.Errorf("stalls %v and %v, want 15 with yield and 7", a, b)
	}
	if bra := &k.Insts[3]; bra.Target != 2 || bra.Reconv != 4 {
		t.Errorf("the branch goes to %d and meets at %d, want 2 and 4", bra.Target, bra.Reconv)
	}
}

func TestAnOperandThatTheNextReadsAgainIsFlagged(t *testing.T) {
	for name, want := range map[string][3]uint8{"sm_52": {1, 0, 0}, "sm_75": {1, 0, 0}, "sm_86": {1, 0, 0}} {
		code := Sequence([]ir.Inst{op(ir.ClassFMA, to(20), 2, 4, 6), op(ir.ClassFMA, to(21), 2, 5, 7),
			op(ir.ClassFMA, to(22), 8, 2, 9)}, machine(t, name))
		for i, w := range want {
			if code[i].Control.Reuse != w {
				t.Errorf("%s: instruction %d: flags %b, want %b", name, i, code[i].Control.Reuse, w)
			}
		}
	}
}

func TestACollectorKeepsAnOperandBesideAnotherInstruction(t *testing.T) {
	list := []ir.Inst{op(ir.ClassFMA, to(20), 2, 4, 6), op(ir.ClassFMA, to(21), 8, 5, 7),
		op(ir.ClassFMA, to(22), 2, 9, 11)}
	for name, want := range map[string]uint8{"sm_52": 1, "sm_86": 0} {
		if got := Sequence(list, machine(t, name))[0].Control.Reuse; got != want {
			t.Errorf("%s: flags %b, want %b", name, got, want)
		}
	}
}

func TestAWriteEndsReuse(t *testing.T) {
	for name, list := range map[string][]ir.Inst{
		"by itself": {op(ir.ClassFMA, to(2), 2, 4, 6), op(ir.ClassFMA, to(21), 2, 5, 7)},
		"by another": {op(ir.ClassFMA, to(20), 2, 4, 6), op(ir.ClassSFU, to(2), 9),
			op(ir.ClassFMA, to(21), 2, 5, 7)},
	} {
		if got := Sequence(list, machine(t, "sm_52"))[0].Control.Reuse; got != 0 {
			t.Errorf("%s: flags %b, want none", name, got)
		}
	}
}

func TestOperationsOfVariableLatencyHaveNoFlags(t *testing.T) {
	list := []ir.Inst{op(ir.ClassLoad, to(20), 2), op(ir.ClassLoad, to(21), 2), op(ir.ClassSFU, to(22), 2)}
	for i, in := range Sequence(list, machine(t, "sm_86")) {
		if in.Control.Reuse != 0 {
			t.Errorf("instruction %d has flags %b", i, in.Control.Reuse)
		}
	}
}

// giving is setmaxnreg.dec to the given number of registers.
func giving(n int) ir.Inst {
	in := ir.Inst{Op: ir.OpSetmaxnreg, Src: []ir.Operand{ir.Imm(uint64(n), 1)}}
	ir.SetTiming(&in)
	return in
}

// R24 is written by a load and R30 read by another; R23 stays. The third load's counter is not waited for.
func TestRegistersAreGivenUpWhenTheyAreReadAndWritten(t *testing.T) {
	code := Sequence([]ir.Inst{op(ir.ClassLoad, to(24), 2), op(ir.ClassStore, nil, 30, 31), op(ir.ClassLoad, to(23), 3),
		giving(24)}, machine(t, "sm_86"))
	last := code[len(code)-1].Control
	if w, r, kept := code[0].Control.Write, code[1].Control.Read, code[2].Control.Write; w >= ir.Counters ||
		r >= ir.Counters || last.Wait != 1<<w|1<<r || kept < ir.Counters && last.Wait>>kept&1 != 0 {
		t.Errorf("%v, %v, %v, then %v: want a wait for the first two alone", code[0].Control, code[1].Control,
			code[2].Control, last)
	}
}

// The result of a multiplication is there after as many cycles as a reader of another kind waits for.
func TestRegistersAreGivenUpNoSoonerThanResultsOfFixedLatencyAreThere(t *testing.T) {
	m := machine(t, "sm_86")
	for first, early := range map[ir.RegID]bool{24: false, 23: true} {
		code := Sequence([]ir.Inst{op(ir.ClassIntMul, to(first), 1), giving(24)}, m)
		if got := int(code[0].Control.Stall); (got < m.groupOf(&code[0]).result.worst) != early {
			t.Errorf("R%d: given up %d cycles later, early %v", first, got, early)
		}
	}
}

// The address of a load is given up before the value is used.
func TestASourceThatIsGivenUpBeforeTheResultIsUsedHasACounter(t *testing.T) {
	code := Sequence([]ir.Inst{op(ir.ClassLoad, to(5), 30), giving(24), op(ir.ClassInt, to(6), 5)},
		machine(t, "sm_86"))
	load, given := code[0].Control, code[1].Control
	if load.Read >= ir.Counters || given.Wait != 1<<load.Read {
		t.Errorf("%v, then %v: want a counter for the source, and a wait for it alone", load, given)
	}
}
