package gpus_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

// planedOf is the design of an SM of a machine.
func planedOf(m *gpus.Machine, sm int) *planed { return gpus.Chip(m).SMs[sm].Regfile.(*planed) }

// Every dependent multiply-add is held by the gate from the cycle in which it could issue. Its notice arrives a
// cycle later, the gate opens N cycles after the notice, and the opening arrives a cycle later again: N + 2 cycles
// are lost to the gate. The warp is held one cycle longer, because the instruction becomes ready at the end of the
// cycle in which the previous instruction occupies the slot.
func TestAnInstructionThatAsksIssuesSoManyCyclesLaterAsTheDesignTakes(t *testing.T) {
	const n = 20
	run := func(set ...string) result.Kernel {
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true},
			append([]string{"sm.count=1", "compiler.schedule=pressure"}, set...)...)
		if err := launchChain(t, m, n); err != nil {
			t.Fatal(err)
		}
		return m.Results()[0]
	}
	base := run("regfile.kind=planed")
	for _, cycles := range []int{0, 1, 10, 100} {
		k := run("regfile.kind=planed", "regfile.planed.class=fma", fmt.Sprintf("regfile.planed.cycles=%d", cycles))
		lost := uint64(n * (cycles + 2))
		if k.Cycles != base.Cycles+lost || k.IssueSlots["fill"] != lost || k.WarpStates["fill"] != lost+1 ||
			k.Stats["sm.issue.fill"] != lost {
			t.Errorf("%d cycles for a request: %d cycles in all, want %d; %d slots, %d warp-cycles and statistic %d "+
				"lost to the gate, want %d", cycles,
				k.Cycles, base.Cycles+lost, k.IssueSlots["fill"], k.WarpStates["fill"], k.Stats["sm.issue.fill"], lost)
		}
		if k.Stats["regfile.planed.asked"] != n {
			t.Errorf("asked %d times for %d instructions", k.Stats["regfile.planed.asked"], n)
		}
	}
}

// planedRun runs an application on two SMs with every plane in use, and checks that the notices of each warp and
// CTA are consistent.
func planedRun(t *testing.T, name string, opt gpus.Options, prepare func(*gpus.Machine),
	set ...string) []result.Kernel {
	t.Helper()
	m := machinetest.GPU(t, "gtx980", opt,
		append([]string{"sm.count=2", "regfile.kind=planed", "regfile.planed.cycles=7", "regfile.planed.class=load",
			"regfile.planed.turns=16", "regfile.planed.urgent=true"}, set...)...)
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	for i := range gpus.Chip(m).SMs {
		d := planedOf(m, i)
		for _, err := range d.problems {
			t.Error(err)
		}
		if len(d.slots) != 0 {
			t.Errorf("SM %d: CTA slots %v have not ended", i, d.slots)
		}
		if d.index != i+1 {
			t.Errorf("SM %d: joined as %d, want %d", i, d.index, i+1)
		}
	}
	return m.Results()
}

func TestWithEveryPlaneInUseTickOrderAndWorkersChangeNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"sgemm", nil}, {"bfs", []string{"sched.policy=two-level"}}, {"hotspot", []string{"sched.policy=two-level"}},
		{"hotspot", []string{"sched.policy=fetch-group", "sched.group=4"}},
		{"bfs", []string{"sched.policy=two-level", "regfile.planed.regions=12"}},
		{"sgemm", []string{"regfile.planed.regions=8", "regfile.planed.slot=true", "sm.issue_width=2"}},
	} {
		want := planedRun(t, c.name, gpus.Options{Check: true}, nil, c.set...)
		for _, reason := range []string{"turn", "fill"} {
			if result.Sum(want).IssueSlots[reason] == 0 {
				t.Errorf("%s, %v: no slot was lost to %s", c.name, c.set, reason)
			}
		}
		for seed := range uint64(2) {
			if d := cmp.Diff(want, planedRun(t, c.name, gpus.Options{}, func(m *gpus.Machine) {
				machinetest.Shuffle(m,
					seed)
			},
				c.set...)); d != "" {
				t.Errorf("%s, %v, seed %d (-construction order +shuffled):\n%.1500s", c.name, c.set, seed, d)
			}
		}
		for _, n := range []int{2, 6} {
			if d := cmp.Diff(want, planedRun(t, c.name, gpus.Options{Workers: n}, nil, c.set...)); d != "" {
				t.Errorf("%s, %v, %d workers (-one +more):\n%.1500s", c.name, c.set, n, d)
			}
		}
	}
}

