package opcode

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

// regs parses names such as "R4 R255 UR2".
func regs(t *testing.T, names string) (out []Reg) {
	t.Helper()
	for _, n := range strings.Fields(names) {
		r, ok := ParseReg([]byte(n))
		if !ok {
			t.Fatalf("%s is no register", n)
		}
		out = append(out, r)
	}
	return out
}

// timing writes the registers of an instruction: results, then sources, the
// address in brackets.
func timing(in *ir.Inst) string {
	var d, s []string
	for _, r := range in.T.Dst[:in.T.NDst] {
		d = append(d, fmt.Sprint(r))
	}
	for i, r := range in.T.Src[:in.T.NSrc] {
		switch {
		case i < int(in.T.NAddr):
			s = append(s, fmt.Sprintf("[%d]", r))
		default:
			s = append(s, fmt.Sprint(r))
		}
	}
	return strings.Join(d, " ") + " <- " + strings.Join(s, " ")
}

func TestOperandsSpanTheRegistersThatTheirSuffixesSay(t *testing.T) {
	for _, c := range []struct {
		line string // results | opcode | sources | immediates
		mem  bool
		want string
		cls  ir.Class
	}{
		{"R0|FADD|R4 R3", false, "0 <- 4 3", ir.ClassFAdd},
		{"R9|FADD|R255 R0", false, "9 <- 0", ir.ClassFAdd},
		{"R3|FFMA.FTZ|R3 R0 R3", false, "3 <- 3 0 3", ir.ClassFMA},
		{"R6|DFMA|R2 R4 R6", false, "6 7 <- 2 3 4 5 6 7", ir.ClassDFMA},
		{"R6|DADD|R2 RZ", false, "6 7 <- 2 3", ir.ClassDAdd},
		{"|DSETP.GT.AND|R2 R4", false, " <- 2 3 4 5", ir.ClassDAdd},
		{"R2|IMAD.WIDE|R6 R7|0", false, "2 3 <- 6 7", ir.ClassIntMul},
		{"R2|IMAD.WIDE.U32|R6 R8|4", false, "2 3 <- 6 8 9", ir.ClassIntMul},
		{"R2|IMAD.WIDE|R6 R7 R8", false, "2 3 <- 6 7 8 9", ir.ClassIntMul},
		{"R1|IMAD.MOV.U32|R255 R255", false, "1 <- ", ir.ClassMove},
		{"R8|IMAD|R6 R3 R1", false, "8 <- 6 3 1", ir.ClassIntMul},
		{"R0|F2F.F32.F64|R2", false, "0 <- 2 3", ir.ClassConvertWide},
		{"R0|F2F.F64.F32|R2", false, "0 1 <- 2", ir.ClassConvertWide},
		{"R0|I2F.F64|R2", false, "0 1 <- 2", ir.ClassConvertWide},
		{"R0|I2F.F64.S64|R2", false, "0 1 <- 2 3", ir.ClassConvertWide},
		{"R0|I2F.U64|R2", false, "0 <- 2 3", ir.ClassConvertWide},
		{"R0|F2I.S64.F64.TRUNC|R2", false, "0 1 <- 2 3", ir.ClassConvertWide},
		{"R0|F2I.TRUNC.NTZ|R2", false, "0 <- 2", ir.ClassConvert},
		{"R0|FRND.F64|R2", false, "0 1 <- 2 3", ir.ClassConvertWide},
		{"R0|MUFU.RCP64H|R3", false, "0 <- 3", ir.ClassSFU},
		{"R2|CS2R|", false, "2 3 <- ", ir.ClassMove},
		{"R2|CS2R.32|", false, "2 <- ", ir.ClassMove},
		{"R0|LDG.E.U8|R4", true, "0 <- [4] [5]", ir.ClassLoad},
		{"R0|LDG.E.64.CONSTANT|R4", true, "0 1 <- [4] [5]", ir.ClassLoad},
		{"R4|LDG.E.128|R4", true, "4 5 6 7 <- [4] [5]", ir.ClassLoad},
		{"R4|LDG|R4", true, "4 <- [4]", ir.ClassLoad},
		{"R4|LDS.128|R2", true, "4 5 6 7 <- [2]", ir.ClassLoad},
		{"R4|LDSM.16.M88.4|R2", true, "4 5 6 7 <- [2]", ir.ClassLoad},
		{"|STG.E.64|R2 R8", true, " <- [2] [3] 8 9", ir.ClassStore},
		{"|STG.E|R2 R255", true, " <- [2] [3]", ir.ClassStore},
		{"|STS|R2 R9", true, " <- [2] 9", ir.ClassStore},
		{"|LDGSTS.E.BYPASS.128|R6 R8", true, " <- [6] 8 9", ir.ClassLoad},
		{"R0|ATOMG.E.CAS|R2 R4 R5", true, "0 <- [2] [3] 4 5", ir.ClassAtomic},
		{"R0|ATOMG.E.ADD.64|R2 R4", true, "0 1 <- [2] [3] 4 5", ir.ClassAtomic},
		{"|RED.E.ADD.F32.FTZ.RN|R2 R4", true, " <- [2] [3] 4", ir.ClassAtomic},
		{"R1|LDC|", false, "1 <- ", ir.ClassMove},
		{"R1|LDC.64|R3", false, "1 2 <- 3", ir.ClassMove},
		{"|ULDC.64|", false, " <- ", ir.ClassUniformMove},
		{"UR4|UIADD3|UR5 URZ", false, " <- ", ir.ClassInt},
		{"R0|HMMA.1688.F32|R4 R6 R8", false, "0 1 2 3 <- 4 5 6 8 9 10 11", ir.ClassMatrix},
		{"R0|HMMA.16816.F32|R4 R8 R12", false, "0 1 2 3 <- 4 5 6 7 8 9 12 13 14 15", ir.ClassMatrixWide},
		{"R0|HMMA.16816.F16|R4 R8 R10", false, "0 1 <- 4 5 6 7 8 9 10 11", ir.ClassMatrixWide},
		{"R0|IMMA.8816.S8.S8|R4 R6 R8", false, "0 1 <- 4 6 8 9", ir.ClassMatrix},
		{"R0|SHFL.DOWN|R4 R255 R255 R255", false, "0 <- 4", ir.ClassShuffle},
		{"|MEMBAR.SC.GPU|", false, " <- ", ir.ClassFence},
		{"|BRA|", false, " <- ", ir.ClassBranch},
		{"|EXIT|", false, " <- ", ir.ClassExit},
		{"R254|LDG.E.64|R254", true, "254 <- [254]", ir.ClassLoad},
	} {
		f := strings.Split(c.line, "|")
		var imms []int64
		if len(f) > 3 {
			imms = []int64{int64(f[3][0] - '0')}
		}
		code := Parse(f[1])
		if !code.Known {
			t.Errorf("%s is not known", f[1])
		}
		in := code.Build(regs(t, f[0]), regs(t, f[2]), c.mem, imms)
		if got := timing(&in); got != c.want || in.T.Class != c.cls {
			t.Errorf("%s: %s, class %s; want %s, class %s", c.line, got, in.T.Class, c.want, c.cls)
		}
		if memory := in.T.Space != ir.SpaceNone; memory != c.mem {
			t.Errorf("%s: space %s", c.line, in.T.Space)
		}
	}
}

