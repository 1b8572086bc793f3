package sched

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// block draws a block of additions, loads and stores over a few registers, some under a guard.
func block(t *rapid.T) *ir.Kernel {
	const regs = 12
	reg := rapid.IntRange(0, regs-1)
	k := &ir.Kernel{NumRegs: regs + 2, NumPreds: 1}
	for range rapid.IntRange(3, 40).Draw(t, "instructions") {
		var in ir.Inst
		dst, src := ir.R(ir.Reg(reg.Draw(t, "to")), 1), ir.R(ir.Reg(reg.Draw(t, "from")), 1)
		addr := ir.Addr{Base: ir.R(regs, 2), Offset: 4 * rapid.Int64Range(0, 3).Draw(t, "offset")}
		space := rapid.SampledFrom([]ir.Space{ir.Global, ir.Shared}).Draw(t, "space")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			in = ir.Inst{Op: ir.OpLd, Type: ir.U32, Space: space, Addr: addr, Dst: []ir.Operand{dst}}
		case 1:
			in = ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: space, Addr: addr, Src: []ir.Operand{src}}
		default:
			other := ir.R(ir.Reg(reg.Draw(t, "and")), 1)
			in = ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{dst}, Src: []ir.Operand{src, other}}
		}
		if rapid.IntRange(0, 4).Draw(t, "guarded") == 0 {
			in.Guard = ir.P(0)
		}
		in.Line = int32(len(k.Insts) + 1)
		k.Insts = append(k.Insts, in)
	}
	k.Insts = append(k.Insts, ir.Inst{Op: ir.OpExit, Line: int32(len(k.Insts) + 1)})
	return k
}

func TestAnOrderFromTheEndKeepsEveryDependence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := block(t)
		s := newScheduler(k)
		s.most, s.ahead = max(s.most, rapid.IntRange(1, 20).Draw(t, "registers")), true
		d := newDAG(k.Insts, s.each, s.l.Regs+s.l.Preds, delays, &s.scratch)
		list := s.backward(0, d)
		place := make([]int, len(k.Insts))
		seen := 0
		for at, i := range list {
			place[i] = at
			seen |= 1 << i
		}
		if len(list) != len(k.Insts) || seen != 1<<len(k.Insts)-1 {
			t.Fatalf("not an order of %d instructions: %v", len(k.Insts), list)
		}
		for i := range d.succs {
			for _, e := range d.succs[i] {
				if place[i] >= place[e.to] {
					t.Errorf("instruction %d stands at %d, and %d, which depends on it, at %d", i, place[i], e.to,
						place[e.to])
				}
			}
		}
	})
}

func TestNoBlockHasMoreRegistersLiveThanItMayOrHad(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		k := block(t)
		before, _ := liveness.Analyze(k, cfg.Build(k.Insts)).MaxLive()
		most := rapid.IntRange(1, 16).Draw(t, "registers")
		Ahead(k, most)
		after, _ := liveness.Analyze(k, cfg.Build(k.Insts)).MaxLive()
		if after > max(before, most) {
			t.Errorf("%d registers live, %d before, at most %d", after, before, most)
		}
		for i := range k.Insts {
			if k.Insts[i].Line != int32(i+1) {
				moved++
				break
			}
		}
	})
	if moved == 0 {
		t.Error("no block has another order")
	}
}

func TestLoadsGoAheadOfWideStoresWithinTheLimit(t *testing.T) {
	const stores, limit = 8, 16
	k := &ir.Kernel{NumRegs: 2 + 4*stores}
	for i := range stores {
		st := ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: ir.Local,
			Addr: ir.Addr{Base: ir.R(0, 2), Offset: int64(16 * i)}}
		for w := range 4 {
			r := ir.R(ir.Reg(2+4*i+w), 1)
			k.Insts = append(k.Insts, ir.Inst{Op: ir.OpLd, Type: ir.U32, Space: ir.Global, Dst: []ir.Operand{r},
				Addr: ir.Addr{Base: ir.R(0, 2), Offset: int64(16*i + 4*w)}})
			st.Src = append(st.Src, r)
		}
		k.Insts = append(k.Insts, st)
	}
	k.Insts = append(k.Insts, ir.Inst{Op: ir.OpExit})
	Ahead(k, limit)
	if live, _ := liveness.Analyze(k, cfg.Build(k.Insts)).MaxLive(); live > limit {
		t.Errorf("%d registers live, at most %d", live, limit)
	}
	ahead := 0
	for k.Insts[ahead].Op == ir.OpLd {
		ahead++
	}
	if ahead < 8 {
		t.Errorf("%d loads before the first store, expected those of two stores at least", ahead)
	}
}