// Registers allow 4 CTAs of this kernel, with 512 threads of 32 registers each, out of 65536, and so do threads.
// Admission lowers the number, and with half the registers raises it.
func TestAdmissionLowersAndRaisesResidency(t *testing.T) {
	for _, c := range []struct {
		set  []string
		most int
	}{
		{[]string{"regfile.kind=conventional"}, 4},
		{[]string{"regfile.kind=conventional", "sm.registers=32768"}, 2},
		{[]string{"regfile.kind=planed", "regfile.planed.admits=true", "regfile.planed.resident=1"}, 1},
		{[]string{"regfile.kind=planed", "regfile.planed.admits=true", "sm.registers=32768"}, 4},
	} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, append([]string{"sm.count=1"}, c.set...)...)
		if err := launchRegisters(t, m); err != nil {
			t.Fatal(err)
		}
		if got := m.Results()[0].CTAsResidentMax; got != c.most {
			t.Errorf("%v: %d CTAs resident, want %d", c.set, got, c.most)
		}
		if p, ok := gpus.Chip(m).SMs[0].Regfile.(*planed); ok {
			if len(p.begun) != 1 {
				t.Fatalf("%v: %d launches begun, want 1", c.set, len(p.begun))
			}
			l := p.begun[0]
			if l.WarpsPerCTA != 16 || l.Registers != 32 || l.CTARegisters != 32*512 ||
				l.Capacity != gpus.Config(m).SM.Registers/32 || l.Others != 4 ||
				l.OthersLimit != "threads" || l.ByRegisters != gpus.Config(m).SM.Registers/(32*512) || l.Warps != 64 ||
				l.Active != 64 || l.Tables.Kernel() == nil {
				t.Errorf("%v: planned for %+v", c.set, l)
			}
		}
	}
}

// launchRegisters runs 12 CTAs of 512 threads with a charge of 32 registers.
func launchRegisters(t *testing.T, m *gpus.Machine) error {
	t.Helper()
	return machinetest.Launch(t, m, independent(4), 12, 512, 32)
}

func TestAnAdmissionThatNoSMCouldGrantIsRefused(t *testing.T) {
	for want, set := range map[string][]string{
		"register file planed keeps 3 of 4 resident CTAs active":    {"regfile.planed.idle=1"},
		"admits 5 CTAs to an SM that has room for 1 to 4 (threads)": {"regfile.planed.resident=5"},
		"kernel k: register file planed: no room":                   {"regfile.planed.resident=-1"},
	} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{},
			append([]string{"sm.count=2", "regfile.kind=planed", "regfile.planed.admits=true"}, set...)...)
		if err := launchRegisters(t, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", set, err, want)
		}
		if n := len(m.Results()); n != 0 {
			t.Errorf("%v: %d launches in the result", set, n)
		}
	}
}

// listed is a kernel's instructions as text.
func listed(k *ir.Kernel) string {
	var b strings.Builder
	for pc := range k.Insts {
		fmt.Fprintln(&b, k.Insts[pc].String())
	}
	return b.String()
}

