package maxwell

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Comparisons, choices by them, and conditions of the flags.

// extremes completes VMNMX, the minimum or maximum of two sources, and then that of this result and a third source.
// With MX the first is a maximum, with MAX the second. UD says that the second compares unsigned numbers, and must
// agree with U32, which says so of the first. U16 is supported if the second source is an immediate.
func extremes(b *rules.Builder) error {
	if b.Has["MIN"] == b.Has["MAX"] {
		return errors.New("expected .MIN or .MAX")
	}
	if b.Has["UD"] != b.Has["U32"] {
		return errors.New("choices with a sign and without one are not supported together")
	}
	if b.Has["U16"] && b.In.Src[1].Kind != ir.KindImm {
		return errors.New("the suffix .U16 is supported for a number")
	}
	kind := uint64(0)
	if b.Has["MX"] {
		kind |= 1
	}
	if b.Has["MAX"] {
		kind |= 2
	}
	b.In.Src = append(b.In.Src, ir.Imm(kind, 1))
	return nil
}

// compare completes ISETP. X compares upper words, behind the difference of the lower ones.
func compare(b *rules.Builder) error {
	if err := rules.Compare(b); err != nil || !b.Has["X"] {
		return err
	}
	b.In.Op = ir.OpSetpHigh
	upperWords(b)
	return nil
}

// upperWords adds the flags of the lower words' difference to a comparison.
func upperWords(b *rules.Builder) {
	for len(b.In.Src) < 3 {
		b.In.Src = append(b.In.Src, ir.Operand{})
	}
	b.In.Src = append(b.In.Src, ir.P(carryFlag), ir.P(zeroFlag))
}

// extreme completes IMNMX. XHI compares upper words, and sets the flag by which XLO chooses the lower words.
func extreme(b *rules.Builder) error {
	if err := rules.Extreme(b); err != nil {
		return err
	}
	in := b.In
	if b.SetFlags && !b.Has["XHI"] {
		return errors.New("flags, except of .XHI, are not supported")
	}
	switch {
	case b.SetFlags:
		in.Mods.CarryOut, in.Dst = true, append(in.Dst, ir.P(carryFlag), ir.P(zeroFlag))
	case b.Has["XLO"]:
		in.Mods.CarryIn = true
		in.Src = append(in.Src, ir.P(carryFlag), ir.P(zeroFlag))
	}
	return nil
}

// testFlags completes CSETP: it tests a condition of the flags, combined with a predicate. LT compares sign and
// overflow. Logic operations and conversions set no overflow, so after them the sign is enough.
func testFlags(b *rules.Builder) error {
	names, ops := b.Names(), b.From.Operands
	if len(names) != 2 || names[1] != "AND" || len(ops) != 4 || ops[2].Text != "CC" {
		return errors.New("expected CSETP with a condition and .AND, two predicates, CC and a predicate")
	}
	flag := ir.P(signFlag)
	switch names[0] {
	case "EQ", "NE":
		flag = ir.P(zeroFlag)
		flag.Neg = names[0] == "NE"
	case "LT":
		if b.FlagsOf != "I2I" && b.FlagsOf != "LOP" {
			return fmt.Errorf("the condition .LT of the flags of %s is not supported", b.FlagsOf)
		}
	}
	for _, i := range []int{0, 1, 3} {
		p, err := ir.Operand{}, error(nil)
		if i < 2 {
			p, err = b.Target(&ops[i])
			b.In.Dst = append(b.In.Dst, p)
		} else {
			p, err = b.Predicate(&ops[i])
			b.In.Src = []ir.Operand{flag, ir.Imm(1, 1), p}
		}
		if err != nil {
			return err
		}
	}
	b.In.Mods = ir.Mods{}
	b.In.Src = append(b.In.Src, ir.Imm(tableA&tableC, 1), ir.Imm(^uint64(tableA)&tableC, 1))
	return nil
}

// set completes ISET and FSET. Written to the flags alone, the result is only tested for zero, that is for false.
func set(b *rules.Builder) error {
	in := b.In
	if err := rules.Set(b); err != nil {
		return err
	}
	if b.Has["X"] {
		upperWords(b)
	}
	switch {
	case !b.SetFlags:
		return nil
	case in.Dst[0].Kind != ir.KindNone:
		return errors.New("flags of a result that is kept are not supported")
	}
	in.Op, in.Type, in.SrcType = ir.OpSetp, in.SrcType, ir.TypeNone
	if b.Has["X"] {
		in.Op = ir.OpSetpHigh
	}
	in.Dst = []ir.Operand{{}, ir.P(zeroFlag)}
	// The second predicate of OpSetp combines the complement of the comparison, whereas the flag is the complement of
	// the combination: so the operation and its last source change over (De Morgan).
	switch in.Mods.Bool {
	case ir.BoolAnd:
		in.Mods.Bool, in.Src[2].Neg = ir.BoolOr, !in.Src[2].Neg
	case ir.BoolOr:
		in.Mods.Bool, in.Src[2].Neg = ir.BoolAnd, !in.Src[2].Neg
	}
	return nil
}

// choose completes ICMP and FCMP.
func choose(b *rules.Builder) error {
	for i := range b.From.Operands {
		if o := &b.From.Operands[i]; o.Kind == listing.Float && strings.HasSuffix(o.Text, "NAN") {
			return errors.New("a choice of a NaN, which is printed without its payload, is not supported")
		}
	}
	if b.In.Mods.Cmp == ir.CmpNone && b.Opcode() == "FCMP" { // nvdisasm does not print its .GT: code 4 of the field
		b.In.Mods.Cmp = ir.GT
	}
	return rules.Compared(b)
}
