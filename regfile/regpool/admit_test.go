package regpool

import (
	"strings"
	"testing"

	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// launchOf is a launch of CTAs of eight warps on an SM of 2048 warp registers. The kernel is launched with the
// given registers and changes them to the others.
func launchOf(launched int, changes ...int) *regfile.Launch {
	k := &ir.Kernel{Name: "k", File: "k.ptx", NumRegs: 104, NumPreds: 1, Allocated: true, Launched: launched}
	for i, n := range changes {
		in := ir.Inst{Op: ir.OpSetmaxnreg, Src: []ir.Operand{ir.Imm(uint64(n), 1)}, Line: int32(i + 1), Col: 1}
		in.Mods.Grow = n > launched
		k.Insts = append(k.Insts, in)
	}
	k.Insts = append(k.Insts, ir.Inst{Op: ir.OpExit})
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return &regfile.Launch{Tables: tables.New(k), WarpsPerCTA: 8, Registers: 104, CTARegisters: 8 * 104 * 32,
		Capacity: 2048, Warps: 64, Schedulers: 4, Active: 64, Others: 8, Slotted: 8, OthersLimit: "warps",
		ByRegisters: 2}
}

func admit(t *testing.T, l *regfile.Launch, tune func(*Spec)) (regfile.Admission, *plan) {
	t.Helper()
	s := Default()
	tune(&s)
	a, err := s.Admit(l)
	if err != nil {
		t.Fatal(err)
	}
	return a, a.Plan.(*plan)
}

// Eight warps of 64 registers are 512: 2048 hold four CTAs. With 104 in every warp two fit.
func TestACTAHasTheRegistersOfItsLaunch(t *testing.T) {
	a, p := admit(t, launchOf(64, 24, 104), same)
	want := regfile.Residency{Resident: 4, Active: 4, Held: 4}
	if a.Residency != want || a.Limit != "" || a.Used != 65536 || p.start != 8 || p.most != 13 || p.pool != 0 || !p.on {
		t.Errorf("%+v with %+v, want 4 CTAs that begin with 8 blocks and have 13 at most", a, p)
	}
}

// 60 registers are eight blocks of eight, and 100 are thirteen.
func TestRegistersAreCountedInBlocks(t *testing.T) {
	if _, p := admit(t, launchOf(60, 24, 104), same); p.start != 8 {
		t.Errorf("a warp begins with %d blocks, want 8", p.start)
	}
	if _, p := admit(t, launchOf(60, 24, 96), func(s *Spec) { s.Registers = 32 }); p.start != 2 || p.most != 3 {
		t.Errorf("a warp begins with %d blocks of 32 and has %d at most, want 2 and 3", p.start, p.most)
	}
}

func TestOtherResourcesBoundTheCTAs(t *testing.T) {
	l := launchOf(64, 24, 104)
	l.Others, l.OthersLimit = 3, "shared"
	if a, _ := admit(t, l, same); a.Resident != 3 || a.Limit != "shared" || a.Used != 3*8*64*32 {
		t.Errorf("%+v, want three CTAs by shared memory", a)
	}
}

// An SM has 64 blocks of 32. Eight warps begin with a block each and ask for two more. Beside a reserve of 16 for a
// CTA six fit, and leave 16; beside one of two for a warp, seven, and leave eight.
func TestThePoolOfTheSMHasWhatWarpsDoNotBeginWith(t *testing.T) {
	for reserve, want := range map[string][2]int{ReserveCTA: {6, 16}, ReserveWarp: {7, 8}, ReserveNone: {7, 8}} {
		a, p := admit(t, launchOf(32, 96), func(s *Spec) { s.Pool, s.Registers, s.Reserve = PoolSM, 32, reserve })
		if a.Resident != want[0] || p.pool != want[1] || a.Used != 65536 {
			t.Errorf("reserve %s: %d CTAs, %d blocks in the pool, want %v", reserve, a.Resident, p.pool, want)
		}
	}
	a, p := admit(t, launchOf(32, 96), func(s *Spec) { s.Pool, s.Registers, s.Warps = PoolSM, 32, 39 })
	if a.Resident != 4 || p.pool != 32 {
		t.Errorf("39 warps at most: %d CTAs, %d blocks in the pool, want 4 and 32", a.Resident, p.pool)
	}
}

func TestAKernelThatChangesNothingIsAdmittedByTheRulesOfTheGPU(t *testing.T) {
	for name, l := range map[string]*regfile.Launch{"no change": launchOf(0), "no effect": launchOf(0, 24, 104),
		"not known": {ByRegisters: 2, Others: 8, WarpsPerCTA: 8, Registers: 104, CTARegisters: 8 * 104 * 32}} {
		if a, p := admit(t, l, same); a.Resident != 2 || p.on {
			t.Errorf("%s: %+v, want two CTAs", name, a)
		}
	}
}

func TestALaunchThatCouldNotRunIsRefused(t *testing.T) {
	two := launchOf(64, 24, 104)
	two.Active = 16
	odd := launchOf(64, 24, 104)
	odd.WarpsPerCTA = 6
	small := launchOf(64, 24, 104)
	small.Capacity = 256
	sm := func(s *Spec) { s.Pool = PoolSM }
	for name, x := range map[string]struct {
		l    *regfile.Launch
		tune func(*Spec)
		want string
	}{
		"a two-level scheduler": {two, same, "a two-level scheduler's 16 active warps"},
		"half a warpgroup": {odd, same, "found a CTA of 6 warps whose kernel has setmaxnreg, expected " +
			"whole warpgroups of 4"},
		"too few for anybody": {launchOf(32, 24, 96), same, "found a setmaxnreg to 96 registers that no " +
			"warp can get: the 8 warps of a CTA are launched with 32 registers each, and keep at least 24"},
		"more than eight blocks": {launchOf(32, 24, 104), sm,
			"k.ptx:2:1: found setmaxnreg to 104 registers, expected at most 64: a warp has at most 8 blocks of 8"},
		"a CTA larger than the SM": {small, same, "the 8 warps of a CTA begin with 64 registers each"},
		"a limit below a CTA": {launchOf(32, 64), func(s *Spec) { s.Pool, s.Warps = PoolSM, 7 },
			"or warps for at least 8"},
	} {
		s := Default()
		x.tune(&s)
		switch _, err := s.Admit(x.l); {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: error %v, want %q", name, err, x.want)
		}
	}
}
