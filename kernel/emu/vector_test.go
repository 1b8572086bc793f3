package emu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// corners are the limits of the different cases of arithmetic, comparisons and conversions.
var corners = []uint32{
	0, 1, 2, 31, 32, 33, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001,
	0xffffffff, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x4effffff, 0x4f000000,
	0xcf000000, 0x4f800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc12345, 0x7ff00000,
	0x7ff80000, 0x3ff00000,
}

// forms makes random instructions, most of them meaningful.
type forms struct{ *rand.Rand }

const formRegs, formPreds = 12, 4

func (f forms) one(n int) bool { return f.IntN(n) == 0 }

func (f forms) source(words int) ir.Operand {
	o := ir.R(ir.Reg(f.IntN(formRegs-1)), words)
	if f.one(4) {
		o = ir.Imm(uint64(corners[f.IntN(len(corners))])|uint64(f.Uint32())<<32, words)
	}
	o.Neg, o.Abs = f.one(6), f.one(8)
	return o
}

func (f forms) pred() ir.Operand {
	o := ir.P(ir.Pred(f.IntN(formPreds)))
	o.Neg = f.one(2)
	return o
}

func (f forms) inst() ir.Inst {
	ops := []ir.Op{}
	for op := range vectorizers {
		if vectorizers[op] != nil {
			ops = append(ops, ir.Op(op))
		}
	}
	types := []ir.Type{ir.U16, ir.S16, ir.B16, ir.U32, ir.S32, ir.B32, ir.U32, ir.S32, ir.F32, ir.F32, ir.F64, ir.U64,
		ir.S64, ir.B64, ir.PredType, ir.U8, ir.S8}
	in := ir.Inst{Op: ops[f.IntN(len(ops))], Type: types[f.IntN(len(types))]}
	in.SrcType = in.Type
	if in.Op == ir.OpCvt {
		in.SrcType = types[f.IntN(len(types))]
	}
	m := &in.Mods
	m.Ftz, m.Sat, m.Relu, m.NaN = f.one(4), f.one(6), f.one(16), f.one(16)
	m.Approx, m.Full, m.Left, m.Wrap = f.one(3), f.one(3), f.one(2), f.one(2)
	m.Round = []ir.Round{ir.RoundDefault, ir.RN, ir.RZ, ir.RZI}[f.IntN(4)]
	m.Part = []ir.Part{ir.PartNone, ir.Lo, ir.Hi, ir.Wide}[f.IntN(4)]
	words := max(in.SrcType.Words(), 1)
	dst := words
	switch in.Op {
	case ir.OpAdd, ir.OpSub:
		m.CarryIn, m.CarryOut = f.one(3), f.one(3)
	case ir.OpCvt:
		dst = max(in.Type.Words(), 1+f.IntN(2))
	case ir.OpMul, ir.OpMad:
		if m.Part == ir.Wide {
			dst = 2
		}
	}
	for range 3 {
		in.Src = append(in.Src, f.source(words))
	}
	in.Dst = []ir.Operand{ir.R(ir.Reg(f.IntN(formRegs-1)), dst), ir.P(ir.Pred(f.IntN(formPreds)))}
	f.predicates(&in)
	if f.one(4) {
		in.Guard = f.pred()
	}
	return in
}

// predicates sets the predicate operands, and drops the surplus ones.
func (f forms) predicates(in *ir.Inst) {
	two := ir.P(ir.Pred(f.IntN(formPreds)))
	switch {
	case in.Op == ir.OpSetp:
		in.Mods.Cmp, in.Mods.Bool = ir.Cmp(f.IntN(int(ir.NAN)+1)), ir.Bool(f.IntN(4))
		in.Src[2] = f.pred()
		in.Dst[0] = two
	case in.Type == ir.PredType:
		in.Src = []ir.Operand{f.pred(), f.pred()}
		in.Dst = []ir.Operand{two}
	case in.Op == ir.OpSelp, in.Mods.CarryIn:
		in.Src[2] = f.pred()
	case in.Op == ir.OpCvt:
		in.Src = in.Src[:1]
	}
}

