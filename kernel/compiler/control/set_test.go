package control

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

func machine(t testing.TB, name string) *Machine {
	t.Helper()
	m, err := For(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// forms are operations with registers to fill in: results, sources, and whether it has an address.
var forms = []struct {
	in       ir.Inst
	dst, src int
	address  bool
}{
	{ir.Inst{Op: ir.OpFma, Type: ir.F32}, 1, 3, false},
	{ir.Inst{Op: ir.OpAdd, Type: ir.U32}, 1, 2, false},
	{ir.Inst{Op: ir.OpMov, Type: ir.B32}, 1, 1, false},
	{ir.Inst{Op: ir.OpMad, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}}, 1, 3, false},
	{ir.Inst{Op: ir.OpAdd, Type: ir.F16}, 1, 2, false},
	{ir.Inst{Op: ir.OpEx2, Type: ir.F32}, 1, 1, false},
	{ir.Inst{Op: ir.OpPopc, Type: ir.B32}, 1, 1, false},
	{ir.Inst{Op: ir.OpLd, Type: ir.B32, Space: ir.Global}, 2, 0, true},
	{ir.Inst{Op: ir.OpLd, Type: ir.B32, Space: ir.Shared}, 1, 0, true},
	{ir.Inst{Op: ir.OpSt, Type: ir.B32, Space: ir.Global}, 0, 2, true},
	{ir.Inst{Op: ir.OpAtom, Type: ir.B32, Space: ir.Global, Mods: ir.Mods{Atomic: ir.AtomAdd}}, 1, 1, true},
	{ir.Inst{Op: ir.OpShfl, Type: ir.B32}, 1, 1, false},
	{ir.Inst{Op: ir.OpMma, Type: ir.F32, SrcType: ir.F16, Mods: ir.Mods{MatrixK: 16}}, 2, 4, false},
	{ir.Inst{Op: ir.OpBar}, 0, 0, false},
	{ir.Inst{Op: ir.OpMembar}, 0, 0, false},
}

// block draws instructions over few registers and predicates, to make them depend on each other.
func block(t *rapid.T, n int) []ir.Inst {
	var out []ir.Inst
	reg := rapid.IntRange(0, 7)
	for i := range n {
		if rapid.IntRange(0, 5).Draw(t, "setp") == 0 {
			in := ir.Inst{Op: ir.OpSetp, Type: ir.U32, Dst: []ir.Operand{ir.P(ir.Pred(reg.Draw(t, "p") % 3))},
				Src: []ir.Operand{ir.R(ir.Reg(reg.Draw(t, "a")), 1)}}
			out = append(out, in)
			continue
		}
		f := &forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		in := f.in
		for range f.dst {
			in.Dst = append(in.Dst, ir.R(ir.Reg(reg.Draw(t, "d")), 1))
		}
		for range f.src {
			in.Src = append(in.Src, ir.R(ir.Reg(reg.Draw(t, "s")), 1))
		}
		if f.address {
			in.Addr.Base = ir.R(ir.Reg(reg.Draw(t, "base")), 1)
		}
		if rapid.IntRange(0, 3).Draw(t, "guarded") == 0 {
			in.Guard = ir.P(ir.Pred(reg.Draw(t, "guard") % 3))
		}
		if in.Op == ir.OpAdd && in.Type == ir.U32 {
			switch rapid.IntRange(0, 3).Draw(t, "carry") {
			case 0:
				in.Mods.CarryOut, in.Dst = true, append(in.Dst, ir.P(2))
			case 1:
				in.Mods.CarryIn, in.Src = true, append(in.Src, ir.P(2))
			}
		}
		in.Line = int32(i + 1)
		out = append(out, in)
	}
	return out
}

func timed(code []ir.Inst) []ir.Inst {
	for i := range code {
		ir.SetTiming(&code[i])
	}
	return code
}

func pointers(code []ir.Inst) []*ir.Inst {
	out := make([]*ir.Inst, len(code))
	for i := range code {
		out[i] = &code[i]
	}
	return out
}

// drawn are times of operations of variable latency.
func drawn(t *rapid.T, m *Machine, n int) *checker {
	r := rapid.SliceOfN(rapid.IntRange(1, 30), n, n).Draw(t, "reads")
	w := rapid.SliceOfN(rapid.IntRange(1, 300), n, n).Draw(t, "writes")
	return &checker{m: m, read: func(i int) int { return r[i] }, write: func(i int) int { return w[i] }}
}

// Twice in a row: the state left by the first round must not harm the second.
func TestSequencesKeepEveryDependence(t *testing.T) {
	for _, name := range Names() {
		m := machine(t, name)
		rapid.Check(t, func(t *rapid.T) {
			code := Sequence(timed(block(t, rapid.IntRange(1, 40).Draw(t, "n"))), m)
			code = append(append([]ir.Inst(nil), code...), code...)
			if err := drawn(t, m, len(code)).play(pointers(code)); err != nil {
				t.Fatalf("%v\n%s", err, listing(code))
			}
		})
	}
}

// Blocks end in branches with random targets, and the warp goes from any block to any other, as the paths of a
// diverged warp may.
func TestKernelsKeepEveryDependenceOnEveryPath(t *testing.T) {
	for _, name := range Names() {
		m := machine(t, name)
		rapid.Check(t, func(t *rapid.T) {
			k := drawnKernel(t)
			Set(k, m)
			g := cfg.Build(k.Insts)
			path := pointers(k.Insts[:g.Blocks[0].End])
			first := 1 // of the blocks to which somebody goes
			if len(g.Blocks[0].Preds) > 0 {
				first = 0
			}
			for range 7 {
				b := &g.Blocks[rapid.IntRange(first, len(g.Blocks)-1).Draw(t, "block")]
				path = append(path, pointers(k.Insts[b.Start:b.End])...)
			}
			if err := drawn(t, m, len(path)).play(path); err != nil {
				t.Fatalf("%v\n%s", err, listing(k.Insts))
			}
		})
	}
}

// drawnKernel is a few blocks, each but the last with a guarded branch at its end or none.
func drawnKernel(t *rapid.T) *ir.Kernel {
	k := &ir.Kernel{}
	var starts, branches []int
	for range 4 {
		starts = append(starts, len(k.Insts))
		k.Insts = append(k.Insts, block(t, rapid.IntRange(1, 12).Draw(t, "n"))...)
		branches = append(branches, len(k.Insts))
		k.Insts = append(k.Insts, ir.Inst{Op: ir.OpBra, Guard: ir.P(1)})
	}
	for _, b := range branches {
		k.Insts[b].Target = starts[rapid.IntRange(0, len(starts)-1).Draw(t, "target")]
	}
	k.Insts = timed(append(k.Insts, ir.Inst{Op: ir.OpExit}))
	cfg.Build(k.Insts).SetReconv(k.Insts)
	return k
}

func listing(code []ir.Inst) string {
	text := ""
	for i := range code {
		in := &code[i]
		text += fmt.Sprintf("%2d %s %s %v <- %v p%b <- p%b guarded %v\n", i, in.Control, in.Op, in.T.Dst[:in.T.NDst],
			in.T.Src[:in.T.NSrc], in.T.DstPreds, in.T.SrcPreds, in.T.Guarded)
	}
	return text
}
