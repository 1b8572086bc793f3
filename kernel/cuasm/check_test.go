package cuasm

import (
	"strings"
	"testing"
)

func TestWhatIsNoInstructionIsRefusedWithItsPlaceAndTheRemedy(t *testing.T) {
	for text, want := range map[string]string{
		"FROBX R1;": `1: found "FROBX", expected an opcode of NVIDIA's GPUs, such as FFMA; did you mean `,
		"Q7 R1;":    `1: found "Q7", expected an opcode of NVIDIA's GPUs, such as FFMA`,
		"\nFFMMA R1, R2, R3, R4;": `2:1: found "FFMMA", expected an opcode of NVIDIA's GPUs, such as FFMA; ` +
			`did you mean FFMA?`,
		"FADD R256, R2, R3;": `1:6: found "R256", expected R0 to R254, RZ, UR0 to UR62, URZ, P0 to P6, PT, ` +
			`UP0 to UP6 or UPT`,
		"LDS R1, [R256+0x4];": `1:10: found "R256", expected R0 to R254, RZ`,
		"FFMA;":               `1:5: found the end of the instruction, expected a register to write as operand 1 of FFMA`,
		"FFMA R1, R2, R3;": `1:16: found the end of the instruction, expected a register, a constant or a number ` +
			`as operand 4 of FFMA`,
		"FADD R1, R2, R3, R4;":                 `1:18: found "R4", expected the end of the instruction: FADD has no operand 4`,
		"FADD R1, P0, R3;":                     `1:10: found "P0", expected a register as operand 2 of FADD`,
		"LDG.E R1, R2;":                        `1:11: found "R2", expected an address, such as [R2] as operand 2 of LDG`,
		"LDG.E.256 R8, [R2];":                  `1:6: found the suffix ".256", expected one of LDG: .E .8 .U8`,
		"FADD.FTX R1, R2, R3;":                 `1:5: found the suffix ".FTX", expected one of FADD; did you mean .FTZ?`,
		"EXIT.Q;":                              `1:5: found the suffix ".Q", expected one of EXIT: .KEEPREFCOUNT .PREEMPTED .NO_ATEXIT`,
		"LDG.E.64.128 R4, [R2.64];":            `1:9: found the suffix ".128", expected none of the kind of .64 a second time`,
		"LDG.E.U8.128 R4, [R2.64];":            `1:9: found the suffix ".128", expected none of the kind of .U8`,
		"FSETP.GT.LT.AND P0, PT, R1, R2, PT;":  `1:9: found the suffix ".LT", expected none of the kind of .GT`,
		"S2R R1, SR_FOO;":                      `1:9: found "SR_FOO", expected a special register, such as SR_TID.X as operand 2`,
		"LOP3.LUT R1, R2, R3, R4, 0x1ff, !PT;": `1:26: found "0x1ff", expected nothing, or a number from 0x0 to 0xff, or a predicate as operand 5 of LOP3`,
		"ISCADD R1, R2, R3, 0x20;":             `1:20: found "0x20", expected a number from 0x0 to 0x1f`,
		"BMOV.32 R1, B99;":                     `1:13: found "B99", expected a register, a convergence barrier (B0 to B15)`,
		"BSYNC B16;":                           `1:7: found "B16", expected a convergence barrier, B0 to B15`,
		"TEX R0, R2, R4, 0x1, 9D, 0xf;":        `1:22: found "9D", expected `,
		"FADD R1.H0, R2, R3;":                  `1:6: found "R1.H0", expected a register to write as operand 1 of FADD`,
		"FADD R1.reuse, R2, R3;":               `1:6: found "R1.reuse", expected a register to write as operand 1 of FADD`,
		"UIADD3 UR1.reuse, UR2, UR3, URZ;":     `1:8: found "UR1.reuse", expected a uniform register to write`,
		"FADD R1, --R2, R3;":                   `1:11: found "-", expected an operand, which has each of - ! ~ | + once at most before it`,
		"FADD R1, !R2, R3;":                    `1:10: found "!R2", expected ! before predicates alone; - or ~ before others`,
		"SEL R1, R2, R3, -P0;":                 `1:17: found "-P0", expected ! alone before a predicate`,
		"FADD R1, |R2, R3;":                    `1:10: found "|R2", expected | on both sides of an operand`,
		"FADD R1, R2, 0x4g;":                   `1:14: found "0x4g", expected a register, a constant or a number as operand 3 of FADD`,
		"FADD R1, R2.resue, R3;": `1:12: found the suffix ".resue", expected one of a register; ` +
			`did you mean .reuse?`,
		"LDS R1, [];":                   `1:10: found "]", expected an address or a number before it`,
		"DADD R254, R2, R4;":            `1:6: found "R254", expected R0 to R252 as the first of 2 of DADD`,
		"LDG.E.128 R252, [R2.64];":      `1:11: found "R252", expected R0 to R248 as the first of 4 of LDG.E.128`,
		"LDG.E R4, [R254.64];":          `1:12: found "R254.64", expected R0 to R252 as the first of 2 of LDG.E`,
		"FADD R1, R2, 0xfffffffff;":     `1:14: found "0xfffffffff", expected a number of 32 bits`,
		"IADD3 R1, R2, 4294967296, R3;": `1:15: found "4294967296", expected a number of 32 bits`,
		"FADD R1, R2, c[0x20][0x160];":  `1:16: found "0x20", expected a constant bank, 0x0 to 0x1f`,
		"FADD R1, R2, c[0x0][0x161];": `1:21: found "0x161", expected a multiple of 4 from 0x0 to 0xfffc in a ` +
			`constant bank`,
		"FADD R1, R2, c[0x0][0x1ffff];": `1:21: found "0x1ffff", expected a multiple of 4 from 0x0 to 0xfffc`,
		"FADD R1, R2, c[0x0][-4];":      `1:22: found "4", expected a multiple of 4 from 0x0 to 0xfffc`,
		"@RZ NOP;":                      `1:2: found "RZ", expected a predicate, P0 to P6, PT, UP0 to UP6 or UPT`,
		"DFMA R2, R4, R7, R8;": `1:14: found "R7", expected a register with a multiple of 2 as its number, ` +
			`the first of 2 of DFMA`,
		"L:\nNOP;\n L:\n":      `3:2: found the label "L" a second time, expected another name: it stands in line 1 too`,
		"L:\n@P0 BRA `(.LL);":  `2:9: found a branch to ".LL", expected a label of the file`,
		"SSY NOWHERE;\nSYNC;":  `1:5: found a branch to "NOWHERE", expected a label of the file`,
		"BSSY B0, `(NOWHERE);": `1:10: found a branch to "NOWHERE", expected a label of the file`,
	} {
		if _, err := Read("x.sass", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestFormsOfRealCodeAreRead(t *testing.T) {
	for _, text := range []string{"STG.E [out], offset;", "CS2R clock1, SR_CLOCKLO;", "CS2R R3, SR_CLOCKLO;",
		"LEA clocks0.CC, offset, param_clocks[0], 2;", "XMAD.PSL.CBCC R112, R1.H1, R5.H1, R112;", "JCAL `(name);",
		"CAL `(.L_2);", "PRET `(name);", "BRK;", "SYNC;", "LDS R1, [R10+-0x4];", "STS.128 [R80+0x1000], RZ;",
		"FADD R1, R255, R2;", "IADD3 R3, R1, R2;", "ISETP.EQ P0, R1, R2;", "LOP R1, R2, R60;", "STG [R2], R60;",
		"LDG R2, [R2];", "IADD R0.CC, R1, R2;", "IADD.X R1, RZ, c[0x0][0x4];", "MOV R20, 32@lo((a + .b@srel)) ;",
		"DADD R22, -RZ, |c[0x0][0x190]| ;", "HADD2 R0, -RZ.H0_H0, |c[0x0] [0x16c].H0_H0| ;", "BRXU UR28 -0x44f0 ;",
		"ATOM.E.ADD.F16x2.RN R0, [R2], R4;", "LDG.E R0, desc[UR4][R2.64];", "FADD R1, R2, -INF ;", "BRA 0x110;",
		"BRA.U UP0, 0x110;",
		"CALL.REL.NOINC `($fun$sqrt) ;", "RET.REL.NODEC R4 `(fun);", "TEX R0, R2, R4, 0x1, 2D, 0xf;",
		"VOTE.ANY R6, PT, P0;", "LEA.HI.X.SX32 R5, R0, c[0x0][0x164], 0x1, P0;"} {
		if _, err := Read("x.sass", []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A disassembler may know instructions unknown to this project.
func TestAListingCanHaveInstructionsThatAreNotInTheGrammar(t *testing.T) {
	for _, text := range []string{"FROBX R1, R2;", "FADD R1, R2, R3, R4;", "LDG.E.256 R9, [R3];", "BRA `(.L_9);"} {
		if _, err := ReadListing("x.sass", []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
