package listing

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, name string) *File {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return mustRead(t, name, string(data))
}

func mustRead(t *testing.T, name, text string) *File {
	t.Helper()
	f, err := Read(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The listings are of benchmarks/bfs and benchmarks/hotspot by ptxas and nvdisasm 11.8.
func TestAListingHasItsFunctions(t *testing.T) {
	f := read(t, "bfs.sm_75.txt")
	if f.Arch != 75 || len(f.Functions) != 2 {
		t.Fatalf("sm_%d with %d functions, want sm_75 with 2", f.Arch, len(f.Functions))
	}
	u := f.Function("update")
	if u == nil || u.Registers != 7 || u.ParamBase != 0x160 || u.ParamBytes != 0x24 || u.SharedBytes != 0 ||
		len(u.Insts) != 24 || u.Labels[".L_x_0"] != 22 {
		t.Fatalf("%+v", u)
	}
	want := Inst{Address: 0x70, Line: u.Insts[7].Line, Mnemonic: "LDG.E.U8.SYS", Text: "LDG.E.U8.SYS R2, [R0.U32+UR4]",
		Operands: []Operand{{Kind: Reg, N: 2},
			{Kind: Memory, Base: Part{Reg, 0, "U32"}, Index: Part{UReg, 4, ""}}}}
	if d := cmp.Diff(want, u.Insts[7]); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if h := read(t, "hotspot.sm_75.txt").Function("hotspot"); h == nil || h.Registers != 22 || h.SharedBytes != 3072 {
		t.Errorf("%+v", h)
	}
}

func TestAnOperandIsWhatItSays(t *testing.T) {
	for _, c := range []struct {
		text string
		want Operand
	}{
		{"R0", Operand{Kind: Reg}},
		{"-R17.reuse", Operand{Kind: Reg, N: 17, Neg: true, Reuse: true}},
		{"~RZ", Operand{Kind: Reg, N: Zero, Not: true}},
		{"-|R4|", Operand{Kind: Reg, N: 4, Neg: true, Abs: true}},
		{"|R4|.reuse", Operand{Kind: Reg, N: 4, Abs: true, Reuse: true}},
		{"R6.B2", Operand{Kind: Reg, N: 6, Suffix: "B2"}},
		{"UR62", Operand{Kind: UReg, N: 62}},
		{"URZ", Operand{Kind: UReg, N: Zero}},
		{"!PT", Operand{Kind: Pred, N: True, Not: true}},
		{"UP6", Operand{Kind: UPred, N: 6}},
		{"B15", Operand{Kind: Barrier, N: 15}},
		{"-0x10", Operand{Kind: Int, Value: -16}},
		{"0xffffffff", Operand{Kind: Int, Value: 0xffffffff}},
		{"-1.5e-08", Operand{Kind: Float, Text: "-1.5e-08"}},
		{"+INF", Operand{Kind: Float, Text: "+INF"}},
		{"-QNAN", Operand{Kind: Float, Text: "-QNAN"}},
		{"2D", Operand{Kind: Word, Text: "2D"}},
		{"SR_TID.X", Operand{Kind: Word, Text: "SR_TID.X"}},
		{"-c[0x0][0x160]", Operand{Kind: Bank, Neg: true, Value: 0x160}},
		{"c[0x3][R4+-0x4]", Operand{Kind: Bank, Bank: 3, Base: Part{Reg, 4, ""}, Value: -4}},
		{"[R2.64+UR4+0x10]", Operand{Kind: Memory, Base: Part{Reg, 2, "64"}, Index: Part{UReg, 4, ""}, Value: 16}},
		{"c[0x0] [0x8].H1", Operand{Kind: Bank, Value: 8, Suffix: "H1"}},
		{"-R4.CC", Operand{Kind: Reg, N: 4, Neg: true, Suffix: "CC"}},
		{"{5,4}", Operand{Kind: Word, Text: "{5,4}"}},
		{"32@lo(a)", Operand{Kind: AddressWord, Text: "a"}},
		{"32@hi((a + 8))", Operand{Kind: AddressWord, Text: "a", Value: 8, N: 1}},
		{"[0x38e4]", Operand{Kind: Memory, Value: 0x38e4}},
		{"`(.L_x_1)", Operand{Kind: Label, Text: ".L_x_1"}},
	} {
		got, err := operand(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, d)
		}
	}
}

func TestAFaultInAListingIsNamedWithItsLine(t *testing.T) {
	head := ".headerflags\t@\"EF_CUDA_SM75\"\n.section\t.text.k,\"ax\"\n.sectioninfo\t@\"SHI_REGISTERS=8\"\n"
	for _, c := range []struct{ text, want string }{
		{"", "k: no .headerflags with an architecture: expected what nvdisasm prints of a cubin, or " +
			"a first line .code"},
		{".headerflags\t@\"EF_CUDA_SM\"", "k:1: .headerflags without an architecture"},
		{".headerflags\t@\"EF_CUDA_SM75\"\n", "no function"},
		{head, "function k has no instruction"},
		{head + "/*0010*/ EXIT ;", "k:4: an instruction at address 0010, expected 0000"},
		{head + "/*0000*/ EXIT", "k:4: an instruction without a semicolon"},
		{head + "/*0000*/ @R1 EXIT ;", "k:4: guard @R1: expected a predicate"},
		{head + "/*0000*/ exit ;", "expected a mnemonic in capitals"},
		{head + "/*0000*/ MOV R1, ;", "a comma without an operand behind it"},
		{head + "/*0000*/ MOV R1, [R2 ;", "expected ] at its end"},
		{head + "/*0000*/ MOV R1, |R2 ;", "expected a register between bars"},
		{head + "/*0000*/ MOV R1, [R2+R3] ;", "expected a register, a uniform register and a number"},
		{head + "/*0000*/ MOV R1, c[0x0] ;", "expected a constant"},
		{head + "/*0000*/ MOV R1, 32@lo() ;", "expected a word of an address"},
		{strings.Replace(head, "75", "52", 1) + "/*0000*/ EXIT ;", "an instruction at address 0000, expected 0008"},
		{strings.Replace(head, "75", "52", 1) + "/*0008*/ EXIT ;\n/* 0x1 */", "expected a control word"},
		{head + "k:\nk:\n", "k:5: label k for the second time"},
		{head + ".section\t.text.k,\"ax\"", "section .text.k for the second time"},
		{strings.Replace(head, "=8", "=256", 1), "expected 1 to 255 registers"},
		{".section\t.nv.shared.k,\"aw\"\n.zero\t99999999", "k:2: \".zero\\t99999999\": expected a section of at most"},
		{strings.Replace(head, ".sectioninfo", ".other", 1) + "/*0000*/ EXIT ;", "no number of registers"},
		{head + "/*0000*/ EXIT ; /* 0x0 */\n/* 0x0 */\n/* 0x0 */", "expected the two words of an instruction"},
		{strings.Replace(head, "75", "90", 1) + "/* 0x248 */", "one word of an instruction without a text"},
	} {
		_, err := Read("k", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// The words are those of nvdisasm -hex.
func TestTheControlWordIsInTheSecondWord(t *testing.T) {
	f := mustRead(t, "k", ".headerflags\t@\"EF_CUDA_SM75\"\n.section\t.text.k,\"ax\"\n"+
		".sectioninfo\t@\"SHI_REGISTERS=8\"\n"+
		"        /*0000*/                   S2R R0, SR_CTAID.X ;    /* 0x0000000000007919 */\n"+
		"                                                           /* 0x000e280000002500 */\n")
	if c := f.Functions[0].Insts[0].Control.String(); c != "[B------:R-:W0:-:S04]" {
		t.Errorf("control word %s", c)
	}
}

// The words are those ptxas 11.8 makes of min.s32 and max.u32 for sm_90, with a register, a number and, as in sradv2, a
// uniform register.
func TestAnInstructionWithoutATextIsReadFromItsWords(t *testing.T) {
	f := mustRead(t, "k", ".headerflags\t@\"EF_CUDA_SM90\"\n.section\t.text.k,\"ax\"\n"+
		".sectioninfo\t@\"SHI_REGISTERS=16\"\n/* 0x0000000500077248 */\n/* 0x008fc60003fe0100 */\n"+
		"/*0010*/ EXIT ; /* 0x1 */\n/* 0x2 */\n/* 0x0000004d05058848 */\n/* 0x000fe20007fe0000 */\n"+
		"/* 0x000000060b097c48 */\n/* 0x000fe2000ffe0100 */\n/* 0x0000000500077249 */\n/* 0x008fc60003fe0100 */\n")
	reg := func(n int) Operand { return Operand{Kind: Reg, N: n} }
	always := Operand{Kind: Pred, N: True}
	never := always
	never.Not = true
	want := []Inst{{Mnemonic: "VIMNMX", Operands: []Operand{reg(7), reg(0), reg(5), always}},
		{Mnemonic: "EXIT"},
		{Mnemonic: "VIMNMX.U32", Guard: Operand{Kind: Pred, N: 0, Not: true},
			Operands: []Operand{reg(5), reg(5), {Kind: Int, Value: 0x4d}, never}},
		{Mnemonic: "VIMNMX", Operands: []Operand{reg(9), reg(11), {Kind: UReg, N: 6}, never}},
		{Mnemonic: "0x249"}}
	got := f.Functions[0].Insts
	for i := range got {
		if got[i].Address != 16*i || got[i].Line == 0 || !got[i].Control.Set {
			t.Errorf("instruction %d: %+v", i, got[i])
		}
		got[i].Address, got[i].Line, got[i].Control, got[i].Text = 0, 0, want[0].Control, ""
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// The words are those of nvdisasm -hex, the directives what Read takes.
func TestTheCompactFormHasWhatIsReadOfAListing(t *testing.T) {
	shared := ".section\t.nv.shared.k,\"aw\"\n.zero\t512\n.section\t.nv.constant2.k,\"a\"\n.byte\t0x10, 0xff\n" +
		".section\t.nv.constant3,\"a\"\ntable:\n.zero\t32\n.section\t.nv.info.k,\"\"\n" +
		"//----- nvinfo : EIATTR_PARAM_CBANK\n.word\tindex@(c)\n.short\t0x0160\n.short\t0x0014\n" +
		"//----- nvinfo : EIATTR_KPARAM_INFO\n.byte\t0x04, 0x17\n.word\t0x0\n.short\t0x1\n.short\t0x8\n" +
		".byte\t0x00, 0xf0, 0x31, 0x00\n//----- nvinfo : EIATTR_KPARAM_INFO\n.byte\t0x04, 0x17\n.word\t0x0\n" +
		".short\t0x0\n.short\t0x0\n.byte\t0x00, 0xf0, 0x21, 0x00\n" +
		".section\t.text.k,\"ax\"\n.sectioninfo\t@\"SHI_REGISTERS=9\"\n.text.k:\n"
	head := ".constant table 0x0 0x20\n.section .text.k\n.registers 9\n.parameters 0x160 0x14\n" +
		".parameter 0x0 0x8\n.parameter 0x8 0xc\n.shared 0x200\n.literals 10ff\n"
	for _, c := range []struct{ text, want string }{
		{".headerflags\t@\"EF_CUDA_SM52\"\n" + shared + "/* 0x001c4400fe2007e6 */\n" +
			"/*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c98078000870001 */\n.L_0:\n" +
			"/*0010*/ { @!P0 IADD R0, R1, -0x1; /* 0x3 */\n/*0018*/ SSY `(.L_0) } /* 0x4 */\n",
			".code sm_52\n" + head + "--:-:-:Y:6 MOV R1, c[0x0][0x20] ;\n.L_0:\n--:-:-:-:1 @!P0 IADD R0, R1, -0x1 ;\n" +
				"--:-:1:-:1 SSY `(.L_0) ;\n"},
		{".headerflags\t@\"EF_CUDA_SM75\"\n" + shared + "/*0000*/ BRX R4 -0x10 (*\"BRANCH_TARGETS .L_1,k\"*) ; " +
			"/* 0x0000000000007919 */\n/* 0x000e280000002500 */\n.L_1:\nk:\n",
			".code sm_75\n" + head + "--:-:1:-:4 BRX R4 -0x10 (*\"BRANCH_TARGETS .L_1,k\"*) ;\n.L_1:\nk:\n"},
		{".headerflags\t@\"EF_CUDA_SM90\"\n" + shared +
			"/* 0x0000004d05058848 */\n/* 0x000fe20007fe0000 */\n/* 0x000000060bff7c48 */\n/* 0x000fe2000ffe0100 */\n",
			".code sm_90\n" + head + "--:-:-:-:1 @!P0 VIMNMX.U32 R5, R5, 0x4d, !PT ;\n" +
				"--:-:-:-:1 VIMNMX RZ, R11, UR6, !PT ;\n"},
	} {
		f, err := Read("k", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if d := cmp.Diff(c.want, Write(f)); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
		g, err := Read("k", c.want)
		if err != nil || Write(g) != c.want {
			t.Errorf("read again: %v", err)
		}
	}
}

func TestAFaultInACompactListingIsNamedWithItsLine(t *testing.T) {
	head := ".code sm_75\n.section .text.k\n.registers 9\n"
	for _, c := range []struct{ text, want string }{
		{".code 75", `k:1: ".code 75": expected .code sm_75 or the like, once`},
		{".code sm_75\n.code sm_75", "k:2: "},
		{".code sm_75\n.constant t 0", "k:2: \".constant t 0\": expected a name, an offset and a size"},
		{".code sm_75\n.constant t 0 -1", `k:2: "-1": expected a number of at most 262144`},
		{head + "EXIT ;", `k:4: "EXIT ;": expected a control word, as --:-:-:-:1`},
		{head + "--:-:-:-:z EXIT ;", `k:4: column 10: found "z", expected a stall of 0 to f`},
		{head + "--:-:-:-:1 EXIT ; EXIT ;", `k:4: "EXIT ;" behind the semicolon`},
		{head + "--:-:-:-:1 EXIT", "k:4: an instruction without a semicolon"},
		{head + ".registers 256", "k:4: .registers with 1 numbers: expected .registers (1 to 255)"},
		{head + ".literals 123", "k:4: .literals: expected an even number of hexadecimal digits"},
		{head + ".stack x", `k:4: .stack: "x": expected a number`},
	} {
		_, err := Read("k", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// The words are those of ptxas 11.8 for the upper word of a double that is infinity.
func TestANaNThatIsSelectedHasItsPayload(t *testing.T) {
	f := mustRead(t, "k", ".headerflags\t@\"EF_CUDA_SM90\"\n.section\t.text.k,\"ax\"\n"+
		".sectioninfo\t@\"SHI_REGISTERS=9\"\n"+
		"/*0000*/ FSEL R4, R4, +QNAN , !P1 ; /* 0x7ff0000004047808 */\n/* 0x000fc80004800000 */\n"+
		"/*0010*/ MUFU.RSQ R5, -QNAN ; /* 0xffffffff00057908 */\n/* 0x000fc80004800000 */\n")
	insts := f.Functions[0].Insts
	if o := insts[0].Operands[2]; o.Kind != Int || o.Value != 0x7ff00000 {
		t.Errorf("the second choice is %+v, want the number 0x7ff00000", o)
	}
	if o := insts[1].Operands[1]; o.Kind != Float {
		t.Errorf("the source of MUFU is %+v, want a NaN", o)
	}
	text := Write(f)
	g, err := Read("k", text)
	if err != nil || Write(g) != text || !strings.Contains(text, "FSEL R4, R4, 0x7ff00000 , !P1") {
		t.Errorf("%v: %s", err, text)
	}
}

// So the disassembler of CUDA 11.8 prints them: the maximum, to which two branches go, has no label, and the label in
// front of it is that of the instruction behind.
func TestALabelOfAnInstructionWithoutATextIsReadFromItsBranches(t *testing.T) {
	f := mustRead(t, "k", ".headerflags\t@\"EF_CUDA_SM90\"\n.section\t.text.k,\"ax\"\n"+
		".sectioninfo\t@\"SHI_REGISTERS=9\"\nk:\n"+
		"/*0000*/ @!P0 BRA `(.L_0) ; /* 0x0000000000088947 */\n/* 0x004fec0003800000 */\n"+
		"/*0010*/ BSSY B0, `(.L_1) ; /* 0x0000001000007945 */\n/* 0x000fe20003800000 */\n"+
		"/*0020*/ NOP ; /* 0x0000000000007918 */\n/* 0x000fe20003800000 */\n"+
		".L_3:\n/* 0x0000000900087248 */\n/* 0x000fe20003fe0000 */\n"+
		"/*0040*/ BRA `(.L_0) ; /* 0xfffffffc00f81947 */\n/* 0x000fea000383ffff */\n"+
		".L_2:\n/*0050*/ BRA `(.L_2) ; /* 0xfffffffc00fc7947 */\n/* 0x000fc0000383ffff */\n"+
		"/*0060*/ CALL.REL.NOINC `(.L_3) ; /* 0xfffffffc00f47944 */\n/* 0x000fc0000383ffff */\n")
	want := map[string]int{"k": 0, ".L_0": 3, ".L_1": 3, ".L_2": 5, ".L_3": 4}
	if d := cmp.Diff(want, f.Functions[0].Labels); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// The seed is short, since the fuzzer makes long inputs shorter before it goes on.
func FuzzRead(f *testing.F) {
	f.Add(".headerflags\t@\"EF_CUDA_SM75\"\n.section\t.nv.info.k,\"\"\n//----- nvinfo : EIATTR_PARAM_CBANK\n" +
		".word\tindex@(c)\n.short\t0x0160\n.short\t0x0040\n.section\t.nv.constant3,\"a\"\nt:\n.zero\t32\n.L_1:\n" +
		".section\t.nv.constant2.k,\"a\"\n/*0000*/ \t.byte\t0xfe, 0x82\n.section\t.text.k,\"ax\"\n" +
		".sectioninfo\t@\"SHI_REGISTERS=9\"\nk:\n/*0000*/ @!P0 LDG.E R1, [R2.64+UR4+0x10] ; /* 0x1 */\n/* 0x2 */\n" +
		".L_0:\n/*0010*/ FADD R1, -|R2|, c[0x2][0x0] ;\n/*0020*/ RET.REL.NODEC R2 `(k) ;\n")
	f.Add(".headerflags\t@\"EF_CUDA_SM52\"\n.section\t.text.k,\"ax\"\n.sectioninfo\t" +
		"@\"SHI_REGISTERS=9\"\nk:\n/* 0x1 */\n/*0008*/ { MOV32I R1, 32@lo((a + 8)) ; /* 0x2 */\n" +
		"/*0010*/ SYNC (*\"BRANCH_TARGETS .L_1\"*) }\n /* 0x3 */\n" +
		"/*0018*/ BRX R2 -0x8 (*\"BRANCH_TARGETS .L_1,k\"*) ; /* 0x4 */\n/* 0x5 */\n/*0028*/ DEPBAR {0,1} ;\n")
	f.Add(".headerflags\t@\"EF_CUDA_SM75\"\n.section\t.nv.info.k,\"\"\n//----- nvinfo : EIATTR_KPARAM_INFO\n" +
		".word\t0x0\n.short\t0x1\n.short\t0x8\n.byte\t0x00, 0xf0, 0x21, 0x00\n.section\t.text.k,\"ax\"\n" +
		".sectioninfo\t@\"SHI_REGISTERS=9\"\n/*0000*/ EXIT ; /* 0x1 */\n/* 0x2 */\n")
	f.Add(".code sm_75\n.constant t 0x0 0x20\n.section .text.k\n.registers 9\n.parameters 0x160 0x8\n" +
		".parameter 0x0 0x8\n.shared 0x200\n" +
		".stack 8\n.spilled 4\n.literals 10ff\n01:-:2:Y:f BRX R4 -0x10 (*\"BRANCH_TARGETS .L_1,k\"*) ;\n.L_1:\n" +
		"[B0-----:R-:W5:-:S04] @!UP0 MOV R1, c[0x0][R2+0x8] ;\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read("fuzz", text)
		if err == nil && len(l.Functions) == 0 {
			t.Error("no error and no function")
		}
		if err != nil || l.Controls() != nil {
			return
		}
		compact := Write(l)
		if l, err = Read("compact", compact); err != nil || Write(l) != compact {
			t.Errorf("%v: %s", err, compact)
		}
	})
}
