package volta

import (
	"errors"

	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// multiplyAdd completes IMAD. Its suffixes MOV, SHL and IADD only say what it is used for. HI adds the whole third
// source of 64 bits to the product before it takes the upper word.
func multiplyAdd(b *rules.Builder) error {
	switch ops := b.From.Operands; {
	case b.In.Mods.Part == ir.Wide && !b.In.Mods.CarryIn && len(ops) == 4:
		return b.Operands("wssl")
	case b.In.Mods.Part == ir.Wide:
		b.In.Op = ir.OpImad
		return b.Operands("wosslc")
	case b.In.Mods.Part == ir.Hi:
		b.In.Op = ir.OpImad
		return b.Operands("dosslc")
	case b.In.Mods.CarryIn:
		b.In.Op = ir.OpImad
	}
	return b.Operands("dsssc")
}

// lea completes LEA. SX32 takes the place of the upper word.
func lea(b *rules.Builder) error {
	switch {
	case b.Has["SX32"] && !b.Has["HI"]:
		return errors.New("the suffix .SX32 without .HI is not supported")
	case b.Has["HI"] && !b.Has["SX32"]:
		return b.Operands("dosssic")
	}
	return b.Operands("dossnic")
}

// logic completes LOP3: the predicate, printed first, goes behind the register.
func logic(b *rules.Builder) error {
	in := b.In
	in.Mods.CarryOut = false
	if test := in.Dst[0]; test.Kind != ir.KindNone {
		in.Dst = []ir.Operand{in.Dst[1], test}
		return nil
	}
	in.Dst, in.Src = in.Dst[1:], in.Src[:4]
	return nil
}

// shift completes SHF. Most are shifts of one word.
func shift(b *rules.Builder) error {
	in := b.In
	if b.Has["L"] == b.Has["R"] {
		return errors.New("a shift without a direction, expected .L or .R")
	}
	zero := func(i int) bool { return in.Src[i].Kind == ir.KindImm && in.Src[i].Imm == 0 && !in.Src[i].Neg }
	one := in.Type.Size() == 4 && !in.Mods.Wrap
	switch {
	case one && in.Mods.Left && in.Mods.Part != ir.Hi:
		in.Op, in.Type, in.Src = ir.OpShl, ir.B32, in.Src[:2]
	case one && !in.Mods.Left && in.Mods.Part == ir.Hi && zero(0):
		in.Op, in.Src = ir.OpShr, []ir.Operand{in.Src[2], in.Src[1]}
	default:
		return nil
	}
	in.Mods.Left, in.Mods.Part = false, ir.PartNone
	return nil
}