func TestADesignThatAsksForItGetsRegistersNumberedByFirstUse(t *testing.T) {
	text, err := os.ReadFile("../benchmarks/cfd/kernel.ptx")
	if err != nil {
		t.Fatal(err)
	}
	module := machinetest.Module(t, string(text))
	spec := testConfig(t, "gtx980").CompileSpec()
	compile := func() string {
		k, _, err := spec.Compile(module.Kernel("initialize_variables"), config.Launched{Threads: 128})
		if err != nil {
			t.Fatal(err)
		}
		return listed(k)
	}
	allocated := compile()
	spec.Options.FirstUse = true
	byFirstUse := compile()
	if allocated == byFirstUse {
		t.Fatal("the allocator numbers the registers of this kernel by first use anyway")
	}
	for _, first := range []bool{false, true} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=planed",
			fmt.Sprintf("regfile.planed.first=%t", first))
		if err := launchChain(t, m, 4); err != nil {
			t.Fatal(err)
		}
		if p := planedOf(m, 0).begun; len(p) != 1 {
			t.Errorf("wants first use %t: %d launches", first, len(p))
		}
		got, err := gpus.Compile(m, &host.Launch{Module: module, Kernel: "initialize_variables", Grid: [3]int{1, 1, 1},
			Block: [3]int{128, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		if numbered := listed(got) == byFirstUse; numbered != first || (listed(got) == allocated) == first {
			t.Errorf("wants first use %t: registers are numbered so: %t", first, numbered)
		}
	}
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=planed", "regfile.planed.first=true")
	if err := m.Replay(&gpus.Replay{Kernel: machinetest.Module(t, chain(1)).Kernel("k"), Grid: [3]int{1, 1, 1},
		Block: [3]int{32, 1, 1}}); err == nil || !strings.Contains(err.Error(), "first use") {
		t.Errorf("replay: error %v, want one about first use", err)
	}
}

func TestADesignThatAsksAndCannotBeAnsweredIsRefusedByName(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980",
		Set: []string{"regfile.kind=planed", "regfile.planed.silent=true"}})
	if _, err := gpus.New(c, gpus.Options{}); err == nil ||
		!strings.Contains(err.Error(), "register file planed: gate fill asks") {
		t.Errorf("error %v, want one that names the design and the gate", err)
	}
}

func TestADesignKnowsHowManyWarpsAreActiveAndSaysWhatItStores(t *testing.T) {
	for set, active := range map[string]int{"sched.policy=lrr": 64, "sched.policy=two-level": 8,
		"sched.policy=fetch-group": 64} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=planed", set)
		e := planedOf(m, 0).env
		if e.Active != active || e.CTAs != gpus.Config(m).SM.CTAs || e.Capacity != 2048 {
			t.Errorf("%s: %d warps active, %d CTAs, %d warp registers; want %d, %d, 2048", set, e.Active, e.CTAs,
				e.Capacity, active, gpus.Config(m).SM.CTAs)
		}
		if d := cmp.Diff([]regfile.State{{Block: "Planed", What: "gates", Count: 1, Bits: 128}}, m.Storage()); d != "" {
			t.Error(d)
		}
	}
	if s := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=lossy").Storage(); len(s) != 0 {
		t.Errorf("a design that says nothing stores %v", s)
	}
}

// The gate is never opened, and the design stays busy forever.
func TestABusyMachineInWhichNothingMovesIsReportedAsADeadlock(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=planed", "regfile.planed.class=fma",
		"regfile.planed.cycles=2000000000", "regfile.planed.turns=16")
	err := launchChain(t, m, 4)
	var stop *stop.Error
	if !errors.As(err, &stop) || !strings.Contains(stop.Reason, "deadlock") {
		t.Fatalf("error %v, want a StopError of a deadlock", err)
	}
	if report := strings.Join(stop.Report, "\n"); !strings.Contains(report,
		"warp 0 (CTA slot 0): fma at line 11 is ready; gate fill holds it") {
		t.Errorf("the report does not say what holds the warp:\n%s", report)
	}
}

func TestATimelineNamesTheGateThatHoldsAWarp(t *testing.T) {
	const n, cycles = 5, 10
	doc := drawn(t, chain(n), 1, 32, 0, 5000, "sm.count=1", "regfile.kind=planed", "regfile.planed.class=fma",
		fmt.Sprintf("regfile.planed.cycles=%d", cycles))
	lost := uint64(0)
	for _, e := range doc.TraceEvents {
		if e.Cat == "lost slot" && e.Name == "fill" {
			lost += e.Dur
			if e.Args["means"] != "issue slots lost to a gate: what the instruction needs is on its way" {
				t.Errorf("it means %q", e.Args["means"])
			}
		}
	}
	if want := uint64(n * (cycles + 2)); lost != want {
		t.Errorf("%d cycles of lost slots are drawn for the gate, want %d", lost, want)
	}
}

