package rules

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Compare completes ISETP, FSETP and DSETP.
func Compare(b *Builder) error {
	in := b.In
	if in.Mods.Cmp == ir.CmpNone || in.Mods.Bool == ir.BoolNone {
		return errors.New("a comparison without its kind or its combination, expected one as .GE.AND")
	}
	if b.Has["EX"] {
		in.Op = ir.OpSetpHigh
		if len(in.Src) == 3 { // PT, a comparison of the lower words that is true, is not printed
			in.Src = append(in.Src, ir.Imm(1, 1))
		}
		return nil
	}
	if c := in.Src[2]; in.Mods.Bool == ir.BoolAnd && c.Kind == ir.KindImm && !c.Neg {
		in.Mods.Bool, in.Src = ir.BoolNone, in.Src[:2]
	}
	return nil
}

// Extreme completes IMNMX and FMNMX: the predicate says whether it is the minimum.
func Extreme(b *Builder) error {
	p := b.In.Src[2]
	if p.Kind != ir.KindImm {
		return errors.New("a choice of minimum and maximum known only at execution is not supported")
	}
	if p.Neg {
		b.In.Op = ir.OpMax
	}
	b.In.Src = b.In.Src[:2]
	return nil
}

// Permute completes PRMT, whose selector is the second source.
func Permute(b *Builder) error {
	s := b.In.Src
	s[1], s[2] = s[2], s[1]
	return nil
}

// Scaled completes FMUL. D2 halves the product before it is rounded, the same as halving a factor if that is exact.
func Scaled(b *Builder) error {
	if !b.Has["D2"] {
		return nil
	}
	o := &b.In.Src[1]
	if at := int(o.Imm) - b.literal; o.Kind == ir.KindConst && at >= 0 { // a literal
		*o = ir.Operand{Kind: ir.KindImm, Imm: uint64(binary.LittleEndian.Uint32(b.Fn.Literals[at:])), Words: 1,
			Neg: o.Neg, Abs: o.Abs}
	}
	if exp := o.Imm >> 23 & 0xff; o.Kind != ir.KindImm || exp < 2 || exp == 0xff {
		return errors.New("the suffix .D2 with a factor that is not a normal number is not supported")
	}
	o.Imm -= 1 << 23
	return nil
}

// Multifunction completes MUFU. Subnormal numbers are zeros to it, as in PTX's .approx.ftz. Angles are in turns: ptxas
// multiplies them by 1 / 2 pi before.
func Multifunction(b *Builder) error {
	ops := map[string]ir.Op{"RCP": ir.OpRcp, "RSQ": ir.OpRsqrt, "SQRT": ir.OpSqrt, "SIN": ir.OpSin, "COS": ir.OpCos,
		"EX2": ir.OpEx2, "LG2": ir.OpLg2, "TANH": ir.OpTanh, "RCP64H": ir.OpRcpHigh, "RSQ64H": ir.OpRsqrtHigh}
	if len(b.Has) != 1 {
		return errors.New("expected the name of one function")
	}
	for name := range b.Has {
		b.In.Op = ops[name]
	}
	if b.In.Op == ir.OpRcpHigh || b.In.Op == ir.OpRsqrtHigh {
		b.In.Type, b.In.Mods = ir.U32, ir.Mods{}
		if o := b.From.Operands[1]; o.Kind == listing.Float { // printed as the double whose upper word it is
			v, err := value(o.Text)
			if err != nil {
				return err
			}
			b.In.Src[0].Imm = math.Float64bits(v) >> 32
		}
	}
	b.In.Mods.Turns = b.In.Op == ir.OpSin || b.In.Op == ir.OpCos
	return nil
}

// Compared sets the types of a comparison whose result is a word. The suffix is the type of the compared sources.
func Compared(b *Builder) error {
	in := b.In
	if in.Mods.Cmp == ir.CmpNone {
		return errors.New("a comparison without its kind")
	}
	in.Type = ir.B32
	if b.Has["U32"] {
		in.SrcType = ir.U32
	}
	return nil
}

// Set completes ISET and FSET, whose result is a word: with BF 1.0 for true, otherwise all ones.
func Set(b *Builder) error {
	in := b.In
	if err := Compared(b); err != nil {
		return err
	}
	if in.Mods.Bool == ir.BoolNone {
		return errors.New("a comparison without its combination, expected one as .GE.AND")
	}
	always := in.Mods.Bool == ir.BoolAnd && in.Src[2].Kind == ir.KindImm && !in.Src[2].Neg
	if always {
		in.Mods.Bool, in.Src = ir.BoolNone, in.Src[:2]
	}
	if b.Has["BF"] {
		in.Type = ir.F32
	}
	return nil
}

// Convert completes the conversions. The types are suffixes, in the order of destination and source; those left out
// are F32 and S32. Integers are rounded to unless a suffix says otherwise.
func Convert(b *Builder) error {
	in := b.In
	opcode := b.Opcode()
	types := map[string]ir.Type{"F32": ir.F32, "F64": ir.F64, "F16": ir.F16, "U32": ir.U32,
		"S32": ir.S32, "U64": ir.U64,
		"S64": ir.S64, "U16": ir.U16, "S16": ir.S16, "U8": ir.U8, "S8": ir.S8}
	var floats, ints []ir.Type
	for _, n := range b.Names() {
		if t, ok := types[n]; ok && t.Float() {
			floats = append(floats, t)
		} else if ok {
			ints = append(ints, t)
		}
	}
	one := func(list []ir.Type, missing ir.Type) ir.Type {
		if len(list) == 0 {
			return missing
		}
		return list[0]
	}
	switch f := one(floats, ir.F32); opcode {
	case "F2F":
		if len(floats) != 2 {
			return errors.New("expected two types")
		}
		in.Type, in.SrcType = floats[0], floats[1]
	case "FRND":
		in.Type, in.SrcType = f, f
	case "F2I":
		in.Type, in.SrcType = one(ints, ir.S32), f
	default:
		in.Type, in.SrcType = f, one(ints, ir.S32)
	}
	if opcode == "FRND" || opcode == "F2I" {
		if in.Mods.Round == ir.RoundDefault {
			in.Mods.Round = ir.RNI
		}
	} else if in.Mods.Round == ir.RoundDefault && (in.SrcType.Size() > in.Type.Size() || in.SrcType.Size() == 8 ||
		!in.SrcType.Float()) {
		in.Mods.Round = ir.RN
	}
	letters := map[int]string{1: "ds", 2: "w?"}[in.Type.Words()]
	if in.SrcType.Words() == 2 {
		if err := b.Operands(letters[:1] + "l"); err != nil {
			return err
		}
		if o := &b.In.Src[0]; o.Kind == ir.KindImm && !in.SrcType.Float() { // the upper word of an integer
			o.Imm <<= 32
		}
		return nil
	}
	return b.Operands(letters[:1] + "s")
}

// ConvertInteger completes I2I. The types are suffixes, in the order of destination and source.
func ConvertInteger(b *Builder) error {
	types := map[string]ir.Type{"U32": ir.U32, "S32": ir.S32, "U16": ir.U16, "S16": ir.S16, "U8": ir.U8, "S8": ir.S8}
	var found []ir.Type
	for _, n := range b.Names() {
		if t, ok := types[n]; ok {
			found = append(found, t)
		}
	}
	if len(found) != 2 {
		return fmt.Errorf("%d types, expected two", len(found))
	}
	b.In.Type, b.In.SrcType = found[0], found[1]
	return b.Operands("ds")
}