func TestUniformRegistersAndPredicatesAreDependences(t *testing.T) {
	for _, c := range []struct {
		line                     string
		mem                      bool
		src, dst                 uint64
		srcPreds, dstPreds, nsrc int
	}{
		{"UR4|UIADD3|UR5 URZ", false, 1 << 5, 1 << 4, 0, 0, 0},
		{"UR4|UIMAD.WIDE|UR5 UR6 UR8", false, 1<<5 | 1<<6 | 3<<8, 3 << 4, 0, 0, 0},
		{"UP1|UISETP.GE.AND|UR5 UR6 UP0", false, 1<<5 | 1<<6, 0, 1 << 8, 1 << 9, 0},
		{"R3|IADD3|R2 UR62 R7", false, 1 << 62, 0, 0, 0, 2},
		{"R3|LDG.E|UR2", true, 3 << 2, 0, 0, 0, 0},
	} {
		f := strings.Split(c.line, "|")
		code := Parse(f[1])
		in := code.Build(regs(t, f[0]), regs(t, f[2]), c.mem, nil)
		x := &in.T
		if x.SrcUniform != c.src || x.DstUniform != c.dst || int(x.SrcPreds) != c.srcPreds ||
			int(x.DstPreds) != c.dstPreds || int(x.NSrc) != c.nsrc {
			t.Errorf("%s: reads %#x, writes %#x, predicates %#x and %#x, %d registers; want %+v", c.line, x.SrcUniform,
				x.DstUniform, x.SrcPreds, x.DstPreds, x.NSrc, c)
		}
	}
}

