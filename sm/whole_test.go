package sm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/sm/execute"
	"kumiko/sm/fetch"
	"kumiko/sm/lsu"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/sched"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// quadSpec is an SM of four schedulers, each with two arithmetic units of its own, a shared unit for
// special functions, a shared unit for memory, and two results per cycle.
func quadSpec() *Spec {
	s := testSpec()
	s.Schedulers, s.Writeback = 4, 2
	alu := s.Units["alu"]
	alu.Count, alu.Class = 8, nil
	var own []string
	for _, c := range alu.Classes {
		if c != "sfu" {
			own = append(own, c)
		}
	}
	alu.Classes = own
	s.Units["alu"] = alu
	s.Units["special"] = execute.UnitSpec{Count: 1, Shared: true, Classes: []string{"sfu"}, Latency: 10, Initial: 8}
	return s
}

// chain is a CTA of warps with each instruction depending on the one before.
func chain(warps int) *stream.CTA {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassSFU, []int{3},
			2),
		smtest.Inst(ir.ClassLoad, []int{4}, 3), smtest.Inst(ir.ClassInt, []int{5}, 4), smtest.Inst(ir.ClassExit, nil))
	k.Footprint = 6
	c := &stream.CTA{Kernel: k, Warps: make([]stream.Warp, warps)}
	for i := range c.Warps {
		c.Warps[i] = smtest.Straight(6)
		c.Warps[i].Accesses = make([]stream.Access, 1)
	}
	return c
}

// The CTA is seen at 2, its warp by fetch at 3, its first instruction in the buffer at 4. A dependent instruction
// issues 2 cycles to the unit, the unit's latency, and one cycle back from the register file later: 7 cycles behind the
// ALU, and 13 behind the special function. So they issue at 4, 11, 18 and 31. The load is at the memory side 3 cycles
// later and takes 4 back, through the load/store unit, writeback, register file and scheduler, so the next instruction
// issues at 38. The last result is known at 45, residency is notified of the end at 46, and the dispatcher at 47.
func TestAChainOfInstructionsTakesTheLatenciesOfItsUnits(t *testing.T) {
	s := testSpec()
	w := newWhole(t, s, &thinOptions{subCores: 1})
	end := w.run(t, s, chain(1))
	var at []wire.Cycle
	for i := range w.f.ops {
		at = append(at, w.f.ops[i].Issued)
	}
	smtest.WantCycles(t, "issue", at, []wire.Cycle{4, 11, 18, 31, 38})
	if end != 47 {
		t.Errorf("retired at %d, want 47", end)
	}
}

// The early Done is at the scheduler 2 cycles after the issue.
func TestEarlyNoticesOfResultsReachTheScheduler(t *testing.T) {
	s := testSpec()
	w := newWhole(t, s, &thinOptions{subCores: 1, early: true})
	w.run(t, s, chain(1))
	var at []wire.Cycle
	for i := range w.f.ops {
		at = append(at, w.f.ops[i].Issued)
	}
	smtest.WantCycles(t, "issue", at, []wire.Cycle{4, 6, 8, 10, 12})
}

// An operation is at the register file in the cycle after its issue, and the scheduler knows a cycle later that its
// issue register is free. So with one issue register per unit independent instructions issue in every other cycle.
func TestIssueRegistersAreFreeWhenTheRegisterFileSaysSo(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassInt, []int{3},
			0),
		smtest.Inst(ir.ClassExit, nil))
	for taken, want := range map[bool][]wire.Cycle{false: {4, 5, 6}, true: {4, 6, 8}} {
		s := testSpec()
		s.Fetch.Buffer = 4
		w := newWhole(t, s, &thinOptions{subCores: 1, taken: taken})
		w.run(t, s, &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(4)}})
		var at []wire.Cycle
		for i := range w.f.ops {
			at = append(at, w.f.ops[i].Issued)
		}
		smtest.WantCycles(t, "issue", at, want)
	}
}

