package ir

import "testing"

func TestAnInstructionPrintsLikePTX(t *testing.T) {
	neg := P(1)
	neg.Neg = true
	for _, k := range []struct {
		in   Inst
		want string
	}{
		{Inst{Op: OpFma, Type: F32, SrcType: F32, Dst: []Operand{R(1, 1)},
			Src: []Operand{R(2, 1), Imm(0x40000000, 1), R(1, 1)}},
			"fma.f32 R1, R2, 0x40000000, R1"},
		{Inst{Op: OpLd, Type: F64, Space: Global, Guard: P(0), Dst: []Operand{R(4, 2)},
			Addr: Addr{Base: R(2, 2), Offset: -8}},
			"@P0 ld.global.f64 R4:R5, [R2:R3-8]"},
		{Inst{Op: OpSetp, Type: PredType, SrcType: S32, Mods: Mods{Cmp: LT, Bool: BoolAnd}, Dst: []Operand{P(0)},
			Src: []Operand{R(0, 1), {Kind: KindParam, Imm: 8}, neg}}, "setp.lt.and.pred.s32 P0, R0, c[param+8], !P1"},
		{Inst{Op: OpBra, Guard: neg, Target: 12}, "@!P1 bra -> 12"},
		{Inst{Op: OpMov, Type: U32, Dst: []Operand{R(0, 1)}, Src: []Operand{{Kind: KindSpecial, Special: TidX}}},
			"mov.u32 R0, %tid.x"},
		{Inst{Op: OpExit}, "exit"},
	} {
		if got := k.in.String(); got != k.want {
			t.Errorf("%q, want %q", got, k.want)
		}
	}
}

func TestEveryModifierHasAName(t *testing.T) {
	for _, k := range []struct {
		names int
		last  int
	}{{len(cmpNames), int(NAN)}, {len(boolNames), int(BoolXor)}, {len(partNames), int(Wide)},
		{len(atomNames), int(AtomTryCas)},
		{len(shflNames), int(ShflIdx)}, {len(queryNames), int(QueryAddress)}, {len(voteNames), int(VoteDiffer)}} {
		if k.names != k.last+1 {
			t.Errorf("%d names for %d values", k.names, k.last+1)
		}
	}
}
