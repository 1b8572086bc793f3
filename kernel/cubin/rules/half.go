package rules

import (
	"encoding/binary"
	"errors"
	"math"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Instructions on parts of words.

// Halves completes HADD2, HMUL2 and HFMA2, of two halves each. With F32 the result is a single: that of the lower ones.
// The suffix MMA says which unit it is for.
func Halves(b *Builder) error {
	in := b.In
	if in.Op == ir.OpAdd && !b.Has["F32"] {
		if done, err := halvesOfSingle(b); done || err != nil {
			return err
		}
	}
	letters := "dss"
	if in.Op == ir.OpFma {
		letters = "dsss"
	}
	if err := b.Operands(letters); err != nil {
		return err
	}
	if b.Has["F32"] {
		in.Type, in.SrcType, in.Mods.Round = ir.F32, ir.F16, ir.RoundDefault
	}
	return nil
}

// halvesOfSingle completes a sum of a single, with the suffix F32, and -0: it is the single, rounded.
func halvesOfSingle(b *Builder) (bool, error) {
	ops := append([]listing.Operand(nil), b.From.Operands...)
	for i := 1; i < len(ops) && len(ops) == 3; i++ {
		if ops[i].Suffix != "F32" {
			continue
		}
		if zero := ops[3-i]; zero.Kind != listing.Reg || zero.N != listing.Zero || !zero.Neg {
			return false, nil
		}
		ops[i].Suffix = ""
		b.In.Op, b.In.SrcType, b.In.Mods.Round = ir.OpCvt, ir.F32, ir.RN
		return true, b.Resolve("dss", []listing.Operand{ops[0], ops[i], ops[i]})
	}
	return false, nil
}

// halvesOf returns two halves with the value of a literal, which is a single.
func (b *Builder) halvesOf(o ir.Operand) (ir.Operand, error) {
	at := int(o.Imm) - b.literal
	if o.Kind != ir.KindConst || at < 0 {
		return o, errors.New("a constant for halves that is not a literal, which is not supported")
	}
	h, exact := half(float64(math.Float32frombits(binary.LittleEndian.Uint32(b.Fn.Literals[at:]))))
	if !exact {
		return o, errors.New("a literal for halves that is not the value of one")
	}
	return ir.Imm(uint64(h)<<16|uint64(h), 1), nil
}

// CompareHalves completes HSETP2: the first predicate is of the lower halves, the second of the upper ones.
func CompareHalves(b *Builder) error {
	in := b.In
	if err := Compare(b); err != nil {
		return err
	}
	if in.Dst[1].Kind == ir.KindNone {
		in.Type, in.Dst = ir.F16, in.Dst[:1]
	}
	return nil
}

// PackHalves completes F2FP: two singles become halves, the first one the upper half.
func PackHalves(b *Builder) error {
	if !b.Has["PACK_AB"] {
		return errors.New("expected .PACK_AB")
	}
	if b.In.Mods.Round == ir.RoundDefault {
		b.In.Mods.Round = ir.RN
	}
	return nil
}

// DotProduct completes IDP, of four bytes or of two halves of the first source and two bytes of the second one. The
// types are those of the parts of both.
func DotProduct(b *Builder) error {
	first := map[string]map[string]ir.Type{"4A": {"U8": ir.U32, "S8": ir.S32}, "2A": {"U16": ir.U32, "S16": ir.S32}}
	names := b.Names()
	b.In.Mods = ir.Mods{}
	if len(names) == 4 && names[0] == "2A" && (names[1] == "LO" || names[1] == "HI") {
		b.In.Op, b.In.Mods.Part = ir.OpDp2a, map[string]ir.Part{"LO": ir.Lo, "HI": ir.Hi}[names[1]]
		names = append(names[:1], names[2:]...)
	}
	if len(names) != 3 || (names[0] == "2A") != (b.In.Op == ir.OpDp2a) {
		return errors.New("expected IDP.4A, IDP.2A.LO or IDP.2A.HI and two types")
	}
	b.In.Type, b.In.SrcType = first[names[0]][names[1]], first["4A"][names[2]]
	if b.In.Type == ir.TypeNone || b.In.SrcType == ir.TypeNone {
		return errors.New("types that are not those of the parts")
	}
	return nil
}

// ConvertPair completes F2IP, which makes two bytes in front of a half word, with zeros for all but the last byte.
func ConvertPair(b *Builder) error {
	zero := func(o ir.Operand) bool { return o.Kind == ir.KindImm && o.Imm == 0 }
	in := b.In
	if !zero(in.Src[0]) || !zero(in.Src[2]) || !b.Has["U8"] || !b.Has["F32"] {
		return errors.New("expected F2IP.U8.F32 with RZ for the first and the third source")
	}
	if in.Type, in.Src = ir.U8, in.Src[1:2]; in.Mods.Round == ir.RoundDefault {
		in.Mods.Round = ir.RNI
	}
	return nil
}

// ByteDifferences completes VABSDIFF4, as ptxas makes it of vabsdiff4.add.
func ByteDifferences(b *Builder) error {
	switch b.From.Mnemonic {
	case "VABSDIFF4.U8.ACC", "VABSDIFF4.U8.U8.ACC":
		b.In.Type, b.In.SrcType = ir.U32, ir.U32
		b.In.Mods = ir.Mods{Video: ir.VideoAbsDiff | ir.VideoQuad | ir.VideoAccumulate}
		return nil
	}
	return errors.New("expected VABSDIFF4.U8.ACC")
}

// QuerySpace completes QSPC: whether a generic address is one of shared, local or global memory.
func QuerySpace(b *Builder) error {
	ops, in := b.From.Operands, b.In
	spaces := map[string]ir.Space{"S": ir.Shared, "L": ir.Local, "G": ir.Global}
	names := b.Names()
	if len(names) != 2 || names[0] != "E" || spaces[names[1]] == ir.SpaceNone || len(ops) != 3 {
		return errors.New("expected QSPC.E, a space, a predicate, a register and an address")
	}
	if d, err := b.Register(&ops[1], 1); err != nil || d.Kind != ir.KindNone {
		return errors.New("a space in a register is not supported")
	}
	p, err := b.Target(&ops[0])
	if err != nil {
		return err
	}
	if err := b.address(&ops[2], true); err != nil {
		return err
	}
	if in.Addr.Index.Kind != ir.KindNone || in.Addr.Base.Words != 2 {
		return errors.New("the space of an address that is a sum of registers is not supported")
	}
	in.Src = []ir.Operand{in.Addr.Base, ir.Imm(uint64(in.Addr.Offset), 2)}
	in.Space, in.Dst, in.Addr = spaces[names[1]], []ir.Operand{p}, ir.Addr{}
	return nil
}