// Eight warps run on four schedulers, two per sub-core. Units 0 to 7 are
// arithmetic, unit 8 is the load/store unit and unit 9 the unit of special functions.
func TestOperationsGoToTheUnitsOfTheirSchedulerAndResultsToItsSubCore(t *testing.T) {
	s := quadSpec()
	w := newWhole(t, s, &thinOptions{subCores: 2})
	w.run(t, s, chain(8))
	if len(w.f.ops) != 8*5 || len(w.f.results) != 8*5 {
		t.Fatalf("%d operations and %d results, want 40 each", len(w.f.ops), len(w.f.results))
	}
	used := map[uint8]int{}
	for i := range w.f.ops {
		o := &w.f.ops[i]
		used[o.Unit]++
		if o.Sched != uint8(o.Warp%4) || o.Unit < 8 && o.Unit%4 != o.Sched {
			t.Errorf("an operation of warp %d, scheduler %d goes to unit %d", o.Warp, o.Sched, o.Unit)
		}
	}
	// three arithmetic operations of two warps take turns at two units
	if d := cmp.Diff(map[uint8]int{0: 3, 1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 8, 9: 8}, used); d != "" {
		t.Errorf("operations by unit (-want +got):\n%s", d)
	}
	for i := range w.f.results {
		if w.f.ports[i]/2 != int(w.f.results[i].Sched)/2 {
			t.Errorf("a result of scheduler %d comes by port %d", w.f.results[i].Sched, w.f.ports[i])
		}
	}
}

func TestAnSMAddsUpItsSchedulersAccounts(t *testing.T) {
	s := quadSpec()
	w := newWhole(t, s, &thinOptions{subCores: 2})
	w.run(t, s, chain(8))
	if a, b := w.m.Instructions(); a != 8*6 || b != 8*6*32 {
		t.Errorf("%d warp and %d thread instructions, want 48 and 1536", a, b)
	}
	var slots, warps [reason.Num]uint64
	w.m.Slots(&slots)
	w.m.WarpStates(&warps)
	sum := uint64(0)
	for _, n := range slots {
		sum += n
	}
	if sum != 4*1000 || slots[reason.Issued] != 48 || warps[reason.Memory] == 0 {
		t.Errorf("%d slots, %d of them issued; warps waited for memory for %d cycles; want 4000, 48, some", sum,
			slots[reason.Issued], warps[reason.Memory])
	}
	got := w.stats.Snapshot()
	for name, want := range map[string]uint64{"sm.residency.ctas_launched": 1, "sm.warp_instructions": 48,
		"sm.fetch.instructions": 48, "sm.lsu.operations": 8, "sm.unit.alu.operations": 24,
		"sm.unit.special.operations": 8, "sm.unit.special.busy": 8 * 8, "sm.writeback.results": 40} {
		if got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}

// The branch issues at 4 and is at its unit at 6. Fetch resumes in the cycle after the
// resolution, and the exit issues a cycle later. The dispatcher is notified of the end 2
// cycles after that.
func TestFetchGoesOnWhenTheStageThatResolvesABranchHasIt(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil, 0), smtest.Inst(ir.ClassInt, []int{1}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	for resolve, want := range map[string]wire.Cycle{"issue": 6 + 2, "execute": 8 + 2} {
		for warps := range 8 {
			s := quadSpec()
			s.Fetch.Resolve, s.Fetch.Width = resolve, 8
			w := newWhole(t, s, &thinOptions{subCores: 2})
			c := &stream.CTA{Kernel: k, Warps: make([]stream.Warp, warps+1)}
			for i := range c.Warps {
				c.Warps[i] = stream.Warp{Runs: []stream.Run{smtest.Run(0, 1), smtest.Run(2, 1)}}
			}
			if end := w.run(t, s, c); end != want && warps < 4 {
				t.Errorf("%d warps, branches resolved at %s: retired at %d, want %d", warps+1, resolve, end, want)
			}
		}
	}
}

func TestARegisterFileIsToldTheSMThatItIsPartOf(t *testing.T) {
	s := quadSpec()
	s.Scheduler = sched.Spec{Policy: sched.TwoLevel, Inner: "lrr", Active: 4}
	e := newWhole(t, s, &thinOptions{subCores: 2}).f.env
	if !e.TwoLevel || e.Active != 4 || e.Warps != 8 || e.Schedulers != 4 || len(e.Units) != 10 {
		t.Errorf("%+v, want four of eight warps active, and ten units", e)
	}
	for i, u := range e.Units {
		if want := i % 4; i < 8 && u.Sched != want || i >= 8 && u.Sched != regfile.Shared {
			t.Errorf("unit %s is scheduler %d's", u.Name, u.Sched)
		}
		if (u.Times == nil) != (u.Kind == "mem") {
			t.Errorf("the times of unit %s are known: %t", u.Name, u.Times != nil)
		}
	}
	// 8192 registers are 256 of a warp; 8 warps of 16 registers need 128.
	for most, want := range map[int]int{255: 256, 16: 128} {
		s = testSpec()
		s.MaxRegs = most
		if e := newWhole(t, s, &thinOptions{subCores: 1}).f.env; e.Capacity != want || e.TwoLevel || e.Active != 8 {
			t.Errorf("%d registers per thread: capacity %d, two levels %t, %d active; want %d, false, 8", most,
				e.Capacity, e.TwoLevel, e.Active, want)
		}
	}
}

func TestAnSMThatCannotBeBuiltIsRefused(t *testing.T) {
	shuts := regfile.Gate{Reason: "fill", Shuts: regfile.Events(regfile.WarpActivated)}
	var closed wire.Signal[message.WarpSet]
	for _, k := range []struct {
		want   string
		change func(s *Spec, o *thinOptions)
	}{
		{"units: found 65", func(s *Spec, _ *thinOptions) {
			unit(s, "alu",
				func(u *execute.UnitSpec) { u.Count = 64 })
		}},
		{"no such file", func(_ *Spec, o *thinOptions) { o.err = errors.New("no such file") }},
		{"register file thin: gate fill shuts by itself", func(_ *Spec, o *thinOptions) {
			o.gates = []regfile.Gate{shuts}
		}},
		{`register file thin: gate 0 is named "memory"`, func(s *Spec, o *thinOptions) {
			s.Switch.Switching = switching.VirtualThread
			o.gates = []regfile.Gate{{Reason: "memory", Closed: &closed}}
		}},
		{"units.alu.latency: found 1, expected at least 2", func(s *Spec, _ *thinOptions) {
			unit(s, "alu", func(u *execute.UnitSpec) { u.Latency = 1 })
		}},
		{"units.alu.class.sfu: found 1, expected at least 2", func(s *Spec, _ *thinOptions) {
			unit(s, "alu", func(u *execute.UnitSpec) { u.Class = map[string][]int{"sfu": {1, 1}} })
		}},
	} {
		s, o := testSpec(), &thinOptions{subCores: 1}
		k.change(s, o)
		var f *thinFile
		_, err := New(s, Env{Domain: wire.NewDomain("core", smtest.GHz), Name: "SM", RegFile: thinKind(o, &f)})
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error %v, want one with %q", err, k.want)
		}
	}
}

