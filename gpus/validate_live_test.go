package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

const counting = "account.live_registers=true"

// longLived is n dependent FMAs on two long-lived values, with extra values live throughout, and a store of all.
func longLived(n, extra int) string {
	var b strings.Builder
	for i := range 3 + extra {
		fmt.Fprintf(&b, "ld.global.f32 %%f%d, [%%rd1+%d];\n", 1+i, 4*i)
	}
	b.WriteString(strings.Repeat("fma.rn.f32 %f1, %f1, %f2, %f3;\n", n))
	b.WriteString("add.f32 %f1, %f1, %f2;\n add.f32 %f1, %f1, %f3;\n")
	for i := range extra {
		fmt.Fprintf(&b, "add.f32 %%f1, %%f1, %%f%d;\n", 4+i)
	}
	return machinetest.Text("", b.String()+"st.global.f32 [%rd1], %f1;\n")
}

// ran returns a machine after a run of a kernel with one CTA.
func ran(t *testing.T, text string, threads int, set ...string) *gpus.Machine {
	t.Helper()
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, append([]string{"sm.count=1", `compiler.off=["schedule"]`},
		set...)...)
	launch(t, m, text, [3]int{1, 1, 1}, [3]int{threads, 1, 1}, 4096)
	return m
}

// Dependent FMAs of three registers are 11 cycles apart: 7 + 4 - 2, and a cycle for each register beyond the first.
// Before each FMA, its three operands, the 64-bit address and the extra values are live in each warp.
func TestLiveRegistersAreThoseOfTheNextInstructionForAsLongAsItWaits(t *testing.T) {
	const n, apart = 50, 11
	for _, warps := range []int{1, 3} {
		live := func(n, extra int) uint64 {
			m := ran(t, longLived(n, extra), 32*warps, counting)
			return m.Results()[0].Stats["sm.residency.registers_live"]
		}
		base := live(2*n, 0) - live(n, 0)
		for _, extra := range []int{1, 5} {
			if got, want := live(2*n, extra)-live(n, extra)-base, uint64(extra*apart*n*warps); got != want {
				t.Errorf("%d warps: %d values more are live for %d register-cycles more, want %d x %d x %d x %d = %d",
					warps, extra, got, extra, apart, n, warps, want)
			}
		}
		// three operands and the two registers of the address
		if want := uint64(5 * apart * n * warps); base != want {
			t.Errorf("%d warps: %d register-cycles, want 5 x %d x %d x %d = %d", warps, base, apart, n, warps, want)
		}
	}
}

// every watches an SM and sums the live registers cycle by cycle.
type every struct {
	changes [64][]standing // per context
}

type standing struct {
	until wire.Cycle // the issue
	pc    uint32
}

func (e *every) Issued(now wire.Cycle, f *message.Fetched, tag uint32) {
	e.changes[f.Warp] = append(e.changes[f.Warp], standing{now, f.PC})
}

func (e *every) States(wire.Cycle, int, *[reason.Num]uint64, []uint16, int, reason.Reason) {}

func (e *every) Pending(wire.Cycle, uint16, bool) {}

// launchAndCompile runs a launch and returns its kernel as executed.
func launchAndCompile(t *testing.T, m *gpus.Machine, l *host.Launch) *ir.Kernel {
	t.Helper()
	if err := m.Launch(l); err != nil {
		t.Fatal(err)
	}
	k, err := gpus.Compile(m, l)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// An observer records the issue cycle of each instruction. In each cycle between two issues of a warp, the second
// instruction is the warp's next. The time from a warp's start to its first instruction is unknown, but nothing is
// live in it.
func TestLiveRegistersAreTheSumOverCycles(t *testing.T) {
	for _, count := range []bool{false, true} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", fmt.Sprintf("account.live_registers=%t", count))
		e := &every{}
		gpus.Chip(m).SMs[0].Observe(e)
		p := machinetest.Module(t, machinetest.Text("", machinetest.Lanes(128)+loads(3, 128, 0, "ld.global.f32",
			"%rd4")+
			"setp.gt.f32 %p1, %f1, 0f00000000;\n @%p1 bra DONE;\n"+loads(2, 128, 0, "ld.global.f32", "%rd4")+
			"DONE:\n st.global.f32 [%rd4], %f1;\n"))
		k := launchAndCompile(t, m, &host.Launch{Module: p, Kernel: "k", Grid: [3]int{1, 1, 1},
			Block: [3]int{300, 1, 1}, Args: []host.Arg{host.U64(m.Memory().Alloc("p", 1<<16))}})
		l := liveness.Analyze(k, cfg.Build(k.Insts))
		vectors := l.Vectors()
		want := uint64(0)
		for _, list := range e.changes {
			for i := 1; i < len(list); i++ {
				for range list[i].until - list[i-1].until {
					want += uint64(len(l.Registers(vectors[list[i].pc])))
				}
			}
			if len(list) > 0 && len(l.Registers(vectors[list[0].pc])) != 0 {
				t.Fatal("the kernel has live registers at its start")
			}
		}
		if !count {
			want = 0
		}
		if got := m.Results()[0].Stats["sm.residency.registers_live"]; got != want {
			t.Errorf("counting %t: %d register-cycles, want %d", count, got, want)
		}
	}
}

