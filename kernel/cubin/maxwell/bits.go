package maxwell

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// The truth table of each source of a three-input operation, in the order of lop3's immediate.
const (
	tableA = 0xf0
	tableB = 0xcc
	tableC = 0xaa
)

// tableOf returns the table of an operation on two tables.
func tableOf(name string, x, y uint64) uint64 {
	switch name {
	case "AND":
		return x & y
	case "OR":
		return x | y
	case "XOR":
		return x ^ y
	}
	return y // PASS_B
}

// logic completes LOP: one operation on two sources, each of which may be complemented. With NZ the first printed
// operand is a predicate for a nonzero result. With X too, the predicate is for 64 bits: it is true if either this
// result or the one that set the flags, which is the other word, is nonzero.
func logic(b *rules.Builder) error {
	name := ""
	if b.Has["X"] && (!b.Has["NZ"] || b.SetFlags) {
		return errors.New("the suffix .X, except with .NZ and without flags set, is not supported")
	}
	for _, n := range b.Names() {
		if n == "NZ" || n == "X" {
			continue
		}
		if name != "" {
			return errors.New("more than one operation")
		}
		name = n
	}
	if name == "" {
		return errors.New("no operation, expected one as .AND")
	}
	ops := append([]listing.Operand(nil), b.From.Operands...)
	letters, tables := "dss", [2]uint64{tableA, tableB}
	if b.Has["NZ"] {
		letters = "pdss"
	}
	if len(ops) != len(letters) {
		return fmt.Errorf("%d operands, expected %d", len(ops), len(letters))
	}
	for i := range tables {
		if o := &ops[len(ops)-2+i]; o.Not {
			tables[i], o.Not = tables[i]^0xff, false
		}
	}
	if err := b.Resolve(letters, ops); err != nil {
		return err
	}
	b.In.Src = append(b.In.Src, ir.Imm(0, 1), ir.Imm(tableOf(name, tables[0], tables[1]), 1))
	return tested(b)
}

// tested puts the predicate of a result that is not zero behind its register.
func tested(b *rules.Builder) error {
	in := b.In
	in.Mods = ir.Mods{}
	if !b.Has["NZ"] && !b.SetFlags {
		return nil
	}
	if b.Has["X"] {
		lower := ir.P(zeroFlag)
		lower.Neg = true
		in.Src = append(in.Src, lower)
	} else {
		in.Src = append(in.Src, ir.Imm(0, 1))
	}
	if b.Has["NZ"] {
		in.Dst[0], in.Dst[1] = in.Dst[1], in.Dst[0]
	} else {
		in.Dst = append(in.Dst, ir.Operand{})
	}
	if b.SetFlags {
		in.Dst = append(in.Dst, ir.P(zeroFlag), ir.P(signFlag))
	}
	return nil
}

// logic3 completes LOP3.
func logic3(b *rules.Builder) error {
	if first := b.In.Dst[0]; !b.Has["NZ"] {
		if first.Kind != ir.KindNone {
			return errors.New("a predicate without .NZ")
		}
		b.In.Dst = b.In.Dst[1:]
	}
	return tested(b)
}

// combine completes PSETP and PSET. The first operation combines two predicates, the second one that result with a
// third predicate. For the second destination, the second operation takes the complement of the first result.
func combine(b *rules.Builder) error {
	names := b.Names()
	if len(names) != 2 {
		return errors.New("expected two operations")
	}
	first := tableOf(names[0], tableA, tableB)
	b.In.Mods = ir.Mods{}
	b.In.Src = append(b.In.Src, ir.Imm(tableOf(names[1], first, tableC), 1),
		ir.Imm(tableOf(names[1], first^0xff, tableC), 1))
	return nil
}

// shift completes SHL and SHR.
func shift(b *rules.Builder) error {
	in := b.In
	if !b.Has["W"] {
		return nil
	}
	if in.Type == ir.S32 { // the upper word of a shift of two
		in.Op, in.Mods.Part = ir.OpFunnel, ir.Hi
		in.Src = []ir.Operand{ir.Imm(0, 1), in.Src[1], in.Src[0]}
		return nil
	}
	in.Mods.Left, in.Op, in.Type = in.Op == ir.OpShl, ir.OpFunnel, ir.U32
	in.Src = append(in.Src, ir.Imm(0, 1))
	return nil
}

// funnel completes SHF: to the left the result is the upper word of the two, to the right the lower one.
func funnel(b *rules.Builder) error {
	if b.Has["L"] == b.Has["R"] {
		return errors.New("a shift without a direction, expected .L or .R")
	}
	if b.Has["L"] {
		b.In.Mods.Part = ir.Hi
	}
	return nil
}

// splitField makes two operands of a number with the position of a field and its length.
func splitField(b *rules.Builder, i int) {
	if o := b.In.Src[i]; o.Kind == ir.KindImm {
		b.In.Src = append(b.In.Src[:i], append([]ir.Operand{ir.Imm(o.Imm&0xff, 1), ir.Imm(o.Imm>>8&0xff, 1)},
			b.In.Src[i+1:]...)...)
	}
}

// field completes BFE. BREV reverses the bits before: ptxas uses it for whole words.
func field(b *rules.Builder) error {
	if b.Has["BREV"] {
		if o := b.In.Src[1]; o.Kind != ir.KindImm || o.Imm != 0x2000 || b.In.Type != ir.U32 {
			return errors.New("the suffix .BREV with less than a word is not supported")
		}
		b.In.Op, b.In.Type, b.In.Src = ir.OpBrev, ir.B32, b.In.Src[:1]
		return nil
	}
	splitField(b, 1)
	return nil
}

// insert completes BFI, whose field comes before the number it is put into.
func insert(b *rules.Builder) error {
	s := b.In.Src
	s[1], s[2] = s[2], s[1]
	splitField(b, 2)
	return nil
}