// A result passes the writeback stage in 2 cycles, and is then announced 3 cycles ahead. So a unit's latency is at
// least 5.
func TestUnitsTakeAtLeastAsLongAsTheWayOfTheirResults(t *testing.T) {
	for latency, ok := range map[int]bool{4: false, 5: true} {
		for class, ok2 := range map[int]bool{4: false, 5: true} {
			s := testSpec()
			unit(s, "alu", func(u *execute.UnitSpec) {
				u.Latency, u.Class = latency,
					map[string][]int{"sfu": {class,
						1}}
			})
			err := (&SM{spec: s}).checkLatencies(3)
			if (err == nil) != (ok && ok2) {
				t.Errorf("latencies %d and %d: %v", latency, class, err)
			}
			if err != nil && !strings.Contains(err.Error(), "at least 5") {
				t.Errorf("error %v, want one that says at least 5", err)
			}
		}
	}
}

func TestASwitcherMovesRegistersWhereTheRegisterFileDoes(t *testing.T) {
	for _, moves := range []bool{false, true} {
		s := testSpec()
		s.Switch.Switching = switching.VirtualThread
		o := &thinOptions{subCores: 1}
		if moves {
			o.mover = &thinMover{}
		}
		m := newWhole(t, s, o).m
		if m.switcher == nil || !m.Switches() || (m.switcher.Move != nil) != moves ||
			m.fetch.Standing.Connected() != moves || m.fetch.Rewind.Capacity() == 0 {
			t.Errorf("moves %t: the switcher moves %t, and fetch says where warps stand %t", moves,
				m.switcher.Move != nil, m.fetch.Standing.Connected())
		}
	}
}

