package cuasm

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/sass/opcode"
)

// samples are an operand of each kind of the grammar.
var samples = map[byte]string{'D': "R8", 'U': "UR8", 'R': "R12", 'S': "R16", 'P': "P1", 'M': "[R4]",
	'C': "c[0x0][0x160]", 'N': "0x3", 'B': "0xff", 'H': "0x1f", 'L': "0x10", 'X': "CC", 'K': "B15", 'W': "B0",
	'V': "SR_LANEID", 'T': "2D", '?': "R20"}

// written returns an instruction with the operands of a form: the required ones, or all.
func written(name string, f *form, all bool) (operands []string, text string) {
	for _, s := range f.operands {
		if all || !s.absent {
			operands = append(operands, samples[s.kind])
		}
	}
	return operands, name + " " + strings.Join(operands, ", ") + ";"
}

// eachForm calls a function for each line of the grammar, in alphabetical order.
func eachForm(call func(name string, f *form)) {
	for _, name := range slices.Sorted(maps.Keys(grammar())) {
		call(name, grammar()[name])
	}
}

// refused reports an invalid instruction accepted by Read.
func refused(t *testing.T, text string) {
	t.Helper()
	if _, err := Read("x.sass", []byte(text)); err == nil {
		t.Errorf("%s is read, want an error", text)
	}
}

func TestInstructionsOfTheGrammarAreRead(t *testing.T) {
	eachForm(func(name string, f *form) {
		for _, all := range []bool{false, true} {
			_, text := written(name, f, all)
			if _, err := Read("x.sass", []byte(text)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func TestEveryOpcodeThatTracesCanHaveIsKnown(t *testing.T) {
	for _, name := range opcode.Names() {
		if grammar()[name] != nil {
			continue // TestInstructionsOfTheGrammarAreRead
		}
		if _, err := Read("x.sass", []byte(name+";")); err != nil {
			t.Error(err)
		}
	}
}

func TestAnInstructionWithoutOneOfItsOperandsIsRefused(t *testing.T) {
	n := 0
	eachForm(func(name string, f *form) {
		if operands, _ := written(name, f, false); len(operands) > 0 {
			refused(t, name+" "+strings.Join(operands[:len(operands)-1], ", ")+";")
			n++
		}
	})
	if n < 100 {
		t.Errorf("%d instructions, want at least 100", n)
	}
}

func TestAnInstructionWithAnOperandTooManyIsRefused(t *testing.T) {
	eachForm(func(name string, f *form) {
		operands, _ := written(name, f, true)
		refused(t, name+" "+strings.Join(append(operands, "R24"), ", ")+";")
	})
}

func TestAnInstructionWithARegisterThatDoesNotExistIsRefused(t *testing.T) {
	for _, bad := range []string{"R256", "R300", "R999999", "UR64", "UR63", "P7", "P8", "UP7"} {
		eachForm(func(name string, f *form) {
			operands, _ := written(name, f, true)
			for i, o := range operands {
				if o[0] == 'R' || o[0] == 'U' || o[0] == 'P' {
					changed := slices.Clone(operands)
					changed[i] = bad
					refused(t, name+" "+strings.Join(changed, ", ")+";")
				}
			}
		})
	}
}

func TestAMisspeltOpcodeIsRefused(t *testing.T) {
	eachForm(func(name string, f *form) {
		_, text := written(name, f, true)
		for _, bad := range []string{"Q" + text, strings.Replace(text, name, name+"Q", 1)} {
			_, err := Read("x.sass", []byte(bad))
			if err == nil || !strings.Contains(err.Error(), "an opcode of NVIDIA's GPUs") {
				t.Errorf("%s: error %v, want one about the opcode", bad, err)
			}
		}
	})
}

func TestASuffixThatNoInstructionHasIsRefusedWhereAllAreKnown(t *testing.T) {
	eachForm(func(name string, f *form) {
		if _, text := written(name, f, true); !f.open {
			refused(t, strings.Replace(text, name, name+".FTX", 1))
		}
	})
}

func TestOperandsOfSeveralRegistersBeginWhereTheyCan(t *testing.T) {
	for _, c := range []struct{ text, odd string }{
		{"DFMA R2, R4, R6, R8;", "R2 R4 R6 R8"}, {"DADD R2, R4, R6;", "R2 R4 R6"}, {"DMUL R2, R4, R6;", "R2 R4 R6"},
		{"DSETP.GT.AND P0, PT, R4, R6, PT;", "R4 R6"}, {"MUFU.RCP64H R3, R5;", ""},
		{"F2F.F64.F32 R2, R5;", "R2"}, {"F2F.F32.F64 R3, R4;", "R4"}, {"I2F.F64 R2, R5;", "R2"},
		{"F2I.F64.TRUNC R3, R4;", "R4"},
		{"IMAD.WIDE R2, R5, R7, R8;", "R2 R8"}, {"IMAD.WIDE.U32 R2, R5, 0x4, R8;", "R2 R8"},
		{"IMAD R3, R5, R7, R9;", ""},
		{"UIMAD.WIDE UR2, UR5, UR7, UR8;", "UR2 UR8"}, {"MOV.64 R2, R4;", "R2 R4"},
		{"LDG.E.64 R2, [R5+UR4];", "R2 UR4"}, {"LDG.E.64 R6, [R8];", "R6 R8"}, {"LDG.E R7, [R8.64+0x10];", "R8"},
		{"LDG.E R7, desc[UR5][R8.64];", "R8"}, {"LDG R7, [R9];", ""}, {"LDG.E R3, [UR4];", "UR4"},
		{"STG.E.64 [R8], R6;", "R8 R6"}, {"STS.64 [R9], R6;", "R6"}, {"LDS.64 R6, [R9];", "R6"},
		{"LDL.64 R6, [R9];", "R6"},
		{"LDC.64 R6, c[0x0][R9];", "R6"}, {"ULDC.64 UR4, c[0x0][0x160];", "UR4"}, {"RED.E.ADD.64 [R2], R4;", "R2 R4"},
		{"ATOMG.E.CAS R3, [R4], R7, R9;", "R4"}, {"ATOMG.E.EXCH.64 R6, [R4], R8;", "R6 R4 R8"},
		{"LDGSTS.E.64 [R5], [R6];", "R6"}, {"HMMA.16816.F16 R2, R4, R8, R10;", "R2 R4 R8 R10"},
	} {
		if _, err := Read("x.sass", []byte(c.text)); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		for _, r := range strings.Fields(c.odd) {
			last := len(r) - 1
			refused(t, strings.Replace(c.text, r, r[:last]+string(r[last]+1), 1))
		}
	}
}

func TestOperandsOfFourRegistersBeginAtAMultipleOfFour(t *testing.T) {
	for _, c := range []struct{ text, four string }{
		{"LDG.E.128 R4, [R2];", "R4"}, {"STG.E.128 [R2], R4;", "R4"}, {"LDS.U.128 R4, [R3];", "R4"},
		{"STS.128 [R3], R4;", "R4"}, {"STL.128 [R3], R4;", "R4"}, {"LDSM.16.M88.4 R4, [R3];", "R4"},
		{"HMMA.16816.F32 R4, R8, R2, R4;", "R4 R8"}, {"IMMA.16832.S8.S8 R4, R8.ROW, R2.COL, R4;", "R4 R8"},
	} {
		if _, err := Read("x.sass", []byte(c.text)); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		for _, r := range strings.Fields(c.four) {
			for d := byte(1); d < 4 && r[1]+d <= '9'; d++ {
				refused(t, strings.Replace(c.text, r, "R"+string(r[1]+d), 1))
			}
		}
	}
}
