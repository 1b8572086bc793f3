package volta

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// multiplyAdd completes IMAD. Its suffixes MOV, SHL and IADD only say what it is used for. HI adds the whole third
// source of 64 bits to the product before it takes the upper word.
func multiplyAdd(b *builder) error {
	switch ops := b.from.Operands; {
	case b.in.Mods.Part == ir.Wide && !b.in.Mods.CarryIn && len(ops) == 4:
		return b.operands("wssl")
	case b.in.Mods.Part == ir.Wide:
		b.in.Op = ir.OpImad
		return b.operands("wosslc")
	case b.in.Mods.Part == ir.Hi:
		b.in.Op = ir.OpImad
		return b.operands("dosslc")
	case b.in.Mods.CarryIn:
		b.in.Op = ir.OpImad
	}
	return b.operands("dsssc")
}

// lea completes LEA. SX32 takes the place of the upper word.
func lea(b *builder) error {
	switch {
	case b.has["SX32"] && !b.has["HI"]:
		return errors.New("the suffix .SX32 without .HI is not supported")
	case b.has["HI"] && !b.has["SX32"]:
		return b.operands("dosssic")
	}
	return b.operands("dossnic")
}

// compare completes ISETP, FSETP and DSETP.
func compare(b *builder) error {
	in := b.in
	if in.Mods.Cmp == ir.CmpNone || in.Mods.Bool == ir.BoolNone {
		return errors.New("a comparison without its kind or its combination, expected one as .GE.AND")
	}
	if b.has["EX"] {
		in.Op = ir.OpSetpHigh
		return nil
	}
	if c := in.Src[2]; in.Mods.Bool == ir.BoolAnd && c.Kind == ir.KindImm && !c.Neg {
		in.Mods.Bool, in.Src = ir.BoolNone, in.Src[:2]
	}
	return nil
}

// extreme completes IMNMX and FMNMX: the predicate says whether it is the minimum.
func extreme(b *builder) error {
	p := b.in.Src[2]
	if p.Kind != ir.KindImm {
		return errors.New("a choice of minimum and maximum known only at execution is not supported")
	}
	if p.Neg {
		b.in.Op = ir.OpMax
	}
	b.in.Src = b.in.Src[:2]
	return nil
}

// logic completes LOP3: the predicate, printed first, goes behind the register.
func logic(b *builder) error {
	in := b.in
	in.Mods.CarryOut = false
	if test := in.Dst[0]; test.Kind != ir.KindNone {
		in.Dst = []ir.Operand{in.Dst[1], test}
		return nil
	}
	in.Dst, in.Src = in.Dst[1:], in.Src[:4]
	return nil
}

