package volta

import (
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/cubin/rules/formtest"
	"kumiko/kernel/ir"
)

// function returns a listing with the function k of the given instructions, and of sm_75.
func function(insts ...string) string { return formtest.Listing(75, insts...) }

// kernel makes the kernel k.
func kernel(text string) (*ir.Kernel, error) { return formtest.Kernel(Family, text) }

// testdata/forms.txt has every form of the built-in programs for sm_70, 75, 80 and 86, as ptxas 11.8 makes them, and a
// few more, each with its meaning.
func TestEveryFormHasItsMeaning(t *testing.T) {
	formtest.Check(t, Family, 75, "testdata/forms.txt", 200)
}

// testdata/hopper.txt has those that are new in sm_90.
func TestEveryFormOfHopperHasItsMeaning(t *testing.T) {
	formtest.Check(t, Family, 90, "testdata/hopper.txt", 20)
}

func TestWhatIsNotUnderstoodIsRefusedByLineAndForm(t *testing.T) {
	formtest.Refused(t, Family, 75, [][2]string{
		{"HMMA.1688.F32 R4, R8, R10, R4", "k.sass:23: HMMA.1688.F32: the opcode is not supported"},
		{"IADD3.RZ R4, R8, R10, R4", "the suffix .RZ is not supported"},
		{"MUFU.RCP32H R4, R8", "the suffix .RCP32H is not supported"},
		{"IADD3 R4, R8, R10", "3 operands, expected more"},
		{"FADD R4, R8, R10, R4", "4 operands, expected 3"},
		{"FADD R4, R8.H0_H0, R10", "suffix .H0_H0"},
		{"FADD R4, R8, 0x10", "an integer where a number of floating point is expected"},
		{"IADD3 R4, R8, 1.5, RZ", "the number 1.5 where an integer is expected"},
		{"IADD3 R4, ~R8, R9, RZ", "a complemented source without a carry"},
		{"MOV R100, R1", "register R100 of a function with 100"},
		{"DADD R98, R2, R99", "register R100 of a function with 100"},
		{"UIADD3 R4, UR8, UR10, URZ", "a destination that is not a register of the instruction's file"},
		{"MOV UR4, R1", "a destination that is not a register of the instruction's file"},
		{"UMOV UR5, c[0x0][0x40]", "the driver's constant c[0x0][0x40] is not known"},
		{"MOV R4, c[0x3][0x20]", "the constant c[0x3][0x20] is not known"},
		{"MOV R4, c[0x4][0x0]", "the constant c[0x4][0x0] is not known"},
		{"FMNMX R1, R2, R3, P0", "a choice of minimum and maximum known only at execution"},
		{"BRA `(.L_9)", "the label .L_9 is not in the function"},
		{"BMOV.32.CLEAR B0, R1", "neither operand is a barrier that it can move"},
		{"BMOV.64 R0, B0", "the suffix .64 is not supported"},
		{"VOTEU.EQ UP0, PT", "the suffix .EQ is not supported"},
		{"DSETP.MIN.OR P0, P1, R2, R4, PT", "a choice of a number is supported as .MIN.AND"},
		{"CALL.ABS.NOINC `($callee)", "the suffix .ABS is not supported"},
		{"RET.REL.NODEC R4 `(other)", "expected RET.REL.NODEC, a register and the function"},
		{"LDG.SYS R4, [R2]", "a global address without 64 bits"},
		{"LDS R4, [R2.64]", "an address of 64 bits in a space with 32"},
		{"S2R R4, SR_SMEMSZ", "the special register SR_SMEMSZ is not supported"},
		{"ISETP.AND P0, PT, R1, R2, PT", "a comparison without its kind"},
		{"SHF.U32 R1, R2, R3, R4", "a shift without a direction"},
		{"TEX.SCR.LL R8, R6, R4, R7, 0x0, 0x58, CUBE", "the geometry CUBE is not supported"},
		{"F2IP.U8.F32.NTZ R0, R1, R2, RZ", "expected F2IP.U8.F32 with RZ"},
		{"HMUL2 R0, R1.B1, R2", "suffix .B1"},
		{"QSPC.E.S P0, R1, [R2]", "a space in a register"},
		{"R2UR P0, UR4, R2", "both a predicate and a register"},
		{"ENDCOLLECTIVE", "a WARPSYNC.COLLECTIVE in front"},
		{"IDP.2A.U16.U8 R1, R2, R3, R4", "expected IDP.4A, IDP.2A.LO"},
		{"ATOMG.E.ADD.STRONG.GPU P1, R3, [R6.64], R5", "an atomic operation with a predicate"},
		{"HFMA2.MMA R0, R1, R2, 0.1, 1", "the number 0.1 is not one of half precision"},
	})
}

func TestAKernelHasWhatItsListingSays(t *testing.T) {
	k, err := kernel(function("MOV R1, c[0x0][0x28]", "UMOV UR7, 0x1", "CALL.REL.NOINC `($callee)",
		"RET.REL.NODEC R4 `(k)", "MOV R3, c[0x3][0x4]", "EXIT"))
	if err != nil {
		t.Fatal(err)
	}
	if k.Footprint != 100 || k.NumRegs != 100 || k.LocalBytes != 48 || !k.Converges || !k.Allocated {
		t.Errorf("footprint %d, registers %d, local %d, converges %t, allocated %t; want 100, 100 without UR7, 48, "+
			"true, true", k.Footprint, k.NumRegs, k.LocalBytes, k.Converges, k.Allocated)
	}
	if len(k.Bank) != 2 || k.Bank[0].From != 64 || k.Bank[0].Size != 32 || k.Bank[1].Offset != 32 ||
		k.ConstBytes != 48 {
		t.Errorf("bank %+v of %d bytes, want the table from 64 on and 16 bytes of literals behind", k.Bank,
			k.ConstBytes)
	}
	if ts := k.Insts[3].Targets; len(ts) != 1 || ts[0] != 3 {
		t.Errorf("targets %v, want the instruction behind the call", ts)
	}
}

func TestCodeOfOtherFamiliesIsRefused(t *testing.T) {
	for _, arch := range []string{"SM100", "SM120"} {
		_, err := kernel(strings.Replace(function("EXIT"), "SM75", arch, 1))
		if err == nil || !strings.Contains(err.Error(), "expected sm_70") {
			t.Errorf("%s: %v, want a refusal", arch, err)
		}
	}
}

func TestMachineCodeIsNoInputOfTheCompiler(t *testing.T) {
	k, err := kernel(function("EXIT"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = compiler.Compile(k, compiler.Options{})
	if err == nil || !strings.Contains(err.Error(), "found machine code") {
		t.Errorf("%v, want a refusal", err)
	}
}

func FuzzKernel(f *testing.F) {
	f.Add("IADD3 R8, P1, R0, c[0x0][0x178], RZ")
	f.Add("@!P1 LDG.E.128.CONSTANT R4, [R2.64+UR4+0x10]")
	f.Add("TEX.SCR.LL R10, R2, R10, R15, 0x0, 0x58, 2D, 0x7")
	f.Fuzz(func(t *testing.T, inst string) {
		k, err := kernel(function(inst))
		if err == nil && len(k.Insts) == 0 {
			t.Error("a kernel without an instruction")
		}
	})
}
