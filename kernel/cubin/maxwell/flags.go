package maxwell

import (
	"errors"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Flags that are saved in a register: P2R R25, CC, RZ, 0xf and R2P CC, R25, 0xf. ptxas saves all four and puts them
// back without looking at the register in between, so any order of their bits will do.

// packPreds completes P2R, of predicates or of the flags.
func packPreds(b *rules.Builder) error {
	ops := b.From.Operands
	if len(ops) != 4 || ops[1].Text != "CC" {
		return rules.PackPreds(b)
	}
	if o := ops[2]; o.Kind != listing.Reg || o.N != listing.Zero || !allFlags(&ops[3]) {
		return errors.New("expected a register, CC, RZ and 0xf")
	}
	d, err := b.Register(&ops[0], 1)
	b.In.Dst = []ir.Operand{d}
	b.In.Src = []ir.Operand{ir.Imm(0, 1), ir.Imm(0xf, 1), ir.P(carryFlag), ir.P(secondCarryFlag), ir.P(zeroFlag),
		ir.P(signFlag)}
	return err
}

// unpackPreds completes R2P, of predicates or of the flags.
func unpackPreds(b *rules.Builder) error {
	ops := b.From.Operands
	if len(ops) != 3 || ops[0].Text != "CC" {
		return rules.UnpackPreds(b)
	}
	if o := ops[1]; o.Kind != listing.Reg || !allFlags(&ops[2]) {
		return errors.New("expected CC, a register and 0xf")
	}
	s, err := b.Source(&ops[1], 1)
	b.SetFlags = true
	b.In.Src = []ir.Operand{s, ir.Imm(0, 1)}
	b.In.Dst = []ir.Operand{ir.P(carryFlag), ir.P(secondCarryFlag), ir.P(zeroFlag), ir.P(signFlag)}
	return err
}

func allFlags(o *listing.Operand) bool { return o.Kind == listing.Int && o.Value == 0xf }