// A CTA holds the registers of all its warps until it retires: warps with an early end change nothing.
func TestAllocatedRegistersAreThoseOfTheResidentCTAs(t *testing.T) {
	early := machinetest.Text("", "setp.gt.u32 %p1, %r1, 31;\n @%p1 bra DONE;\n"+
		strings.Repeat("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 200)+"st.global.f32 [%rd1], %f1;\nDONE:\n")
	run := func(warps int) (held, regs, cycles uint64) {
		m := ran(t, early, 32*warps)
		r := m.Results()[0]
		return r.Stats["sm.residency.registers_allocated"], uint64(r.RegistersPerThread),
			r.Stats["sm.residency.warp_cycles"]
	}
	one, regs, cycles := run(1)
	if one != regs*cycles {
		t.Errorf("one warp: %d register-cycles, want %d registers x %d cycles", one, regs, cycles)
	}
	// Seven warps end at once, but hold their registers as long as the first.
	eight, _, short := run(8)
	if eight%(8*regs) != 0 || eight/(8*regs) < cycles || eight <= regs*short {
		t.Errorf("eight warps: %d register-cycles for a CTA of 8 x %d registers, of which one warp lives %d cycles "+
			"and all together %d", eight, regs, cycles, short)
	}
}

// everyLane watches an SM lane by lane.
type everyLane struct {
	changes [64][32][]standing // per context and lane
}

func (e *everyLane) Issued(now wire.Cycle, f *message.Fetched, tag uint32) {
	for l := range 32 {
		if f.Exec>>l&1 != 0 {
			e.changes[f.Warp][l] = append(e.changes[f.Warp][l], standing{now, f.PC})
		}
	}
}

func (e *everyLane) States(wire.Cycle, int, *[reason.Num]uint64, []uint16, int, reason.Reason) {}
func (e *everyLane) Pending(wire.Cycle, uint16, bool)                                          {}

// Lanes below 7 end, lanes 7 to 20 sum up loaded values, and the others wait in the meantime and need few
// registers. The live registers of the lanes are therefore fewer than 32 times those of the warp.
func TestLiveRegistersOfLanesAreThoseOfWhereTheyAre(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", counting)
	e := &everyLane{}
	gpus.Chip(m).SMs[0].Observe(e)
	text := machinetest.Text("", machinetest.Lanes(128)+
		"setp.lt.u32 %p1, %r1, 7;\n@%p1 ret;\nsetp.gt.u32 %p1, %r1, 20;\n mov.f32 %f1, 0f00000000;\n @%p1 bra DONE;\n"+
		loads(2, 128, 0, "ld.global.f32", "%rd4")+"DONE:\n st.global.f32 [%rd4], %f1;\n")
	k := launchAndCompile(t, m, &host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: [3]int{3, 1, 1},
		Block: [3]int{32, 1, 1}, Args: []host.Arg{host.U64(m.Memory().Alloc("p", 1<<16))}})
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	vectors := l.Vectors()
	want, equal := uint64(0), true
	for w := range e.changes {
		for lane, list := range e.changes[w] {
			equal = equal && len(list) == len(e.changes[w][0])
			if len(list) > 0 && lane < 7 && len(list) >= len(e.changes[w][31]) {
				t.Errorf("lane %d executes as much as lane 31", lane)
			}
			for i := 1; i < len(list); i++ {
				want += uint64(len(l.Registers(vectors[list[i].pc]))) * (list[i].until - list[i-1].until)
			}
		}
	}
	s := m.Results()[0].Stats
	if got := s["sm.residency.lane_registers_live"]; got != want || equal || want == 0 {
		t.Errorf("%d register-cycles of lanes, want %d; all lanes execute equally: %t", got, want, equal)
	}
	if s["sm.residency.lane_registers_live"] >= 32*s["sm.residency.registers_live"] {
		t.Errorf("lanes need %d register-cycles, of %d of the warp's next instructions",
			s["sm.residency.lane_registers_live"], 32*s["sm.residency.registers_live"])
	}
}

func TestCountingLiveRegistersChangesNoCycle(t *testing.T) {
	a, b := ran(t, longLived(20, 2), 256), ran(t, longLived(20, 2), 256, counting)
	x, y := a.Results()[0], b.Results()[0]
	if y.Stats["sm.residency.registers_live"] == 0 {
		t.Error("nothing was counted")
	}
	delete(x.Stats, "sm.residency.registers_live")
	delete(y.Stats, "sm.residency.registers_live")
	if x.Cycles != y.Cycles {
		t.Errorf("%d and %d cycles", x.Cycles, y.Cycles)
	}
	for k, v := range x.Stats {
		if y.Stats[k] != v {
			t.Errorf("%s: %d and %d", k, v, y.Stats[k])
		}
	}
}
