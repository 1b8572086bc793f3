package maxwell

import (
	"slices"
	"testing"

	"kumiko/kernel/cubin/rules/formtest"
	"kumiko/kernel/ir"
)

// testdata/forms.txt has the forms of the built-in programs for sm_52 and 61, as ptxas 11.8 makes them, in their
// shapes, and more, each with its meaning.
func TestEveryFormHasItsMeaning(t *testing.T) {
	formtest.Check(t, Family, 52, "testdata/forms.txt", 380)
}

func TestWhatIsNotUnderstoodIsRefusedByLineAndForm(t *testing.T) {
	formtest.Refused(t, Family, 52, [][2]string{
		{"VADD.SD R4, R8, R10, R4", "k.sass:23: VADD.SD: the opcode is not supported"},
		{"IADD.PO R4, R8, R10", "the suffix .PO is not supported"},
		{"IADD3.RS R4.CC, R8, R10, R4", "a shifted sum with carries is not supported"},
		{"XMAD R4.CC, R8, R10, R4", "a product of halves with carries"},
		{"XMAD.S16 R4, R8, R10, R4", "one type, expected one for each factor"},
		{"XMAD.S16.S16.CSFU R4, R8, R10.H1, R4", "the suffix .CSFU, except with two upper halves"},
		{"XMAD R4, R8.H0, R10, R4", "suffix .H0"},
		{"LEA P0, R4, R8, R10", "a predicate of a sum that does not complete an address"},
		{"ISET.EQ.AND R1.CC, R3, R4, PT", "flags of a result that is kept"},
		{"LEA.HI.X P0, RZ, R2, RZ, R3", "a predicate of a sum that does not complete an address"},
		{"IADD.SAT R4.CC, R8, R10", "the suffix .SAT is supported with two sources"},
		{"CSETP.LT.AND P0, PT, CC, PT", "the condition .LT of the flags of  is not supported"},
		{"I2I.S16.S16 RZ.CC, R3", "flags of a conversion that changes a number"},
		{"F2F.F32.F32 R0.CC, R3", "flags of a conversion are supported for F2F.F32.F32 of RZ"},
		{"POPC R0.CC, R3", "flags of its result are not supported"},
		{"BRA CC.LT, `(.L_0)", "the condition CC.LT is not supported"},
		{"HADD2 R0, R1.H0_H0, c[0x2][0x0].F32", "a constant with the suffix .F32"},
		{"VABSDIFF4.S8.S8.ACC R0, R1, R2, R3", "the suffix .S8 is not supported"},
		{"HADD2 R0, R1.H0_H0, c[0x2][0x0]", "a literal for halves that is not the value of one"},
		{"HMUL2 R0, R1.H0_H0, c[0x3][0x0]", "a constant for halves that is not a literal"},
		{"HMUL2 R0, R1.H0_H0, c[0x0][0x140]", "a constant for halves that is not a literal"},
		{"BFE.U32.BREV R0, R1, 0x1000", "the suffix .BREV with less than a word"},
		{"IMNMX R0.CC, R1, R2, PT", "flags, except of .XHI"},
		{"LOP.AND.X R0, R1, R2", "the suffix .X, except with .NZ"},
		{"VMNMX.U32.U32.MX.MIN R0, R1, R2, R3", "choices with a sign and without one"},
		{"VMNMX.UD.U32.U16.MX.MIN R0, R1, R2, R3", "the suffix .U16 is supported for a number"},
		{"LOP R0, R1, R2", "no operation"},
		{"LOP.AND.OR R0, R1, R2", "more than one operation"},
		{"MOV32I R4, 32@lo(nothing)", "the symbol nothing is no variable of global memory"},
		{"MOV R4, c[0x0][0x24]", "the driver's constant c[0x0][0x24] is not known"},
		{"TEXS.P RZ, R0, R0, R1, 0x50, 2D, G", "components that are not the first ones"},
		{"TEXS.P RZ, R0, R0, R1, 0x70, 2D, R", "a texture that is not a parameter"},
		{"TEXS.P RZ, R0, R0, R1, 0x50, 3D, R", "the geometry 3D is not supported"},
		{"FMUL.D2 R0, R1, c[0x2][0x0]", "the suffix .D2 with a factor that is not a normal number"},
		{"BAR.RED.AND 0x0", "a predicate for .RED alone"},
		{"FCMP.GT R0, R1, -QNAN, R2", "a choice of a NaN, which is printed without its payload"},
		{"SYNC CC.LT", "the condition CC.LT is not supported"},
		{"BRK CC.EQ, CC.NE", "2 operands, expected a condition on the flags at most"},
		{"IADD3.X R4, R8.H0, R10, R4", "suffix .H0"},
		{"P2R R4, CC, R5, 0xf", "expected a register, CC, RZ and 0xf"},
		{"R2P CC, R4, 0x3", "expected CC, a register and 0xf"},
		{"LDG R4, [R2]", "a global address without 64 bits"},
	})
}

// The bytes are those of a call in hotspot: one word of control for three instructions, and braces around a pair.
func TestABundleHasItsControlWordsAndPairs(t *testing.T) {
	text := formtest.Listing(52) + "        /* 0x001c4400fe0007f6 */\n" +
		"/*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c98078000870001 */\n" +
		"/*0010*/ {  MOV R8, c[0x0][0x144] ; /* 0x4c98078005970008 */\n" +
		"/*0018*/    S2R R0, SR_CTAID.Y  }\n /* 0xf0c8000002670000 */\n /* 0x001ffc00fe2007f2 */\n" +
		"/*0028*/ @P0 SYNC (*\"BRANCH_TARGETS .L_0\"*) }\n /* 0xf0f800000000000f */\n"
	k, err := formtest.Kernel(Family, text)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[B------:R-:W-:-:S06]", "[B------:R-:W-:-:S00]", "[B------:R-:W0:-:S01]"} {
		if got := k.Insts[i].Control.String(); got != want {
			t.Errorf("instruction %d has %s, want %s", i, got, want)
		}
	}
	if in := k.Insts[3]; in.Op != ir.OpMeet || in.Guard.Kind != ir.KindPred || k.Insts[1].Op != ir.OpMov {
		t.Errorf("%v and %v", k.Insts[1], in)
	}
}

// The annotation of the disassembler names the place; without it all places of the kind may be the one.
func TestAWaitLeadsToItsPlaces(t *testing.T) {
	k, err := formtest.Kernel(Family, formtest.Listing(52, "SSY `(.L_0)", "CAL `($callee)",
		"@P0 SYNC (*\"BRANCH_TARGETS $callee\"*)", "SYNC", "BRK", "RET"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int][]int{2: {0}, 3: {0}, 4: nil, 5: {2}} {
		if got := k.Insts[i].Targets; !slices.Equal(got, want) {
			t.Errorf("instruction %d leads to %v, want %v", i, got, want)
		}
	}
}

func FuzzKernel(f *testing.F) {
	f.Add("XMAD.PSL.CBCC R0, R0.H1, R3.H1, R2")
	f.Add("@!P1 IADD3.X R4.CC, R2, c[0x0][0x150], -R6")
	f.Add("TEXS.P R10, R4, R4, R5, 0x50, 2D, RGB")
	f.Add("LEA.HI.X P0, R13, R2, RZ, R3")
	f.Fuzz(func(t *testing.T, inst string) {
		k, err := formtest.Kernel(Family, formtest.Listing(52, inst))
		if err == nil && len(k.Insts) == 0 {
			t.Error("a kernel without an instruction")
		}
	})
}
