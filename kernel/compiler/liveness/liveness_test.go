package liveness

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

func r(i int) ir.Operand { return ir.R(ir.Reg(i), 1) }

func op(d int, src ...int) ir.Inst {
	in := ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{r(d)}}
	for _, s := range src {
		in.Src = append(in.Src, r(s))
	}
	return in
}

func guarded(p ir.Pred, in ir.Inst) ir.Inst {
	in.Guard = ir.P(p)
	return in
}

func store(v int) ir.Inst { return ir.Inst{Op: ir.OpSt, Src: []ir.Operand{r(v)}} }

func bra(to int) ir.Inst { return guarded(0, ir.Inst{Op: ir.OpBra, Target: to}) }

var exit = ir.Inst{Op: ir.OpExit}

// live returns the registers live before each instruction.
func live(insts ...ir.Inst) [][]ir.Reg {
	k := &ir.Kernel{Insts: insts, NumRegs: 8, NumPreds: 2}
	l := Analyze(k, cfg.Build(insts))
	var out [][]ir.Reg
	for _, v := range l.Vectors() {
		out = append(out, l.Registers(v))
	}
	return out
}

func TestARegisterIsLiveFromItsWriteToItsLastRead(t *testing.T) {
	want := [][]ir.Reg{{1}, {0, 1}, {0}, nil}
	if d := cmp.Diff(want, live(op(0, 1), store(1), store(0), exit)); d != "" {
		t.Error(d)
	}
}

func TestAGuardedWriteKeepsTheOldValueAlive(t *testing.T) {
	want := [][]ir.Reg{{0, 1}, {0}, nil}
	if d := cmp.Diff(want, live(guarded(0, op(0, 1)), store(0), exit)); d != "" {
		t.Error(d)
	}
}

func TestAGuardedWriteForReadsUnderTheSameGuardIsAWrite(t *testing.T) {
	want := [][]ir.Reg{{1}, {0}, nil}
	if d := cmp.Diff(want, live(guarded(0, op(0, 1)), guarded(0, store(0)), exit)); d != "" {
		t.Error(d)
	}
}

func TestAGuardWrittenBetweenIsAnotherGuard(t *testing.T) {
	setp := ir.Inst{Op: ir.OpSetp, Type: ir.U32, Dst: []ir.Operand{ir.P(0)}, Src: []ir.Operand{r(1), r(1)}}
	want := [][]ir.Reg{{0, 1}, {0, 1}, {0}, nil}
	if d := cmp.Diff(want, live(guarded(0, op(0, 1)), setp, guarded(0, store(0)), exit)); d != "" {
		t.Error(d)
	}
}

func TestAValueReadInTheNextTurnIsLiveAroundTheLoop(t *testing.T) {
	want := [][]ir.Reg{{0, 1}, {0, 1}, {0}, nil}
	if d := cmp.Diff(want, live(op(0, 0, 1), bra(0), store(0), exit)); d != "" {
		t.Error(d)
	}
}

func TestTheWordsOfAPairLiveApart(t *testing.T) {
	pair := ir.Inst{Op: ir.OpLd, Type: ir.U64, Dst: []ir.Operand{ir.R(2, 2)}}
	want := [][]ir.Reg{nil, {3}, nil}
	if d := cmp.Diff(want, live(pair, store(3), exit)); d != "" {
		t.Error(d)
	}
}

func TestMaxLiveCountsAWriteThatNobodyReads(t *testing.T) {
	// R0 is live across 1, an unread write of R2:R3: three words.
	k := &ir.Kernel{NumRegs: 8, NumPreds: 2, Insts: []ir.Inst{op(0), {Op: ir.OpLd, Dst: []ir.Operand{ir.R(2, 2)}},
		store(0), exit}}
	if regs, preds := Analyze(k, cfg.Build(k.Insts)).MaxLive(); regs != 3 || preds != 0 {
		t.Errorf("%d registers, %d predicates", regs, preds)
	}
}

func TestMaxLiveIsTheLargestOfAllSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		k := &ir.Kernel{NumRegs: 6, NumPreds: 3}
		reg, pred := rapid.IntRange(0, 5), rapid.IntRange(0, 2)
		for range n {
			in := op(reg.Draw(t, "d"), reg.Draw(t, "a"), reg.Draw(t, "b"))
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				in = bra(rapid.IntRange(0, n).Draw(t, "to"))
			case 1:
				in = guarded(ir.Pred(pred.Draw(t, "guard")), in)
			case 2:
				in.Dst = []ir.Operand{ir.P(ir.Pred(pred.Draw(t, "p")))}
			}
			k.Insts = append(k.Insts, in)
		}
		l := Analyze(k, cfg.Build(k.Insts))
		regs, preds := 0, 0
		count := func(s bitset.Set, extra ...int) {
			r, p := 0, 0
			s = s.Clone()
			for _, i := range extra {
				s.Add(i)
			}
			s.Each(func(i int) {
				if i < l.Regs {
					r++
				} else {
					p++
				}
			})
			regs, preds = max(regs, r), max(preds, p)
		}
		for b := range l.G.Blocks {
			count(l.In[b])
			l.Scan(b, func(pc int, after bitset.Set) {
				var defs []int
				l.Defs(&k.Insts[pc], func(i int) { defs = append(defs, i) })
				count(after, defs...)
			})
		}
		if r, p := l.MaxLive(); r != regs || p != preds {
			t.Fatalf("%d registers and %d predicates, want %d and %d", r, p, regs, preds)
		}
	})
}

// reads reports, by search, whether some path from pc reads register r before an unguarded write of it.
func reads(k *ir.Kernel, g *cfg.Graph, pc, reg int, seen map[int]bool) bool {
	if pc >= len(k.Insts) || seen[pc] {
		return false
	}
	seen[pc] = true
	in := &k.Insts[pc]
	found, killed := false, false
	code.Uses(in, func(o *ir.Operand) { found = found || o.Kind == ir.KindReg && int(o.Reg) == reg })
	code.Defs(in, func(o *ir.Operand) {
		killed = killed || o.Kind == ir.KindReg && int(o.Reg) == reg &&
			!code.Guarded(in)
	})
	if found || killed {
		return found
	}
	b := &g.Blocks[g.BlockOf[pc]]
	if pc+1 < b.End {
		return reads(k, g, pc+1, reg, seen)
	}
	for _, s := range b.Succs {
		if reads(k, g, g.Blocks[s].Start, reg, seen) {
			return true
		}
	}
	return false
}

func TestLivenessIsThatOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		k := &ir.Kernel{NumRegs: 5, NumPreds: 2}
		reg := rapid.IntRange(0, 4)
		for range n {
			in := op(reg.Draw(t, "d"), reg.Draw(t, "a"))
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				in = bra(rapid.IntRange(0, n).Draw(t, "to"))
			case 1:
				in = ir.Inst{Op: ir.OpBra, Target: rapid.IntRange(0, n).Draw(t, "to")}
			}
			k.Insts = append(k.Insts, in)
		}
		g := cfg.Build(k.Insts)
		for pc, v := range Analyze(k, g).Vectors() {
			for r := range k.NumRegs {
				if want := reads(k, g, pc, r, map[int]bool{}); bitset.Set(v).Has(r) != want {
					t.Fatalf("register %d before %d: live %v, want %v", r, pc, !want, want)
				}
			}
		}
	})
}
