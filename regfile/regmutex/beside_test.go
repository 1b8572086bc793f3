package regmutex

import (
	"slices"
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/regmutex"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// partOf returns the part of a kernel of two instructions, of which the second needs a section. Its CTAs have four
// warps of 24 registers, base of which belong to the warp itself. The SM has 512 registers and four schedulers.
func partOf(base, sections int) regfile.Part {
	l := &regfile.Launch{WarpsPerCTA: 4, Registers: 24, CTARegisters: 4 * 24 * warpSize, Capacity: 512, Warps: 64,
		Schedulers: 4}
	return regfile.Part{Insts: make([]ir.Inst, 2), Plan: &plan{Launch: l, base: base, sections: sections,
		code: &regmutex.Plan{Needs: []bool{false, true}}}}
}

// The pool is a quarter of the file, 128 registers. In each of four sub-cores two sections of 14 fit into it, together
// 112.
func TestKernelsSideBySideHaveOnePool(t *testing.T) {
	s := Default()
	s.Pool = 0.25
	m, err := s.Merge([]regfile.Part{partOf(16, 3), partOf(24, 0), partOf(10, 1)})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Plan.(*plan)
	if m.Apart != 112*warpSize || p.sections != 2 || !slices.Equal(m.OfCTA, []int{64 * warpSize, 96 * warpSize,
		40 * warpSize}) {
		t.Errorf("%d sections, %+v", p.sections, m)
	}
	if !slices.Equal(p.beside.base, []int{16, 16, bank.NoSplit, bank.NoSplit, 10, 10}) ||
		!slices.Equal(p.code.Needs, []bool{false, true, false, false, false, true}) {
		t.Errorf("base sets %v, needs %v", p.beside.base, p.code.Needs)
	}
}

func TestAPoolLeavesRoomForACTAOrIsRefused(t *testing.T) {
	s := Default()
	s.Pool = 0.9
	m, err := s.Merge([]regfile.Part{partOf(16, 3), partOf(24, 0)})
	if err != nil || m.Apart != 416*warpSize { // 13 sections of 8 in four sub-cores, beside a CTA of 96
		t.Errorf("%v, %+v", err, m)
	}
	large := partOf(24, 0)
	large.Plan.(*plan).CTARegisters = 490 * warpSize
	_, err = s.Merge([]regfile.Part{partOf(16, 3), large})
	if err == nil || !strings.Contains(err.Error(), "a CTA needs 490 warp registers, and an SM has 480 beside") {
		t.Error(err)
	}
}

// Warps 0 and 2 are of a kernel with a base set of four registers, and instruction 1 needs the others. After warp 0 a
// warp of another kernel has its context: all of its registers are its own.
func TestAContextHasThePlacesOfItsKernel(t *testing.T) {
	index, err := bank.NewIndex(bank.ByRegister, 8, 4, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	index.AddPlaces(2)
	index.Split(4)
	d := wire.NewDomain("Core", 1e9)
	x := NewSections("Sections", d, SectionsSpec{Contexts: 4, Schedulers: 1, Parts: 1, Index: index}, &stats.Registry{})
	warps := wiretest.NewSource("Scheduler", d, &x.Warp[0])
	x.Load(1, &regmutex.Plan{Needs: []bool{false, true}}, &beside{base: []int{4, 4}})
	same := func(reg int) bool {
		a, b := [2]uint32{}, [2]uint32{}
		for i, w := range []uint16{0, 2} {
			k, e := index.Find(w, ir.RegID(reg))
			a[i], b[i] = uint32(k), e
		}
		return a[0] == a[1] && b[0] == b[1]
	}
	event := func(at wire.Cycle, w uint16, e regfile.WarpEvent) {
		warps.Send(at, regfile.WarpNotice{Warp: w, Event: e, PC: 1})
	}
	event(10, 0, regfile.WarpHeld)
	event(20, 0, regfile.WarpFinished)
	event(30, 2, regfile.WarpHeld)
	d.RunUntil(15)
	if own, _ := index.Find(0, 3); own != 3 || same(3) || same(5) {
		t.Error("warp 2 shares a place before it has a section")
	}
	_, held := index.Find(0, 5)
	d.RunUntil(40)
	if _, now := index.Find(2, 5); now != held || same(5) || same(3) {
		t.Errorf("register 5 of warp 2 is in entry %d, that of the section was %d; the ended warp's is there: %v", now,
			held, same(5))
	}
}