// shift completes SHF. Most are shifts of one word.
func shift(b *builder) error {
	in := b.in
	if b.has["L"] == b.has["R"] {
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

// permute completes PRMT, whose selector is the second source.
func permute(b *builder) error {
	s := b.in.Src
	s[1], s[2] = s[2], s[1]
	return nil
}

// scaled completes FMUL. D2 halves the product before it is rounded, the same as halving a factor if that is exact.
func scaled(b *builder) error {
	if !b.has["D2"] {
		return nil
	}
	o := &b.in.Src[1]
	if exp := o.Imm >> 23 & 0xff; o.Kind != ir.KindImm || exp < 2 || exp == 0xff {
		return errors.New("the suffix .D2 with a factor that is not a normal number is not supported")
	}
	o.Imm -= 1 << 23
	return nil
}

// multifunction completes MUFU. Subnormal numbers are zeros to it, as in PTX's .approx.ftz. Angles are in turns: ptxas
// multiplies them by 1 / 2 pi before.
func multifunction(b *builder) error {
	ops := map[string]ir.Op{"RCP": ir.OpRcp, "RSQ": ir.OpRsqrt, "SQRT": ir.OpSqrt, "SIN": ir.OpSin, "COS": ir.OpCos,
		"EX2": ir.OpEx2, "LG2": ir.OpLg2, "TANH": ir.OpTanh, "RCP64H": ir.OpRcpHigh, "RSQ64H": ir.OpRsqrtHigh}
	if len(b.has) != 1 {
		return errors.New("expected the name of one function")
	}
	for name := range b.has {
		b.in.Op = ops[name]
	}
	if b.in.Op == ir.OpRcpHigh || b.in.Op == ir.OpRsqrtHigh {
		b.in.Type, b.in.Mods = ir.U32, ir.Mods{}
	}
	b.in.Mods.Turns = b.in.Op == ir.OpSin || b.in.Op == ir.OpCos
	return nil
}

// convert completes the conversions. The types are suffixes, in the order of destination and source; those left out
// are F32 and S32. Integers are rounded to unless a suffix says otherwise.
func convert(b *builder) error {
	in := b.in
	opcode := b.opcode()
	types := map[string]ir.Type{"F32": ir.F32, "F64": ir.F64, "U32": ir.U32, "S32": ir.S32, "U64": ir.U64,
		"S64": ir.S64, "U16": ir.U16, "S16": ir.S16, "U8": ir.U8, "S8": ir.S8}
	var floats, ints []ir.Type
	for _, n := range b.names() {
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
	} else if in.Mods.Round == ir.RoundDefault && (in.SrcType.Size() == 8 || !in.SrcType.Float()) {
		in.Mods.Round = ir.RN
	}
	letters := map[int]string{1: "ds", 2: "w?"}[in.Type.Words()]
	if in.SrcType.Words() == 2 {
		return b.operands(letters[:1] + "l")
	}
	return b.operands(letters[:1] + "s")
}

// special completes S2R, S2UR and CS2R.
func special(b *builder) error {
	ops := b.from.Operands
	if len(ops) != 2 || ops[1].Kind != listing.Word {
		return errors.New("expected a register and a special register")
	}
	words := 1
	if b.opcode() == "CS2R" && !b.has["32"] {
		words = 2
	} else {
		b.in.Type = ir.B32
	}
	d, err := b.register(&ops[0], words)
	if err != nil {
		return err
	}
	b.in.Dst = []ir.Operand{d}
	name := ops[1].Text
	if name == "SRZ" {
		b.in.Src = []ir.Operand{ir.Imm(0, words)}
		return nil
	}
	s, ok := specials[name]
	if !ok || words == 2 && s != ir.Clock64 || words == 1 && s == ir.Clock64 {
		return fmt.Errorf("the special register %s is not supported", name)
	}
	b.in.Src = []ir.Operand{{Kind: ir.KindSpecial, Special: s, Words: uint8(words)}}
	return nil
}

var specials = map[string]ir.Special{"SR_TID.X": ir.TidX, "SR_TID.Y": ir.TidY, "SR_TID.Z": ir.TidZ,
	"SR_CTAID.X": ir.CtaidX, "SR_CTAID.Y": ir.CtaidY, "SR_CTAID.Z": ir.CtaidZ, "SR_LANEID": ir.LaneID,
	"SR_EQMASK": ir.LanemaskEq, "SR_LEMASK": ir.LanemaskLe, "SR_LTMASK": ir.LanemaskLt, "SR_GEMASK": ir.LanemaskGe,
	"SR_GTMASK": ir.LanemaskGt, "SR_CLOCKLO": ir.Clock}

// packPreds completes P2R: P2R R0, PR, R1, 0x7f.
func packPreds(b *builder) error {
	ops := b.from.Operands
	if len(ops) != 4 || ops[1].Text != "PR" || ops[3].Kind != listing.Int || ops[3].Value&^0x7f != 0 {
		return errors.New("expected a register, PR, a register and a mask of seven predicates")
	}
	d, err := b.register(&ops[0], 1)
	if err != nil {
		return err
	}
	s, err := b.source(&ops[2], 1)
	if err != nil {
		return err
	}
	b.in.Dst = []ir.Operand{d}
	b.in.Src = []ir.Operand{s, ir.Imm(uint64(ops[3].Value), 1)}
	for i := range listing.True {
		b.in.Src = append(b.in.Src, ir.P(ir.Pred(i)))
	}
	return nil
}

// unpackPreds completes R2P: R2P PR, R0.B1, 0x7f.
func unpackPreds(b *builder) error {
	ops := b.from.Operands
	bytes := map[string]uint64{"": 0, "B1": 8, "B2": 16, "B3": 24}
	if len(ops) != 3 || ops[0].Text != "PR" || ops[2].Kind != listing.Int || ops[2].Value&^0x7f != 0 {
		return errors.New("expected PR, a register and a mask of seven predicates")
	}
	from := ops[1]
	shift, ok := bytes[from.Suffix]
	if !ok {
		return fmt.Errorf("a source with the suffix .%s, which is not supported", from.Suffix)
	}
	from.Suffix = ""
	s, err := b.source(&from, 1)
	if err != nil {
		return err
	}
	b.in.Src = []ir.Operand{s, ir.Imm(shift, 1)}
	for i := range listing.True {
		d := ir.Operand{}
		if ops[2].Value>>i&1 != 0 {
			d = ir.P(ir.Pred(i))
		}
		b.in.Dst = append(b.in.Dst, d)
	}
	return nil
}
