package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

func TestARegisterIsInTheSetsThatHaveIt(t *testing.T) {
	for _, r := range []ir.RegID{0, 63, 64, 200, 255} {
		var s, o RegSet
		if s.Add(r); !s.Has(r) || s.Has(r^1) || s.Meets(&o) {
			t.Errorf("R%d: %v", r, s)
		}
		if o.Add(r); !s.Meets(&o) {
			t.Errorf("two sets with R%d have nothing in common", r)
		}
		if s.Remove(r); s.Has(r) {
			t.Errorf("R%d is in the set without it", r)
		}
	}
}

func TestTheIssueTableSaysWhereResultsComeFrom(t *testing.T) {
	shared := smtest.Inst(ir.ClassLoad, []int{1})
	shared.T.Space = ir.Shared
	arrive := smtest.Inst(ir.ClassAtomic, nil)
	arrive.Mods.Atomic = ir.AtomArrive
	type row struct {
		mem, far, result, store bool
		phase                   message.Phase
	}
	for name, k := range map[string]struct {
		in   ir.Inst
		want row
	}{
		"an addition":       {smtest.Inst(ir.ClassInt, []int{1}), row{result: true}},
		"a load":            {smtest.Inst(ir.ClassLoad, []int{1}), row{mem: true, far: true, result: true}},
		"a shared load":     {shared, row{mem: true, result: true}},
		"a texture":         {smtest.Inst(ir.ClassTexture, []int{1}), row{mem: true, far: true, result: true}},
		"an atomic":         {smtest.Inst(ir.ClassAtomic, []int{1}), row{mem: true, far: true, result: true}},
		"a reduction":       {smtest.Inst(ir.ClassAtomic, nil), row{mem: true, store: true}},
		"a store":           {smtest.Inst(ir.ClassStore, nil), row{store: true}},
		"an mbarrier's end": {arrive, row{mem: true, store: true, phase: message.PhaseOperation}},
	} {
		x := New(smtest.KernelOf(k.in), &Target{}, nil).Info[0]
		if got := (row{x.Mem, x.Far, x.Result, x.Store, x.Bar.Phase}); got != k.want {
			t.Errorf("%s: %+v, want %+v", name, got, k.want)
		}
	}
}

// A leading addition with a stall count of 0, and a load behind it.
func TestTwoInstructionsIssueTogetherIfTheirControlWordsAndUnitsAllow(t *testing.T) {
	to := Target{Paired: true}
	to.Kinds[ir.ClassLoad] = 1
	pairs := func(to *Target, tune func(first, second *ir.Inst)) bool {
		first, second := smtest.Inst(ir.ClassInt, []int{1}), smtest.Inst(ir.ClassLoad, []int{2})
		if tune != nil {
			tune(&first, &second)
		}
		info := New(smtest.KernelOf(first, second), to, nil).Info
		if info[1].Pair {
			t.Error("the last instruction leads a pair")
		}
		return info[0].Pair
	}
	if !pairs(&to, nil) {
		t.Error("two instructions that go together do not pair")
	}
	alone := to
	alone.Paired = false
	if pairs(&alone, nil) {
		t.Error("two instructions pair in an SM that issues one")
	}
	same := Target{Paired: true}
	if pairs(&same, nil) {
		t.Error("two instructions for units of one kind pair")
	}
	for name, f := range map[string]func(a, b *ir.Inst){
		"a stall":        func(a, _ *ir.Inst) { a.Control.Stall = 1 },
		"a yield":        func(a, _ *ir.Inst) { a.Control.Yield = true },
		"two additions":  func(_, b *ir.Inst) { b.T.Class = ir.ClassInt },
		"a load first":   func(a, _ *ir.Inst) { a.T.Class = ir.ClassLoad },
		"two parameters": func(a, b *ir.Inst) { a.Src, b.Src = param(0), param(4) },
	} {
		if pairs(&to, f) {
			t.Errorf("%s: two instructions pair", name)
		}
	}
}

func param(at uint64) []ir.Operand { return []ir.Operand{{Kind: ir.KindParam, Imm: at}} }

func TestAProgramEndsBehindItsLastInstruction(t *testing.T) {
	p := New(smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassExit, nil)), &Target{Bytes: 8}, nil)
	p.Code = 4096
	if got := p.End(); got != 4096+16 {
		t.Errorf("end at %d, want %d", got, 4096+16)
	}
	empty := &Program{Kernel: smtest.KernelOf(), Code: 4096}
	if got := empty.End(); got != 4096 {
		t.Errorf("a program without instructions ends at %d, want 4096", got)
	}
}

func TestABarrierIsToldWhatTheExecutionKnows(t *testing.T) {
	bar := Barrier{id: 3, warps: 2, Stay: true}
	wait := Barrier{Phase: message.PhaseWait}
	// Lane 2 is the lowest one.
	strided := &stream.Access{Base: 0x1000, Stride: 8}
	for name, k := range map[string]struct {
		b      Barrier
		access *stream.Access
		want   message.Arrive
	}{
		"as written": {bar, nil, message.Arrive{Warp: 7, CTA: 5, Bar: 3, Stay: true, Warps: 2}},
		"by registers": {bar, &stream.Access{Base: 9, Stride: 4},
			message.Arrive{Warp: 7, CTA: 5, Bar: 9, Stay: true, Warps: 4}},
		"on an mbarrier": {wait, strided,
			message.Arrive{Warp: 7, CTA: 5, Phase: message.PhaseWait, Object: 0x1010, Needed: 8}},
	} {
		got := k.b.Arrival(&message.Fetched{Warp: 7, Access: k.access, Exec: 0b1100}, 5)
		if d := cmp.Diff(k.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestTheConstantOfAnInstructionIsItsFirstOne(t *testing.T) {
	reg, constant := ir.R(1, 1), ir.Operand{Kind: ir.KindConst, Imm: 8}
	launch := ir.Operand{Kind: ir.KindSpecial, Special: ir.NtidX}
	own := ir.Operand{Kind: ir.KindSpecial, Special: ir.TidX}
	for name, k := range map[string]struct {
		src  []ir.Operand
		addr uint64
		ok   bool
	}{
		"a register":          {[]ir.Operand{reg}, 0, false},
		"a constant":          {[]ir.Operand{reg, constant}, 1<<32 + 8, true},
		"a parameter":         {append([]ir.Operand{reg}, param(12)...), 0x160 + 12, true},
		"a launch constant":   {[]ir.Operand{launch}, 4 * uint64(ir.NtidX), true},
		"a thread's number":   {[]ir.Operand{own}, 0, false},
		"of two, the earlier": {append(param(4), constant), 0x160 + 4, true},
	} {
		if addr, ok := ConstantOf(&ir.Inst{Src: k.src}); addr != k.addr || ok != k.ok {
			t.Errorf("%s: %#x, %t; want %#x, %t", name, addr, ok, k.addr, k.ok)
		}
	}
}
