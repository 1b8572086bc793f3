package conventional

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

func TestAnOperationWithoutConflictsReachesItsUnitFiveCyclesAfterTheCollectors(t *testing.T) {
	r := newRig(t, simple(), oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst(nil, 1))
	r.ready(t, 0, 15)
}

func TestAnOperationWithoutSourcesReachesItsUnitTwoCyclesAfterTheCollectors(t *testing.T) {
	r := newRig(t, simple(), oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{1}))
	r.ready(t, 0, 12)
}

func TestLatenciesAddToTheBaseline(t *testing.T) {
	s := simple()
	s.ReadLatency, s.Paths.Latency, s.Paths.Cycles = 3, 2, 4
	r := newRig(t, s, oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst(nil, 1))
	r.ready(t, 0, 15+2+1+3)
}

func TestOperandsInOneSinglePortedBankCostABankCycleEach(t *testing.T) {
	for k := 1; k <= 4; k++ {
		s := simple()
		s.Paths.OutputWidth = 4 // the crossbar is no bottleneck
		r := newRig(t, s, oneScheduler())
		r.send(10, 0, 0, 0, filetest.Inst(nil, []ir.RegID{0, 4, 8, 12}[:k]...)) // all in bank 0
		r.ready(t, 0, wire.Cycle(15+k-1))
		if got, want := r.Stat("arbiter.read_conflicts"), uint64(k*(k-1)/2); got != want {
			t.Errorf("%d operands: %d conflict cycles, want %d", k, got, want)
		}
	}
}

func TestOperandsInDifferentBanksCostOneBankCycle(t *testing.T) {
	for k := 1; k <= 4; k++ {
		s := simple()
		s.Paths.OutputWidth = 4
		r := newRig(t, s, oneScheduler())
		r.send(10, 0, 0, 0, filetest.Inst(nil, []ir.RegID{0, 1, 2, 3}[:k]...))
		r.ready(t, 0, 15)
		if got := r.Stat("arbiter.read_conflicts"); got != 0 {
			t.Errorf("%d operands: %d conflict cycles", k, got)
		}
	}
}

func TestTwoPortsServeTwoOperandsOfOneBankPerCycle(t *testing.T) {
	s := simple()
	s.Paths.OutputWidth, s.BankPorts = 4, "2rw"
	r := newRig(t, s, oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst(nil, 0, 4, 8))
	r.ready(t, 0, 16)
}

func TestACrossbarThatGivesACollectorOneValuePerCycleSerialisesItsOperands(t *testing.T) {
	r := newRig(t, simple(), oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst(nil, 0, 1, 2)) // three banks: there together
	r.ready(t, 0, 15+2)
	if got := r.Stat("crossbar.conflicts"); got != 2+1 {
		t.Fatalf("%d crossbar conflicts, want 3", got)
	}
}

func TestACrossbarOfWidthOneSerialisesTheOperandsOfAllCollectors(t *testing.T) {
	s := simple()
	s.Paths.Width = 1
	env := oneScheduler()
	env.IssueWidth = 2
	r := newRig(t, s, env)
	r.send(10, 0, 0, 0, filetest.Inst(nil, 0))
	r.send(10, 0, 1, 0, filetest.Inst(nil, 1))
	r.ready(t, 0, 15)
	r.ready(t, 1, 16)
}

func TestABlockingBankOfLatencyLCostsLCyclesPerOperand(t *testing.T) {
	s := simple()
	s.Blocking, s.ReadLatency = true, 6
	r := newRig(t, s, oneScheduler())
	r.send(10, 0, 0, 0, filetest.Inst(nil, 0, 4))
	r.ready(t, 0, 15+5+6)
}

func TestWritesGoBeforeReads(t *testing.T) {
	r := newRig(t, simple(), oneScheduler())
	o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{4}))
	r.Finish(30, 0, o)                         // write at the arbiter at 31
	r.send(30, 0, 0, 0, filetest.Inst(nil, 0)) // read at the arbiter at 31 too, same bank
	r.ready(t, 0, 12, 36)
}

func TestAWritePortLeavesReadsAlone(t *testing.T) {
	s := simple()
	s.BankPorts = "1r1w"
	r := newRig(t, s, oneScheduler())
	o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{4}))
	r.Finish(30, 0, o)
	r.send(30, 0, 0, 0, filetest.Inst(nil, 0))
	r.ready(t, 0, 12, 35)
}

func TestAllRegistersOfAResultAreAnnouncedAtOnce(t *testing.T) {
	r := newRig(t, simple(), oneScheduler())
	o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{0, 4, 8, 12})) // four writes in one bank
	r.Finish(30, 0, o)
	r.send(32, 0, 0, 0, filetest.Inst(nil, 12)) // issued on the Done, seen at 31
	r.Domain.RunUntil(31)
	if len(r.Done[0].Got) != 1 || r.Done[0].Got[0].Cycle != 31 {
		t.Fatalf("Done: %+v", r.Done[0].Got)
	}
	// Writes at the bank from 32 to 35 hold up the read, there from 34, to 36.
	r.ready(t, 0, 12, 39)
}

