package merge

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

// holds reports whether a word has the known bits.
func (a residue) holds(v uint32) bool {
	return (v^a.value)&mask(a.bits) == 0 && a.value&^mask(a.bits) == 0
}

// draw returns a word, and a residue of it.
func draw(t *rapid.T, name string) (uint32, residue) {
	v := rapid.Uint32().Draw(t, name) << rapid.IntRange(0, 31).Draw(t, name+" zeros")
	return v, exact(v).low(rapid.IntRange(0, 32).Draw(t, name+" known"))
}

// results are the operations in address computations, on words.
var results = map[ir.Op]func(in *ir.Inst, a, b, c uint32) uint32{
	ir.OpMov: func(_ *ir.Inst, a, _, _ uint32) uint32 { return a },
	ir.OpAdd: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a + b },
	ir.OpSub: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a - b },
	ir.OpMul: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a * b },
	ir.OpMad: func(_ *ir.Inst, a, b, c uint32) uint32 { return a*b + c },
	ir.OpShl: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a << b },
	ir.OpShr: func(in *ir.Inst, a, b, _ uint32) uint32 {
		if in.Type.Signed() {
			return uint32(int32(a) >> b)
		}
		return a >> b
	},
	ir.OpAnd: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a & b },
	ir.OpOr:  func(_ *ir.Inst, a, b, _ uint32) uint32 { return a | b },
	ir.OpXor: func(_ *ir.Inst, a, b, _ uint32) uint32 { return a ^ b },
	ir.OpMin: func(_ *ir.Inst, a, b, _ uint32) uint32 { return min(a, b) },
	ir.OpMax: func(_ *ir.Inst, a, b, _ uint32) uint32 { return max(a, b) },
}

func TestAResultHasTheBitsThatItsRuleKnows(t *testing.T) {
	for op, f := range results {
		rapid.Check(t, func(t *rapid.T) {
			in := ir.Inst{Op: op, Type: rapid.SampledFrom([]ir.Type{ir.U32, ir.S32}).Draw(t, "type")}
			a, x := draw(t, "a")
			b, y := draw(t, "b")
			c, z := draw(t, "c")
			if op == ir.OpShl || op == ir.OpShr {
				b %= 40
				y = exact(b)
			}
			if r := rules[op](&in, [3]residue{x, y, z}); !r.holds(f(&in, a, b, c)) {
				t.Fatalf("%s of %#x %+v, %#x %+v, %#x %+v is %#x, known is %+v", op, a, x, b, y, c, z,
					f(&in, a, b, c), r)
			}
			if r := rules[op](&in, [3]residue{exact(a), exact(b), exact(c)}); op != ir.OpMin && op != ir.OpMax &&
				op != ir.OpShr && r.bits != wordBits {
				t.Fatalf("%s of known words is known in %d bits, want all", op, r.bits)
			}
		})
	}
}

func TestAProductOfAMultipleIsAMultiple(t *testing.T) {
	in := &ir.Inst{Op: ir.OpMul, Type: ir.U32}
	if r := multiplied(in, residue{}, exact(48)); r != (residue{4, 0}) {
		t.Errorf("an unknown word times 48: %+v, want a multiple of 16", r)
	}
	in.Mods.Part = ir.Hi
	if r := multiplied(in, exact(1), exact(48)); r != (residue{}) {
		t.Errorf("the high word of a product: %+v, want nothing known", r)
	}
}

func TestWhatIsKnownOfARegisterHoldsForAllItsDefinitions(t *testing.T) {
	r := func(n ir.Reg) ir.Operand { return ir.R(n, 1) }
	def := func(op ir.Op, d ir.Operand, src ...ir.Operand) ir.Inst {
		return ir.Inst{Op: op, Type: ir.U32, Dst: []ir.Operand{d}, Src: src}
	}
	k := &ir.Kernel{NumRegs: 3, NumPreds: 1, Insts: []ir.Inst{
		def(ir.OpMov, r(0), ir.Imm(64, 1)),
		def(ir.OpAdd, r(0), r(0), ir.Imm(24, 1)), // 1, a loop
		{Op: ir.OpBra, Guard: ir.P(0), Target: 1},
		def(ir.OpAdd, r(1), r(0), ir.Imm(4, 1)),
		def(ir.OpAdd, r(2), r(2), ir.Imm(12, 1)), // read before it is written
		{Op: ir.OpExit},
	}}
	s := newResidues(k)
	for reg, want := range []residue{{3, 0}, {3, 4}, {2, 0}} {
		if s.of[reg] != want {
			t.Errorf("register %d: %+v, want %+v", reg, s.of[reg], want)
		}
	}
}
