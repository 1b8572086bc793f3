package regmutex

import (
	"strings"
	"testing"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func mov(d, s ir.Reg) ir.Inst {
	return ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(s, 1)}}
}

// launchOf is a launch of CTAs of two warps with eight registers each, on an SM of two
// sub-cores and 64 warp registers.
func launchOf(insts ...ir.Inst) *regfile.Launch {
	k := &ir.Kernel{Name: "k", Insts: append(insts, ir.Inst{Op: ir.OpExit}), NumRegs: 8, NumPreds: 1, Allocated: true}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return &regfile.Launch{Tables: tables.New(k), WarpsPerCTA: 2, Registers: 8, CTARegisters: 512, Capacity: 64,
		Warps: 64, Schedulers: 2, Active: 64, Others: 16, Slotted: 3, OthersLimit: "warps", ByRegisters: 4}
}

func admitted(t *testing.T, s Spec, l *regfile.Launch) (ctas, own, sections int) {
	t.Helper()
	a, err := s.Admit(l)
	if err != nil {
		t.Fatal(err)
	}
	return a.Resident, a.Figures[0].Value, a.Figures[1].Value
}

// R5 is live at the barrier, R7 is not: with up to five registers of its own a warp would wait
// at the barrier with a section held.
func TestABaseSetWithWhichABarrierIsWithinARegionIsEnlarged(t *testing.T) {
	s := Default()
	s.Pool = 0
	for barrier, want := range map[bool]int{true: 6, false: 4} {
		bar := ir.Inst{Op: ir.OpBar}
		if !barrier {
			bar = mov(1, 0)
		}
		if _, own, sections := admitted(t, s, launchOf(mov(7, 0), mov(1, 7), mov(5, 0), bar, mov(1, 5))); own != want ||
			sections == 0 {
			t.Errorf("with a barrier %v: %d registers of a warp's own, %d sections; want %d, and some", barrier, own,
				sections, want)
		}
	}
	if ctas, own, sections := admitted(t, s, launchOf(mov(7, 0), ir.Inst{Op: ir.OpBar}, mov(1, 7))); ctas != 4 ||
		own != 8 || sections != 0 {
		t.Errorf("the last register live at the barrier: %d CTAs, %d registers of a warp's own, %d sections; want 4, "+
			"8, 0", ctas, own, sections)
	}
}

// 64 registers, two sections of four at least: 56 for base sets of 8 per CTA.
func TestThePoolHasWhatBaseSetsLeave(t *testing.T) {
	for pool, want := range map[float64][3]int{0: {7, 4, 2}, 0.25: {6, 4, 4}, 0.3: {5, 4, 6}, 0.6: {4, 8, 0}} {
		s := Default()
		s.Pool = pool
		if ctas, own, sections := admitted(t, s, launchOf(mov(7, 0), mov(1, 7))); [3]int{ctas, own, sections} != want {
			t.Errorf("a pool of %v: %d CTAs, %d registers of a warp's own, %d sections; want %v", pool, ctas, own,
				sections, want)
		}
	}
	s := Default()
	s.Pool = 0
	l := launchOf(mov(7, 0), mov(1, 7))
	l.Others = 5 // 24 registers left are six sections
	if ctas, _, sections := admitted(t, s, l); ctas != 5 || sections != 6 {
		t.Errorf("%d CTAs, %d sections; want 5 and 6", ctas, sections)
	}
	l.ByRegisters, l.Others, l.Capacity = 0, 5, 15
	if _, err := s.Admit(l); err == nil || !strings.Contains(err.Error(),
		"a CTA needs 16 warp registers, an SM has 15") {
		t.Errorf("error %v", err)
	}
}

