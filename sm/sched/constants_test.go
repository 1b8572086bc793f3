package sched

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/sm/program"
)

func TestTheConstantOfAnInstructionIsThatOfItsFirstOperandInTheBank(t *testing.T) {
	imm, reg := ir.Imm(3, 1), ir.R(4, 1)
	for _, c := range []struct {
		src  []ir.Operand
		at   uint64
		some bool
	}{
		{[]ir.Operand{reg, imm}, 0, false},
		{[]ir.Operand{reg, {Kind: ir.KindParam, Imm: 8}}, 0x168, true},
		{[]ir.Operand{{Kind: ir.KindConst, Imm: 3<<16 | 64}, {Kind: ir.KindParam}}, 1<<32 | 3<<16 | 64, true},
		{[]ir.Operand{{Kind: ir.KindSpecial, Special: ir.NtidX}}, 4 * uint64(ir.NtidX), true},
		{[]ir.Operand{{Kind: ir.KindSpecial, Special: ir.TidX}}, 0, false},
	} {
		at, some := program.ConstantOf(&ir.Inst{Src: c.src})
		if at != c.at || some != c.some {
			t.Errorf("%v: %#x %v, want %#x %v", c.src, at, some, c.at, c.some)
		}
	}
}

func TestCachesOfConstantsAreWithinTheirBounds(t *testing.T) {
	for want, change := range map[string]func(*ConstantSpec){
		"lines: found 9":      func(s *ConstantSpec) { s.Lines = 9 },
		"line_bytes: found 3": func(s *ConstantSpec) { s.Line = 3 },
		"latency: found 0":    func(s *ConstantSpec) { s.Latency = 0 },
		"hold: found 80":      func(s *ConstantSpec) { s.Hold = 80 },
	} {
		s := ConstantSpec{Lines: 8, Ways: 2, Line: 64, Latency: 79, Hold: 4}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that begins with %q", err, want)
		}
	}
}