func TestLinesOfTheProgramAreBroughtFromTheMemorySide(t *testing.T) {
	s := testSpec()
	s.Fetch.ICache = fetch.ICacheSpec{Misses: 2, Tags: tagarray.Spec{Sets: 1, Ways: 2, Line: 128, Sector: 128,
		Replace: "lru",
		Index:   "linear"}}
	d := wire.NewDomain("core", smtest.GHz)
	var f *thinFile
	m, err := New(s, Env{Domain: d, Name: "SM", RegFile: thinKind(&thinOptions{subCores: 1}, &f)})
	if err != nil {
		t.Fatal(err)
	}
	in := wiretest.NewLooseSink[req.Packet]("In", d, 4)
	from := &wire.OutPort[req.Packet]{}
	from.Init(&in.Comp, "Out")
	m.ConnectInstructions(&in.In, from)
	if !m.fetch.ToMem.Connected() || !from.Connected() {
		t.Error("the instruction cache is not connected")
	}
}

// testSpec is a small SM: one scheduler, an ALU of latency 4, a memory unit.
func testSpec() *Spec {
	return &Spec{
		Count: 1, ClockMHz: 1000, Schedulers: 1, IssueWidth: 1, Warps: 8, Threads: 256, CTAs: 4,
		Registers: 8192, SharedBytes: 1024, MaxRegs: 255,
		Fetch: fetch.Spec{Width: 1, Instructions: 2, Buffer: 2, Latency: 1, Refill: "room", Policy: fetch.InTurn,
			Bytes: 8, Resolve: "issue",
			ICache: fetch.ICacheSpec{Perfect: true}},
		Scheduler: sched.Spec{Policy: "lrr"},
		Units: map[string]execute.UnitSpec{
			"alu": {Count: 1, Classes: []string{"move", "int", "int_mul", "int_div", "convert", "fadd", "fmul", "fma",
				"fdiv", "half",
				"sfu", "dadd", "dmul", "dfma", "ddiv", "shuffle", "vote", "branch", "special",
				"shift", "compare", "bits", "convert_wide"}, Latency: 4, Initial: 1,
				Class: map[string][]int{"sfu": {10, 8}}},
			"mem": {Count: 1, Shared: true, Classes: []string{"load", "store", "atomic", "texture"}, Latency: 2,
				Initial: 1},
		},
		Writeback: 1, LSU: lsu.Spec{Queue: 2, Outstanding: 64},
	}
}

func names(list []reason.Info) (out []string) {
	for _, r := range list {
		out = append(out, r.Name)
	}
	return out
}

func TestAnSMHasTheReasonsOfWhatItCanDo(t *testing.T) {
	gates := []regfile.Gate{{Reason: "fill"}}
	full := []string{"regfile_full", "unit_full", "lsu_full", "shared_full", "cache_full", "memory_full"}
	for _, k := range []struct {
		what   string
		change func(s *Spec, p *sched.Planes)
		want   []string
	}{
		{"plain", func(*Spec, *sched.Planes) {}, slices.Concat([]string{"issued"}, full, []string{"scoreboard",
			"memory", "fence", "barrier", "no_instruction", "drain", "empty"})},
		{"everything", func(s *Spec, p *sched.Planes) {
			s.IssueWidth, s.Scheduler.Policy, s.Switch.Switching = 2, sched.FetchGroup, switching.VirtualThread
			p.Inserts, p.Gates = "prefetch", gates
		}, slices.Concat([]string{"issued", "inserted", "unpaired"}, full, []string{"fill", "inactive", "switch",
			"scoreboard", "memory", "fence", "barrier", "no_instruction", "drain", "parked", "empty"})},
		{"control words", func(s *Spec, _ *sched.Planes) { s.Scheduler.Dependences = sched.ByControl },
			slices.Concat([]string{"issued"}, full, []string{"stall", "yield", "counter", "scoreboard",
				"memory", "fence", "barrier", "no_instruction", "drain", "empty"})},
	} {
		s, p := testSpec(), sched.Planes{}
		k.change(s, &p)
		if d := cmp.Diff(k.want, names((&SM{spec: s, planes: p}).Reasons())); d != "" {
			t.Errorf("%s (-want +got):\n%s", k.what, d)
		}
	}
}