// trialWarp is a warp of the program with values at random.
func (f forms) trialWarp(t *testing.T, p *Program, threads int) *warp {
	l, err := NewLaunch(p, &mem.Memory{}, launch(1, threads), Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := takeCTA(newEngine(l, false, nil))
	c.start(0)
	w := &c.warps[0]
	for r := range w.rows[:formRegs] {
		for i := range w.rows[r] {
			w.rows[r][i] = f.Uint32() >> (f.IntN(4) * f.IntN(9))
			if f.one(2) {
				w.rows[r][i] = corners[f.IntN(len(corners))]
			}
		}
	}
	for i := range formPreds {
		w.preds[i] = f.Uint32()
	}
	w.mask = w.all
	if f.one(2) {
		w.mask &= f.Uint32() & f.Uint32()
		w.mask |= w.all & 1
	}
	w.reconv = 1
	return w
}

func TestVectorInstructionsGiveTheBitsOfTheScalarOnes(t *testing.T) {
	if !vector.Available {
		t.Skip("this machine has no vector instructions that are used")
	}
	f := forms{rand.New(rand.NewPCG(7, 9))}
	var compared [ir.NumOps]int
	for range 60000 {
		in := f.inst()
		p, err := Prepare(&ir.Kernel{Name: "k", NumRegs: formRegs, NumPreds: formPreds,
			Insts: []ir.Inst{in, {Op: ir.OpExit}}})
		if err != nil || p.code[0].seq.first == nil {
			continue
		}
		scalar := slices.Clone(p.code)
		scalar[0].seq = sequence{}
		w := f.trialWarp(t, p, []int{32, 20}[f.IntN(2)])
		rows, preds := slices.Clone(w.rows), slices.Clone(w.preds)
		w.straight(p.code)
		gotRows, gotPreds := w.rows, w.preds
		w.rows, w.preds, w.pc = rows, preds, 0
		w.straight(scalar)
		for r := range formRegs {
			for i := range w.rows[r] {
				if gotRows[r][i] != w.rows[r][i] {
					t.Fatalf("%+v: lane %d of register %d is %#x, want %#x", in, i, r, gotRows[r][i], w.rows[r][i])
				}
			}
		}
		if !slices.Equal(gotPreds, w.preds) {
			t.Fatalf("%+v: predicates are %#x, want %#x", in, gotPreds, w.preds)
		}
		compared[in.Op]++
	}
	for op := range vectorizers {
		if vectorizers[op] != nil && compared[op] < 100 {
			t.Errorf("%s: %d forms compared, want at least 100", ir.Op(op), compared[op])
		}
	}
}

func TestASequenceEndsWhereAWarpMayComeFromElsewhere(t *testing.T) {
	if !vector.Available {
		t.Skip("this machine has no vector instructions that are used")
	}
	k := newKit(0)
	add := func() { k.op(ir.OpAdd, ir.U32, ir.R(0, 1), ir.R(0, 1), ir.Imm(1, 1)) }
	add()
	add()
	k.label("loop")
	add()
	add()
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LT},
		Dst: []ir.Operand{ir.P(0)}, Src: []ir.Operand{ir.R(0, 1), ir.Imm(9, 1)}})
	k.op(ir.OpAdd, ir.U32, ir.R(1, 1), ir.R(1, 1), ir.Imm(1, 1)).Guard = ir.P(0)
	k.bra(ir.P(0), "loop")
	k.exit(ir.Operand{})
	p, err := Prepare(k.kernel())
	if err != nil {
		t.Fatal(err)
	}
	var got []int32
	for i := range p.code {
		got = append(got, p.code[i].seq.n)
	}
	if want := []int32{2, 0, 3, 0, 0, 1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("sequences of %v instructions begin, want %v", got, want)
	}
}