func TestBusyCollectorsHoldUpIssue(t *testing.T) {
	s := simple()
	s.Collectors = 2
	r := newRig(t, s, oneScheduler())
	for range 6 {
		r.send(10, 0, 0, 0, filetest.Inst(nil, 0, 1, 2))
	}
	r.Domain.RunUntil(15)
	if n := r.Issue[0].Left(); n != 2 {
		t.Fatalf("%d operations held up, want 2: two have collectors, two wait in the port", n)
	}
	// Each takes 5 + 2 cycles, a collector being free again in the cycle before
	// the unit sees its operation.
	r.ready(t, 0, 17, 18, 23, 24, 29, 30)
}

func TestThreeOperandOperationsFlowOnePerCycleAndSubCore(t *testing.T) {
	m := newMachine(t, fast(), true)
	m.run(100)
	const n = 2000
	if c := m.run(n); c > n+40 {
		t.Fatalf("%d operations per sub-core in %d cycles", n, c)
	}
	if m.check.Total() != 0 || m.check.Checked() != 4*3*(n+100) {
		t.Fatalf("%d operands checked, %d wrong", m.check.Checked(), m.check.Total())
	}
}

func TestCollectorsBoundTheThroughputByTheirHoldingTime(t *testing.T) {
	// Three sources, one value per cycle: a collector is held for 4 + 2 cycles,
	// so that n collectors pass n/6 operations per cycle.
	for n, perOp := range map[int]float64{2: 3, 3: 2, 6: 1} {
		s := Default()
		s.Collectors = n
		m := newMachine(t, s, false)
		m.run(100)
		const ops = 2000
		if got := float64(m.run(ops)) / ops; got < perOp || got > perOp+0.01 {
			t.Errorf("%d collectors: %.3f cycles per operation, want %.0f", n, got, perOp)
		}
	}
}

func TestBanksOfSixteenBytesFormGroupsOfEight(t *testing.T) {
	s := simple()
	s.Banks, s.BankWidth, s.BankPorts = 32, 16, "1r1w" // Gebhart: 32 banks of 4 KB, 128 bits wide
	r := newRig(t, s, oneScheduler())
	if n := len(r.f.subs[0].banks); n != 4 {
		t.Fatalf("%d conflict groups, want 4", n)
	}
	r.send(10, 0, 0, 0, filetest.Inst(nil, 1, 5)) // one group
	r.ready(t, 0, 16)
	if got := r.Stat("bank.slice_reads"); got != 2*8 {
		t.Fatalf("%d slices read, want 16", got)
	}
}

func TestASharedUnitStandsBehindAnArbiterOverTheSubCores(t *testing.T) {
	s := simple()
	s.SubCores, s.Banks = 2, 8
	env := &regfile.Env{Schedulers: 2, IssueWidth: 1, Warps: 8, Registers: 64, Writebacks: 1, Units: []regfile.Unit{
		{Name: "SP[0]", Kind: "sp", Sched: 0}, {Name: "SP[1]", Kind: "sp", Sched: 1},
		{Name: "LDST", Kind: "ldst", Sched: regfile.Shared}}}
	r := newRig(t, s, env)
	r.send(10, 0, 2, 0, filetest.Inst(nil, 1))
	r.send(10, 1, 2, 1, filetest.Inst(nil, 1))
	r.send(10, 1, 1, 1, filetest.Inst(nil, 2))
	r.ready(t, 2, 16, 17)
	r.ready(t, 1, 16) // the second of its scheduler: visible at 11
	if got := r.Stat("dispatch.conflicts"); got != 1 {
		t.Fatalf("%d conflicts, want 1", got)
	}
}

func TestSubCoresDoNotDisturbEachOther(t *testing.T) {
	for shared, want := range map[int]wire.Cycle{2: 15, 1: 16} {
		s := simple()
		s.SubCores, s.Banks = shared, 4*shared
		env := &regfile.Env{
			Schedulers: 2,
			IssueWidth: 1,
			Warps:      8,
			Registers:  64,
			Writebacks: 1,
			Units: []regfile.Unit{
				{Name: "SP[0]", Kind: "sp", Sched: 0}, {Name: "SP[1]", Kind: "sp", Sched: 1}},
		}
		r := newRig(t, s, env)
		r.send(10, 0, 0, 0, filetest.Inst(nil, 1))
		r.send(10, 1, 1, 1, filetest.Inst(nil, 5)) // same bank number
		r.ready(t, 0, 15)
		r.ready(t, 1, want)
	}
}
