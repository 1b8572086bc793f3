package gpus_test

import (
	"math"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

func TestCPIStacksSumToIssueSlotsPerInstruction(t *testing.T) {
	for _, k := range resultsOf(t, "fermi", "sgemm", gpus.Options{}, nil) {
		sum := 0.0
		for _, v := range k.CPIStack {
			sum += v
		}
		if want := float64(slotsOf(k.IssueSlots)) / float64(k.WarpInstructions); math.Abs(sum-want) > 1e-9*want {
			t.Errorf("%s: %v slots per instruction in the stack, want %v", k.Name, sum, want)
		}
		var inst uint64
		for _, s := range k.SMs {
			sum := 0.0
			for _, v := range s.CPIStack {
				sum += v
			}
			inst += s.WarpInstructions
			if want := float64(slotsOf(s.IssueSlots)); math.Abs(sum*float64(s.WarpInstructions)-want) > 1e-6*want &&
				s.WarpInstructions > 0 {
				t.Errorf("SM %d: the stack sums to %v", s.SM, sum)
			}
		}
		if inst != k.WarpInstructions || len(k.SMs) != 4 {
			t.Errorf("%d SMs with %d instructions, want 4 with %d", len(k.SMs), inst, k.WarpInstructions)
		}
	}
}

func slotsOf(m map[string]uint64) (n uint64) {
	for _, v := range m {
		n += v
	}
	return n
}

func TestWarpStatesAddUpToTheWarpsResidentAtTheSchedulers(t *testing.T) {
	// One CTA of 4 warps, one per scheduler. A scheduler without a warp counts its slots as empty. A warp is in
	// exactly one state.
	m := launchOnce(t, independent(2), 1, 128, "sm.count=1")
	k := m.Results()[0]
	if got, want := slotsOf(k.WarpStates), slotsOf(k.IssueSlots)-k.IssueSlots["empty"]; got != want {
		t.Errorf("%d warp-cycles, want the %d slots with a warp", got, want)
	}
}

func TestTheOperandLatencyIsDistributedOverTheInstructionsWithSources(t *testing.T) {
	// One warp and a chain of FMAs: nothing conflicts, so every operand set takes the 4 cycles from collector to
	// arbiter, bank, crossbar and back.
	m := launchOnce(t, chain(50), 1, 32, "sm.count=1")
	k := m.Results()[0]
	var n, sum uint64
	for _, b := range k.Distributions["regfile.collector.operand_latency"] {
		n += b.Count
		sum += b.Count * b.From // exact below 16 cycles
		if b.From != b.To {
			t.Errorf("%d operations took %d cycles and more", b.Count, b.From)
		}
	}
	if n < 50 || sum != k.Stats["regfile.collector.operand_latency"] {
		t.Errorf("%d operations with %d cycles, statistic %d", n, sum, k.Stats["regfile.collector.operand_latency"])
	}
}

func TestTheSteadyIPCLeavesOutFillAndDrain(t *testing.T) {
	// 40 CTAs of 1024 threads run on one SM with a residency of two. The SM is full for a long time, and drains at
	// the end.
	m := launchOnce(t, independent(40), 40, 1024, "sm.count=1")
	k := m.Results()[0]
	if k.IPCSteady == nil || *k.IPCSteady < k.IPC || *k.IPCSteady > 128 {
		t.Errorf("steady-state IPC %v, IPC %v; want it between that and the 128 lanes", k.IPCSteady, k.IPC)
	}
}

// launchOnce returns a machine after a run of a kernel with one parameter.
func launchOnce(t *testing.T, text string, ctas, threads int, set ...string) *gpus.Machine {
	t.Helper()
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, set...)
	err := machinetest.Launch(t, m, text, ctas, threads, 0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A butterfly of 2 x 2 routers in each of 4 sub-cores of an SM: the routers are
// its crossbars. Each register is handed to a collector once, after at most
// two hops.
func TestTheRoutersOfAButterflyAddUpToItsStatistics(t *testing.T) {
	m := launchOnce(t, independent(5), 8, 512, "sm.count=2", "regfile.conventional.network=butterfly")
	k := m.Results()[0]
	var transfers, hops, conflicts uint64
	var queued float64
	b := m.Blocks()
	for _, x := range b.Crossbars {
		transfers += x.Transfers
		hops += x.Hops
		conflicts += x.Conflicts
		queued += x.Queued
	}
	if len(b.Crossbars) != 2*4*4 {
		t.Errorf("%d routers on two SMs, want 32", len(b.Crossbars))
	}
	if transfers == 0 || transfers != k.Stats["regfile.bank.reads.operand"] || hops == 0 || hops > 2*transfers {
		t.Errorf("%d registers handed over after %d hops, %d read", transfers, hops,
			k.Stats["regfile.bank.reads.operand"])
	}
	if want := float64(conflicts) / float64(k.Cycles); conflicts != k.Stats["regfile.crossbar.conflicts"] ||
		math.Abs(queued-want) > 1e-9 {
		t.Errorf("%d conflict cycles, %v values wait on average; want %d, %v", conflicts, queued,
			k.Stats["regfile.crossbar.conflicts"], want)
	}
}

func TestTheBanksOfAMachineAddUpToItsStatistics(t *testing.T) {
	m := launchOnce(t, independent(5), 8, 512, "sm.count=2")
	k := m.Results()[0]
	var reads, writes, readConflicts, writeConflicts, transfers, conflicts uint64
	var queued float64
	b := m.Blocks()
	for _, x := range b.Banks {
		reads += x.Reads
		writes += x.Writes
		readConflicts += x.ReadConflicts
		writeConflicts += x.WriteConflicts
		queued += x.Queued
	}
	waiting := 0.0
	for _, x := range b.Crossbars {
		transfers += x.Transfers
		conflicts += x.Conflicts
		waiting += x.Queued
	}
	if want := float64(conflicts) / float64(k.Cycles); math.Abs(waiting-want) > 1e-9 {
		t.Errorf("%v values wait on average, want %v", waiting, want)
	}
	if len(b.Banks) != 2*16 || len(b.Crossbars) != 2*4 {
		t.Errorf("%d banks and %d crossbars on two SMs, want 32 and 8", len(b.Banks), len(b.Crossbars))
	}
	for name, got := range map[string]uint64{"regfile.bank.reads.operand": reads, "regfile.bank.writes.result": writes,
		"regfile.arbiter.read_conflicts": readConflicts, "regfile.arbiter.write_conflicts": writeConflicts,
		"regfile.crossbar.transfers": transfers, "regfile.crossbar.conflicts": conflicts} {
		if got != k.Stats[name] || name == "regfile.bank.reads.operand" && got == 0 {
			t.Errorf("%s: %d over the blocks, %d in all", name, got, k.Stats[name])
		}
	}
	if want := float64(readConflicts+writeConflicts) / float64(k.Cycles); math.Abs(queued-want) > 1e-9 {
		t.Errorf("%v requests wait on average, want %v", queued, want)
	}
}
