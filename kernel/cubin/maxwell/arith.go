package maxwell

import (
	"errors"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// flags adds what an instruction with a sum reads and writes of the flags. at is where its sources have the carries.
func flags(b *rules.Builder, at int) {
	in := b.In
	for in.Mods.CarryIn && len(in.Src) < at {
		in.Src = append(in.Src, ir.Operand{})
	}
	if in.Mods.CarryIn {
		in.Src = append(in.Src, ir.P(carryFlag))
		if in.Op == ir.OpAdd3 {
			in.Src = append(in.Src, ir.P(secondCarryFlag))
		}
		if in.Op == ir.OpAdd3 && b.SetFlags {
			in.Src = append(in.Src, ir.P(zeroFlag))
		}
	}
	if b.SetFlags {
		in.Mods.CarryOut = true
		in.Dst = append(in.Dst[:1], ir.P(carryFlag), ir.P(secondCarryFlag), ir.P(zeroFlag), ir.P(signFlag))
	}
}

// sum completes IADD and IADD3.
func sum(b *rules.Builder) error {
	in := b.In
	if b.Has["SAT"] {
		return saturated(b)
	}
	if len(in.Src) == 2 {
		in.Src = append(in.Src, ir.Imm(0, 1))
	} else {
		shortImmediate(in)
	}
	switch {
	case b.Has["RS"]:
		in.Mods.Part = ir.Hi
	case b.Has["LS"]:
		in.Mods.Part = ir.Lo
	}
	if in.Mods.Part != ir.PartNone && (b.SetFlags || in.Mods.CarryIn) {
		return errors.New("a shifted sum with carries is not supported")
	}
	flags(b, 3)
	return nil
}

// shortImmediate extends a number of IADD3, whose 20 bits the disassembler prints without regard for the sign, unlike
// those of other instructions.
func shortImmediate(in *ir.Inst) {
	for i := range in.Src {
		if o := &in.Src[i]; o.Kind == ir.KindImm && o.Imm>>19 == 1 {
			o.Imm |= 0xfff00000
		}
	}
}

// scaledSum completes ISCADD.
func scaledSum(b *rules.Builder) error {
	flags(b, 4)
	return nil
}

// lea completes LEA. A shift by 0 is not printed. The predicate says whether the address is one of global memory: its
// lower word is in the register below the destination.
func lea(b *rules.Builder) error {
	ops := b.From.Operands
	var global ir.Operand
	if len(ops) > 0 && ops[0].Kind == listing.Pred {
		p, err := b.Target(&ops[0])
		if err != nil {
			return err
		}
		global, ops = p, ops[1:]
	}
	letters := "dssn"
	if b.Has["HI"] {
		letters = "dsss"
	}
	if len(ops) == len(letters)+1 || letters == "dssn" && len(ops) == 4 {
		letters += "i"
	}
	if err := b.Resolve(letters, ops); err != nil {
		return err
	}
	if letters[len(letters)-1] != 'i' {
		b.In.Src = append(b.In.Src, ir.Imm(0, 1))
	}
	flags(b, 4)
	if global.Kind == ir.KindNone {
		return nil
	}
	lower, err := lowerWord(b)
	if err != nil {
		return err
	}
	for len(b.In.Src) < 6 {
		b.In.Src = append(b.In.Src, ir.Operand{})
	}
	b.In.Src = append(b.In.Src, lower)
	b.In.Mods.CarryOut, b.In.Dst = true, append(b.In.Dst, ir.Operand{}, global)
	return nil
}

// lowerWord returns the lower word of the address that a LEA.HI completes. If the upper one goes nowhere, the lower one
// is the register that a LEA in front shifts by 0 and adds 0 to.
func lowerWord(b *rules.Builder) (ir.Operand, error) {
	d := b.In.Dst[0]
	switch {
	case !b.Has["HI"] || b.SetFlags:
	case d.Kind == ir.KindReg && d.Reg > 0:
		return ir.R(d.Reg-1, 1), nil
	case d.Kind == ir.KindNone && b.In.Src[0].Kind == ir.KindReg:
		for i := b.At - 1; i >= 0; i-- {
			from := &b.Fn.Insts[i]
			if from.Mnemonic != "LEA" || len(from.Operands) == 0 || from.Operands[0].Suffix != "CC" {
				continue
			}
			ops := from.Operands
			if len(ops) == 3 && ops[1].Kind == listing.Reg && ops[1].N == int(b.In.Src[0].Reg) && !ops[1].Neg &&
				ops[2].Kind == listing.Reg && ops[2].N == listing.Zero {
				return b.In.Src[0], nil
			}
			break
		}
	}
	return ir.Operand{}, errors.New("a predicate of a sum that does not complete an address is not supported")
}

// multiplyAdd completes XMAD.
func multiplyAdd(b *rules.Builder) error {
	kinds := map[string]uint64{"MRG": ir.XmadMerges, "PSL": ir.XmadShifts, "CBCC": ir.XmadAddsB, "CLO": ir.XmadLowC,
		"CHI": ir.XmadHighC, "CSFU": ir.XmadSignsC}
	mode, signs := uint64(0), []uint64{ir.XmadSignedA, ir.XmadSignedB}
	for _, n := range b.Names() {
		switch n {
		case "S16", "U16":
			if len(signs) == 0 {
				return errors.New("more than two types")
			}
			if n == "S16" {
				mode |= signs[0]
			}
			signs = signs[1:]
		default:
			mode |= kinds[n]
		}
	}
	if len(signs) == 1 {
		return errors.New("one type, expected one for each factor")
	}
	ops := append([]listing.Operand(nil), b.From.Operands...)
	for i := 1; i < len(ops) && i < 3; i++ {
		if ops[i].Suffix == "H1" {
			mode |= []uint64{ir.XmadHighA, ir.XmadHighB}[i-1]
			ops[i].Suffix = ""
		}
	}
	if err := b.Resolve("dsss", ops); err != nil {
		return err
	}
	if b.SetFlags {
		return errors.New("a product of halves with carries is not supported")
	}
	const all = ir.XmadHighA | ir.XmadHighB | ir.XmadSignedA | ir.XmadSignedB
	if mode&ir.XmadSignsC != 0 && mode != all|ir.XmadSignsC {
		return errors.New("the suffix .CSFU, except with two upper halves that have signs, is not supported")
	}
	b.In.Src = append(b.In.Src, ir.Imm(mode, 1))
	return nil
}

// difference completes VABSDIFF, as ptxas makes it of sad.
func difference(b *rules.Builder) error {
	switch b.From.Mnemonic {
	case "VABSDIFF.SD.ACC", "VABSDIFF.U32.U32.ACC":
		return nil
	case "VABSDIFF.U32.U16.ACC": // a number takes the type U16
		if b.In.Src[1].Kind == ir.KindImm {
			return nil
		}
	}
	return errors.New("expected VABSDIFF.SD.ACC or VABSDIFF.U32.U32.ACC")
}

// clockWord completes CS2R, which reads one word here.
func clockWord(b *rules.Builder) error {
	b.Has["32"] = true
	return rules.Special(b)
}

// multifunction completes MUFU. RRO brings an argument into the form that MUFU takes, with angles in radians before
// it. Here it does nothing, and MUFU takes the argument itself.
func multifunction(b *rules.Builder) error {
	err := rules.Multifunction(b)
	b.In.Mods.Turns = false
	return err
}

// convert completes the conversions. ROUND is to the nearest integer.
func convert(b *rules.Builder) error {
	if b.Opcode() == "I2I" {
		return convertInteger(b)
	}
	if b.Has["ROUND"] {
		b.In.Mods.Round = ir.RNI
	}
	if err := rules.Convert(b); err != nil || !b.SetFlags {
		return err
	}
	return zeroFlags(b)
}

// zeroFlags makes a conversion of the number 0 set the flags, as ptxas does with F2F.F32.F32 RZ.CC, RZ in place of an
// operation on lower words whose result it knows to be 0.
func zeroFlags(b *rules.Builder) error {
	in := b.In
	if o := &in.Src[0]; b.From.Mnemonic != "F2F.F32.F32" || o.Kind != ir.KindImm || o.Imm != 0 || o.Neg {
		return errors.New("flags of a conversion are supported for F2F.F32.F32 of RZ")
	}
	in.Op, in.Type, in.SrcType = ir.OpLop3, ir.B32, ir.TypeNone
	in.Src = []ir.Operand{in.Src[0], ir.Imm(0, 1), ir.Imm(0, 1), ir.Imm(tableA, 1)}
	return tested(b)
}

// convertInteger completes I2I. From 8 bits to 16 with a sign, the upper half of the register is zero: ptxas stores it
// as the word of cvt.u32.u16, and takes the word of cvt.s32.s16 from the source.
func convertInteger(b *rules.Builder) error {
	if err := rules.ConvertInteger(b); err != nil {
		return err
	}
	if b.From.Mnemonic == "I2I.S16.S8" {
		b.In.Type = ir.U16
	}
	if !b.SetFlags {
		return nil
	}
	if m := b.From.Mnemonic; m != "I2I.S32.S32" && m != "I2I.U32.U32" || b.In.Src[0].Abs || b.In.Src[0].Neg {
		return errors.New("flags of a conversion that changes a number are not supported")
	}
	b.In.Op, b.In.Type, b.In.SrcType = ir.OpAdd3, ir.U32, ir.TypeNone
	b.In.Src = append(b.In.Src, ir.Imm(0, 1), ir.Imm(0, 1))
	flags(b, 3)
	return nil
}

// saturated makes a sum of two signed numbers saturate at the ends of their range.
func saturated(b *rules.Builder) error {
	in := b.In
	if len(in.Src) != 2 || b.SetFlags || in.Mods.CarryIn || in.Src[0].Neg && in.Src[1].Neg {
		return errors.New("the suffix .SAT is supported with two sources, one negated at most, and without carries")
	}
	in.Op, in.Type = ir.OpAdd, ir.S32
	if in.Src[0].Neg {
		in.Src[0], in.Src[1] = in.Src[1], in.Src[0]
	}
	if in.Src[1].Neg {
		in.Op, in.Src[1].Neg = ir.OpSub, false
	}
	return nil
}