// Half of the registers for base sets are 32: four CTAs of two warps, with four registers of their own each, fit,
// and three fit with all eight. The other 32 are four sections for each of two sub-cores, as many as it has warps.
func TestTheRegistersOfCTAsAreTheirBaseSetsAndTheSections(t *testing.T) {
	s := Default()
	s.Pool = 0.5
	l := launchOf(mov(7, 0), mov(1, 7))
	l.ByRegisters = 3
	a, err := s.Admit(l)
	if err != nil {
		t.Fatal(err)
	}
	if a.Resident != 4 || a.Held != 4 || a.Active != 3 || a.Limit != "" ||
		a.Used != 32*(4*2*4+2*4*4) || a.Figures[0].Value != 4 || a.Figures[1].Value != 8 {
		t.Errorf("%+v, want 4 CTAs on all of the 64 warp registers, 4 of a warp's own, and 8 sections", a)
	}
	l.Others = 4
	if a, err = s.Admit(l); err != nil || a.Limit != "warps" {
		t.Errorf("%+v, error %v; want the limit of the others, which admit 4 too", a, err)
	}
}

// Of the three warps of three CTAs, a sub-core has at most two, so each of the two sub-cores has two sections,
// though there is space for more.
func TestASubCoreHasNoMoreSectionsThanWarps(t *testing.T) {
	s := Default()
	s.Pool = 0
	l := launchOf(mov(7, 0), mov(1, 7))
	l.WarpsPerCTA, l.ByRegisters, l.Others = 1, 2, 3
	if ctas, own, sections := admitted(t, s, l); ctas != 3 || own != 4 || sections != 4 {
		t.Errorf("%d CTAs, %d registers of a warp's own, %d sections; want 3, 4, 4", ctas, own, sections)
	}
}

// If base sets allow no more CTAs than all registers do, nothing is shared, and residency follows the GPU's rules.
func TestWhereNothingIsGainedNothingIsShared(t *testing.T) {
	for name, x := range map[string]struct {
		registers, others, want int
		limit                   string
	}{
		"as many by base sets": {7, 16, 7, ""}, "others bind": {4, 3, 3, "warps"}, "both bind": {4, 4, 4, ""},
		"one CTA": {1, 1, 1, ""},
	} {
		s := Default()
		s.Pool = 0 // base sets allow seven
		l := launchOf(mov(7, 0), mov(1, 7))
		l.ByRegisters, l.Others = x.registers, x.others
		a, err := s.Admit(l)
		if err != nil || a.Resident != x.want || a.Limit != x.limit || a.Used != 512*x.want ||
			a.Figures[0].Value != 8 || a.Figures[1].Value != 0 {
			t.Errorf("%s: %+v, error %v; want %d CTAs, limit %q, nothing shared", name, a, err, x.want, x.limit)
		}
	}
}

// The kernel has eight registers, charged as ten. A warp waiting at the barrier needs all eight, so nothing is
// shared, though four CTAs would fit with eight registers and only three do with ten.
func TestTheRegistersThatTheGPUsGranularityAddsAreNotShared(t *testing.T) {
	s := Default()
	s.Pool = 0
	l := launchOf(mov(7, 0), ir.Inst{Op: ir.OpBar}, mov(1, 7))
	l.Registers, l.Capacity, l.ByRegisters = 10, 76, 3
	if ctas, own, sections := admitted(t, s, l); ctas != 3 || own != 10 || sections != 0 {
		t.Errorf("%d CTAs, %d registers of a warp's own, %d sections; want 3, 10, 0", ctas, own, sections)
	}
}

// Four CTAs of eight registers would fit, and the GPU admits three.
func TestWithABaseSetOfAllRegistersNothingIsShared(t *testing.T) {
	s := Default()
	s.Base, s.Pool = 1, 0
	l := launchOf(mov(7, 0))
	l.Tables, l.ByRegisters = nil, 3
	if ctas, own, sections := admitted(t, s, l); ctas != 3 || own != 8 || sections != 0 {
		t.Errorf("%d CTAs, %d registers of a warp's own, %d sections; want 3, 8, 0", ctas, own, sections)
	}
}
