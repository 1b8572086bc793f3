package cuasm

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

// one reads a text of one instruction.
func one(t *testing.T, text string) *ir.Inst {
	t.Helper()
	list := mustRead(t, "x.sass", []byte(text))
	if len(list) != 1 || len(list[0].Insts) != 1 {
		t.Fatalf("%q: %d sections, want one instruction", text, len(list))
	}
	return &list[0].Insts[0]
}

func ids(list []ir.RegID) string {
	var out []string
	for _, r := range list {
		out = append(out, ir.R(ir.Reg(r), 1).String())
	}
	return strings.Join(out, " ")
}

func TestAnInstructionNamesTheRegistersItReadsAndWrites(t *testing.T) {
	for _, c := range []struct{ text, dst, src string }{
		{"FFMA R1, R2, R3, R4;", "R1", "R2 R3 R4"},
		{"FFMA R1, R2, c[0x0][0x10], R4;", "R1", "R2 R4"},
		{"STG.E [R2], R4;", "", "R2 R3 R4"},
		{"LDG.E.64 R4, [R2+0x10];", "R4 R5", "R2 R3"},
		{"STS.128 [R118+0x200], R100;", "", "R118 R100 R101 R102 R103"},
		{"LDC R1, c[0x3][R2+0x4];", "R1", "R2"},
		{"ISETP.GE.AND P0, PT, R3, R4, PT;", "", "R3 R4"},
		{"IADD3 R4, P2, R5, 0x4, RZ;", "R4", "R5"},
		{"IMAD.WIDE R2, R3, 0x4, R4;", "R2 R3", "R3 R4 R5"},
		{"SHFL.UP PT, R1, R2, 0x1, RZ;", "R1", "R2"},
		{"FADD R1, -|R2|, 1.5e-3;", "R1", "R2"},
		{"EXIT;", "", ""},
	} {
		in := one(t, c.text)
		if got := ids(in.T.Dst[:in.T.NDst]); got != c.dst {
			t.Errorf("%s writes %q, want %q", c.text, got, c.dst)
		}
		if got := ids(in.T.Src[:in.T.NSrc]); got != c.src {
			t.Errorf("%s reads %q, want %q", c.text, got, c.src)
		}
	}
}

func TestPredicatesAreReadAndWritten(t *testing.T) {
	in := one(t, "@!P3 ISETP.NE.AND P0, P1, R3, RZ, P2;")
	if in.T.DstPreds != 0b11 || in.T.SrcPreds != 0b1100 || !in.Guard.Neg {
		t.Errorf("writes %b, reads %b, guard %v", in.T.DstPreds, in.T.SrcPreds, in.Guard)
	}
}