func TestMemoryInstructionsHaveTheirSpaceAndWidth(t *testing.T) {
	for name, want := range map[string]struct {
		space ir.Space
		bytes uint8
	}{
		"LDG.E": {ir.Global, 4}, "LDG.E.S16": {ir.Global, 2}, "LD.E.64": {ir.Generic, 8}, "LDS.U.128": {ir.Shared, 16},
		"LDL.LU": {ir.Local, 4},
		"STL.64": {ir.Local, 8}, "STG.E.U8": {ir.Global, 1}, "ATOMS.ADD": {ir.Shared, 4},
		"ATOM.E.EXCH": {ir.Generic, 4}, "LDSM.16.MT88.2": {ir.Shared, 16},
	} {
		c := Parse(name)
		in := c.Build(nil, []Reg{{Kind: General, N: 2}, {Kind: General, N: 4}}, true, nil)
		if in.T.Space != want.space || in.T.Bytes != want.bytes {
			t.Errorf("%s: %s, %d bytes", name, in.T.Space, in.T.Bytes)
		}
	}
}

func TestRegisterNames(t *testing.T) {
	for name, want := range map[string]Reg{"R0": {Kind: General, N: 0}, "R254": {Kind: General, N: 254},
		"R255": {Kind: Zero},
		"RZ":   {Kind: Zero}, "URZ": {Kind: Zero},
		"UR62": {Kind: Uniform, N: 62}, "P3": {Kind: Predicate, N: 3}, "PT": {Kind: Zero}, "P7": {Kind: Zero},
		"UP2": {Kind: UniformPredicate, N: 2}, "UR63": {Kind: Zero}} {
		if got, ok := ParseReg([]byte(name)); !ok || got != want {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "R", "R256", "R-1", "X1", "P8", "1", "R1.64", "U", "UR",
		"UR64", "UR100", "UR254", "UP8"} {
		if r, ok := ParseReg([]byte(name)); ok {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestOpcodesOfEveryGenerationAreKnown(t *testing.T) {
	for _, name := range strings.Fields("ISCADD IMUL.HI BFE.U32 LDU TEXDEPBAR SSY PBK BRK.CONT XMAD.PSL LOP3.LUT " +
		"LEA.HI BSSY BSYNC WARPSYNC VOTEU.ANY REDUX.SUM LDGDEPBAR UTMALDG.2D HGMMA.64x256x16.F32 VIADDMNMX") {
		if c := Parse(name); !c.Known {
			t.Errorf("%s is not known", name)
		}
	}
	if c := Parse("FROB.X"); c.Known {
		t.Error("FROB.X is known")
	}
}

// A CTA has at most 1024 threads. A larger number, or part of a warp, is not the barrier's thread count, so the
// barrier waits for the whole CTA.
func TestABarrierTakesNoCountThatNoCTACanHave(t *testing.T) {
	for _, c := range []struct {
		imms    []int64
		id      uint8
		threads int // 0: none
	}{
		{[]int64{3, 96}, 3, 96}, {[]int64{3, 1024}, 3, 1024}, {[]int64{3, 1056}, 3, 0}, {[]int64{3, 1<<21 + 32}, 3, 0},
		{[]int64{3, 100}, 3, 0}, {[]int64{64}, 3, 64}, {[]int64{1 << 22}, 0, 0},
	} {
		code := Parse("BAR.ARV")
		in := code.Build(nil, nil, false, c.imms)
		threads := 0
		if len(in.Src) > 1 {
			threads = int(in.Src[1].Imm)
		}
		if in.T.BarID != c.id || threads != c.threads {
			t.Errorf("BAR.ARV %d: barrier %d of %d threads, want %d of %d", c.imms, in.T.BarID, threads, c.id,
				c.threads)
		}
	}
}

func TestAnXBetweenNumbersBelongsToAnOpcode(t *testing.T) {
	for name, want := range map[string]bool{"ATOM.E.ADD.F16x2.RN": true, "HGMMA.64x256x16.F32": true, "x": false,
		"FADDx": false, "F16y2": false} {
		if got := Valid(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