// entries counts, by a walk over a capture's streams, how often a warp enters a
// register-interval of at most limit registers.
func entries(t *testing.T, gpu, name string, limit int) (n uint64) {
	t.Helper()
	c := captureOn(t, gpu, name, capture.Options{})
	for _, src := range c.Sources() {
		for cta := src.Next(); cta != nil; cta = src.Next() {
			r, err := tables.New(cta.Kernel).Intervals(limit)
			if err != nil {
				t.Fatal(err)
			}
			for i := range cta.Warps {
				var cur stream.Cursor
				var d stream.Dyn
				last := int32(regfile.NoGroup)
				for cur.Start(cta.Kernel, &cta.Warps[i]); cur.Next(&d); last = r.ByPC[d.PC] {
					if r.ByPC[d.PC] != last {
						n++
					}
				}
			}
		}
	}
	return n
}

// Every entry of an interval has an operation. Operations are counted apart from the program's instructions, and
// the latter are the same as without operations.
func TestOperationsGoBeforeEveryRegionThatAWarpEnters(t *testing.T) {
	for _, name := range []string{"sgemm", "bfs", "hotspot"} {
		plain := result.Sum(resultsOf(t, "gtx980", name, gpus.Options{}, nil))
		want := entries(t, "gtx980", name, 12)
		for _, set := range [][]string{nil, {"regfile.planed.slot=true"}, {"sched.policy=two-level"}} {
			k := result.Sum(planedRun(t, name, gpus.Options{Check: true}, nil,
				append(set, "regfile.planed.regions=12", "regfile.planed.bytes=32")...))
			slots := k.IssueSlots["inserted"]
			if got := k.Stats["sm.inserted_instructions"]; got != want ||
				k.WarpInstructions != plain.WarpInstructions || k.ThreadInstructions != plain.ThreadInstructions ||
				(set != nil && set[0] == "regfile.planed.slot=true") != (slots == want) {
				t.Errorf("%s, %v: %d operations in %d slots, want %d; %d instructions, want %d", name, set, got, slots,
					want, k.WarpInstructions, plain.WarpInstructions)
			}
			if k.IssueSlots["region"] == 0 {
				t.Errorf("%s, %v: no slot was lost to the gate behind the operations", name, set)
			}
		}
	}
}

// A chain of dependent multiply-adds in one interval. Its one operation issues in an issue slot of its own or
// beside the first instruction, which waits for the gate. The notice of the operation arrives a cycle later, the
// gate opens N cycles after the notice, and the opening arrives a cycle later. With a slot of its own the operation
// takes one more cycle. The notice and the opening for the warp's start are hidden by the fetch of the first
// instructions, unless N is longer.
func TestAnOperationCostsWhatItsGateTakes(t *testing.T) {
	run := func(set ...string) result.Kernel {
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, append([]string{"sm.count=1",
			"regfile.kind=planed"},
			set...)...)
		if err := launchChain(t, m, 20); err != nil {
			t.Fatal(err)
		}
		if n := len(planedOf(m, 0).entered); n > 1 {
			t.Errorf("%v: %d operations for one interval", set, n)
		}
		return m.Results()[0]
	}
	base := run()
	first := run("regfile.planed.regions=200")
	for _, cycles := range []int{1, 2, 7} {
		k := run("regfile.planed.regions=200", fmt.Sprintf("regfile.planed.cycles=%d", cycles))
		// once after the start, hidden or not, and once after the operation
		if late := k.Cycles - first.Cycles; late < uint64(cycles) || late > uint64(2*cycles) {
			t.Errorf("%d cycles for the gate: %d more in all, want %d to %d", cycles, late, cycles, 2*cycles)
		}
	}
	slot := run("regfile.planed.regions=200", "regfile.planed.slot=true")
	if slot.Cycles != first.Cycles || first.Cycles < base.Cycles+2 {
		t.Errorf("%d cycles without operations, %d with one beside, %d with one in a slot", base.Cycles, first.Cycles,
			slot.Cycles)
	}
}