func TestBothNotationsOfAControlWordSayTheSame(t *testing.T) {
	want := ir.Control{Set: true, Stall: 13, Yield: true, Write: 3, Read: 0, Wait: 0b10011}
	for _, text := range []string{"[B01--4-:R0:W3:Y:S13] MOV R1, R2 ;", "13:1:4:Y:d MOV R1, R2;"} {
		if d := cmp.Diff(want, one(t, text).Control); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
	if c := one(t, "MOV R1, R2;").Control; c.Set {
		t.Errorf("no control word is %+v", c)
	}
}

// Immediates, constants and uniform registers take an operand slot, the one operand of MOV is b.
func TestReuseFlagsAreThoseOfTheOperandSlots(t *testing.T) {
	for text, want := range map[string]uint8{
		"FFMA R1, R2.reuse, R3, R4.reuse;":            0b101,
		"FFMA R1, R2, c[0x0][0x4], R4.reuse;":         0b100,
		"IMAD R1, R2, UR4, R4.reuse;":                 0b100,
		"SHF.R.U32.HI R2, RZ, 0x17, R9.reuse;":        0b100,
		"XMAD.PSL.CBCC R1, R2.H1.reuse, R3.H1, R4;":   0b001,
		"MOV R1, R2.reuse;":                           0b010,
		"FADD R1, |R2|.reuse, R3;":                    0b001,
		"@P0 ISETP.GE.AND P0, PT, R1.reuse, 0x1, PT;": 0b001,
	} {
		if got := one(t, text).Control.Reuse; got != want {
			t.Errorf("%s: %03b, want %03b", text, got, want)
		}
	}
	for _, text := range []string{"FFMA R1, R2, 0x4, R4;", "IMAD R1, R2, UR4, R4;"} {
		if in := one(t, text); in.T.Slot(0) != 0 || in.T.Slot(1) != 2 {
			t.Errorf("%s: R2 is in slot %d and R4 in %d, want 0 and 2", text, in.T.Slot(0), in.T.Slot(1))
		}
	}
}

func TestCommentsLabelsAndDirectivesAreLeftOut(t *testing.T) {
	list := mustRead(t, "x.sass", []byte("# maxas\n// CuAssembler\n  .headerflags @\"x\"\n"+
		"\t.section .text.k,\"ax\",@progbits\n"+
		".L_1:\n [B------:R-:W-:-:S01] /*0000*/ NOP ; /* two\nlines */\r\nBRX R2 -0x110 (*\"x\"*);\n"+
		"{ FADD R1, R2, R3 ;\n MUFU.RCP R4, R5 }\n"))
	if len(list) != 1 || list[0].Name != "k" || len(list[0].Insts) != 4 || list[0].Insts[3].Line != 10 {
		t.Errorf("%d sections", len(list))
	}
}

// The encodings are of NVIDIA's samples for sm_75, and from maxas' wiki.
func TestControlWordsOfAListingAreThoseOfTheEncodings(t *testing.T) {
	volta := "/*0070*/ IMAD R0, R7, UR4, R0 ; /* 0x0000000507007c24 */\n /* 0x002fca000f8e0200 */\n" +
		"/*0080*/ S2R R0, SR_TID.X ; /* 0x0000000000007919 */\n /* 0x000e220000000800 */\n"
	maxwell := "/* 0x001f9400fe2007e6 */\n/*0008*/ MOV R1, c[0x0][0x20]; /* 0x4c98078000870001 */\n" +
		"/*0010*/ FADD R2, R3, R4; /* 0x0000000000000000 */\n/*0018*/ NOP; /* 0x50b0000000070f00 */\n" +
		"/* 0x001f9000fe2007f1 */\n/*0028*/ NOP; /* 0x50b0000000070f00 */\n"
	for text, want := range map[string][]string{
		volta: {"[B-1----:R-:W-:Y:S05]", "[B------:R-:W0:-:S01]"},
		maxwell: {"[B------:R-:W-:Y:S06]", "[B------:R-:W-:-:S01]", "[B------:R-:W-:Y:S05]",
			"[B------:R-:W-:-:S01]"},
	} {
		list := mustRead(t, "x.sass", []byte(text))
		var got []string
		for _, in := range list[0].Insts {
			got = append(got, in.Control.String())
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}

// splitListing has a heading between the two words of an instruction, as in NVIDIA's samples for sm_75.
const splitListing = "NOP ; /* 0x0000000507007c24 */\n%s\n /* 0x002fca000f8e0200 */\n"

var sectionHeads = []string{"Function : k", ".section .text.k,\"ax\""}

func TestAnEncodingDoesNotGoOnInTheNextFunction(t *testing.T) {
	for _, head := range sectionHeads {
		text := fmt.Sprintf(splitListing, head)
		list, err := Read("x.sass", []byte(text))
		if err != nil || len(list) != 1 || list[0].Insts[0].Control.Set {
			t.Errorf("%q: %+v, %v, want an instruction without a control word", text, list, err)
		}
	}
}

// The words are from maxas' wiki.
func TestControlWordsThatAreLeftOverAreNotOfTheNextFunction(t *testing.T) {
	for _, head := range sectionHeads {
		text := "/* 0x001f9400fe2007e6 */\nNOP; /* 0x4c98078000870001 */\n" + head + "\nEXIT;\n"
		list, err := Read("x.sass", []byte(text))
		if err != nil || len(list) != 2 || !list[0].Insts[0].Control.Set || list[1].Insts[0].Control.Set {
			t.Errorf("%q: %+v, %v, want a control word for NOP alone", text, list, err)
		}
	}
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"FFMA R1, R2":                "x.sass:1:12: found the end of the line, expected , or ;",
		"\nffma R1, R2;":             "x.sass:2:1: found \"ffma\", expected an opcode in capitals, such as FFMA",
		"[B-1----:R6:W-:-:S01] NOP;": "x.sass:1:11: found \"6\", expected - or a counter, 0 to 5",
		"[B1-----:R-:W-:-:S01] NOP;": "x.sass:1:3: found \"1\", expected - or 0, the counter of this place",
		"[B------:R-:W-:-:S16] NOP;": "x.sass:1:19: found \"1\", expected a stall of 00 to 15",
		"[B------:R-:W-:X:S01] NOP;": "x.sass:1:16: found \"X\", expected - or Y",
		"--:-:-:-:g NOP;":            "x.sass:1:10: found \"g\", expected a stall of 0 to f",
		"@R1 NOP;": "x.sass:1:2: found \"R1\", expected a predicate, P0 to P6, PT, UP0 to UP6 or " +
			"UPT",
		"LDG.E R1, [R2;":                   "x.sass:1:15: found the end of the line, expected \"]\"",
		"MOV R1, ;":                        "x.sass:1:9: found \";\", expected an operand",
		"NOP; NOP;":                        "x.sass:1:6: found \"NOP;\", expected the end of the line",
		"NOP;\n/* ":                        "found the end of the file, expected */ behind /*",
		"[B------:R-:W-:-:S01":             "x.sass:1:21: found the end of the line, expected \"]\"",
		"STG.E [R2] R3;":                   "x.sass:1:12: found \"R3;\", expected , or ;",
		"MOV R1, 32@lo((x;":                "x.sass:1:18: found the end of the line, expected \")\"",
		"NOP" + strings.Repeat(" R1,", 20): "expected the end of the instruction, which has 16 operands",
	} {
		_, err := Read("x.sass", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"[B01--4-:R0:W3:Y:S04] @!P0 FFMA R1, R2.reuse, R3, R4 ;",
		"01:-:4:Y:4 LDS.U.128 R0, [R80+0x1000];", "MOV R20, 32@lo((a + .b@srel)) ;",
		"{ IADD3 R4, P2, R4, 0x4, RZ ;", "BRX R2 -0x110 (*\"x\"*);", "desc[UR4][R2.64]",
		"FADD R1, --R2, |c[0x0] [0x16c].H0_H0|;", "L:\nL:\n", "BRA `(.L_9);", "LDG.E.256 R9, [];",
		fmt.Sprintf(splitListing, sectionHeads[0]), fmt.Sprintf(splitListing, sectionHeads[1]),
		"code for sm_75\n.headerflags @\"EF_CUDA_SM75\"\n.L_1:\nNOP ; /* 0x0000000507007c24 */"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := Read("x.sass", text)
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Line < 1 || e.Col < 1 || e.Found == "" || e.Want == "" {
				t.Errorf("%v has no place, or says not what was found and expected", err)
			}
			return
		}
		for _, s := range list {
			if len(s.Insts) == 0 {
				t.Error("a section without instructions")
			}
		}
		if listing, err := ReadListing("x.sass", text); err != nil || len(listing) != len(list) {
			t.Errorf("as a listing it has %d sections, want %d; %v", len(listing), len(list), err)
		}
	})
}

func TestAListingOfCuobjdumpHasASectionForEachFunction(t *testing.T) {
	list, err := Read("x.sass", []byte(`
Fatbin elf code:
================
arch = sm_75
code version = [1,7]
host = linux
compile_size = 64bit

	code for sm_75
		Function : _Z1kPf
	.headerflags	@"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)"
        /*0000*/                   MOV R1, c[0x0][0x28] ;    /* 0x00000a0000017a02 */
                                                             /* 0x000fca0000000f00 */
        /*0010*/                   EXIT ;                    /* 0x000000000000794d */
                                                             /* 0x000fea0003800000 */
		..........

`))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Name != "_Z1kPf" || len(list[0].Insts) != 2 {
		t.Fatalf("sections %v, want _Z1kPf with two instructions", list)
	}
	if a, b := list[0].Insts[0].Control, list[0].Insts[1].Control; a.Stall != 5 || b.Stall != 5 || !a.Set {
		t.Errorf("%v and %v, want stalls of 5", a, b)
	}
}

func TestALabelMayStandBeforeAnInstructionOfItsLine(t *testing.T) {
	list := mustRead(t, "x.sass", []byte("FADD R1, R2, R3;\nL2: FADD R4, R5, R6;\n"+
		".L_x_3: 01:-:4:Y:d FMUL R7, R8, R9;\nBRA `(L2);"))
	want := map[string]int{"L2": 1, ".L_x_3": 2}
	if s := list[0]; len(s.Insts) != 4 || !maps.Equal(s.Labels, want) || s.Insts[2].Control.Stall != 13 {
		t.Errorf("%d instructions, labels %v, stall %d, want 4, %v, 13", len(s.Insts), s.Labels,
			s.Insts[2].Control.Stall, want)
	}
}

func mustRead(t *testing.T, file string, text []byte) []Section {
	t.Helper()
	list, err := Read(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
