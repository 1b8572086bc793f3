package rules

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Accesses by space. An access with a global or generic address has the suffix E if the address has 64 bits, as all
// have here.

func Global(b *Builder) error {
	return b.Access(ir.Global)
}

func Generic(b *Builder) error {
	return b.Access(ir.Generic)
}

func Shared(b *Builder) error { return b.Access(ir.Shared) }

func Local(b *Builder) error { return b.Access(ir.Local) }

// Access completes a load, a store or an atomic operation.
func (b *Builder) Access(space ir.Space) error {
	in := b.In
	in.Space = space
	wide := space == ir.Global || space == ir.Generic
	if wide != b.Has["E"] {
		return errors.New("a global address without 64 bits (.E), or another with them, is not supported")
	}
	ops := b.From.Operands
	var done ir.Operand
	if (in.Op == ir.OpAtom) && len(ops) > 0 && ops[0].Kind == listing.Pred {
		if ops[0].N != listing.True && space != ir.Generic {
			return errors.New("an atomic operation with a predicate is not supported")
		}
		var err error
		if done, err = b.Target(&ops[0]); err != nil {
			return err
		}
		ops = ops[1:]
	}
	n := 1
	var results []listing.Operand
	if in.Op == ir.OpLd || in.Op == ir.OpAtom {
		n = 2
		if len(ops) > 0 {
			results, ops = ops[:1], ops[1:]
		}
	}
	if len(ops) == 0 || ops[0].Kind != listing.Memory {
		return fmt.Errorf("operand %d is not an address in brackets", n)
	}
	if err := b.address(&ops[0], wide); err != nil {
		return err
	}
	if in.Op == ir.OpAtom || in.Op == ir.OpRed {
		err := b.atomic(results, ops[1:])
		if done.Kind != ir.KindNone {
			in.Dst = append(in.Dst, done)
		}
		return err
	}
	if in.Op == ir.OpLd && len(ops) == 1 {
		return b.Elements(&results[0], true)
	}
	if in.Op == ir.OpSt && len(ops) == 2 {
		return b.Elements(&ops[1], false)
	}
	return fmt.Errorf("%d operands", len(b.From.Operands))
}

// Elements resolves what a load or a store moves: words, or one part of a word.
func (b *Builder) Elements(o *listing.Operand, load bool) error {
	n := 1
	b.In.Type = ir.B32
	for _, name := range b.Names() {
		switch name {
		case "U8", "S8", "U16", "S16":
			b.In.Type = map[string]ir.Type{"U8": ir.U8, "S8": ir.S8, "U16": ir.U16, "S16": ir.S16}[name]
		case "64":
			n = 2
		case "128":
			n = 4
		}
	}
	if load {
		d, err := b.Register(o, n)
		if err != nil {
			return err
		}
		for i := range n {
			one := ir.Operand{}
			if d.Kind != ir.KindNone {
				one = word(d, i)
			}
			b.In.Dst = append(b.In.Dst, one)
		}
		return nil
	}
	if o.Kind != listing.Reg {
		return errors.New("a stored operand that is not a register")
	}
	s, err := b.Source(o, n)
	for i := range n {
		one := ir.Imm(0, 1)
		if s.Kind == ir.KindReg {
			one = word(s, i)
		}
		b.In.Src = append(b.In.Src, one)
	}
	return err
}

// word returns word i of a register of several.
func word(o ir.Operand, i int) ir.Operand {
	o.Reg, o.Words = o.Reg+ir.Reg(i), 1
	return o
}

// address resolves the sum in brackets. A register beside a uniform register has a suffix for its width, 64 or U32.
// Without a suffix it has the width of the address.
func (b *Builder) address(o *listing.Operand, wide bool) error {
	a := &b.In.Addr
	a.Offset = o.Value
	words := 1
	if wide {
		words = 2
	}
	if o.Index.Kind == listing.UReg && o.Index.N != listing.Zero {
		if o.Index.Suffix != "" {
			return fmt.Errorf("a uniform register with the suffix .%s is not supported", o.Index.Suffix)
		}
		r, err := b.Number(listing.UReg, o.Index.N, words)
		if err != nil {
			return err
		}
		a.Index = r
	}
	if o.Base.Kind == listing.Reg && o.Base.N != listing.Zero {
		switch o.Base.Suffix {
		case "", "64":
			if o.Base.Suffix == "64" && !wide {
				return errors.New("an address of 64 bits in a space with 32")
			}
		case "U32":
			words = 1
		case "X4", "X8", "X16":
			a.Scale = map[string]uint8{"X4": 4, "X8": 8, "X16": 16}[o.Base.Suffix]
		default:
			return fmt.Errorf("an address with the suffix .%s is not supported", o.Base.Suffix)
		}
		r, err := b.Number(listing.Reg, o.Base.N, words)
		if err != nil {
			return err
		}
		a.Base = r
	}
	if a.Base.Kind == ir.KindNone {
		a.Base, a.Index = a.Index, ir.Operand{}
	}
	if a.Base.Kind == ir.KindNone && !wide {
		a.Offset = int64(uint32(a.Offset))
	}
	return nil
}

// atomic completes an atomic operation.
func (b *Builder) atomic(results, sources []listing.Operand) error {
	in := b.In
	ops := map[string]ir.Atomic{"ADD": ir.AtomAdd, "MIN": ir.AtomMin, "MAX": ir.AtomMax, "INC": ir.AtomInc,
		"DEC": ir.AtomDec, "AND": ir.AtomAnd, "OR": ir.AtomOr, "XOR": ir.AtomXor, "EXCH": ir.AtomExch,
		"CAS": ir.AtomCas}
	in.Mods = ir.Mods{Ordered: in.Mods.Ordered}
	in.Type = ir.U32
	for _, n := range b.Names() {
		if op, ok := ops[n]; ok {
			in.Mods.Atomic = op
		}
		if t, ok := map[string]ir.Type{"S32": ir.S32, "U64": ir.U64, "64": ir.U64, "S64": ir.S64, "F32": ir.F32,
			"F64": ir.F64}[n]; ok {
			in.Type = t
		}
	}
	words := in.Type.Words()
	if in.Op == ir.OpAtom {
		d, err := b.Register(&results[0], words)
		if err != nil {
			return err
		}
		in.Dst = []ir.Operand{d}
	}
	if b.Has["POPC"] {
		// Each lane adds 1 to its counter.
		if b.From.Mnemonic != "ATOMS.POPC.INC.32" || len(sources) != 0 {
			return errors.New("expected ATOMS.POPC.INC.32, a register and an address")
		}
		in.Mods.Atomic, in.Src = ir.AtomAdd, []ir.Operand{ir.Imm(1, 1)}
		return nil
	}
	want := 1
	if b.Has["CAST"] {
		in.Mods.Atomic = ir.AtomTryCas
	}
	if in.Mods.Atomic == ir.AtomCas || in.Mods.Atomic == ir.AtomTryCas {
		want = 2
	}
	if in.Mods.Atomic == ir.AtomNone || len(sources) != want {
		return fmt.Errorf("%d sources of an atomic operation", len(sources))
	}
	for i := range sources {
		s, err := b.Source(&sources[i], words)
		if err != nil {
			return err
		}
		in.Src = append(in.Src, s)
	}
	return nil
}

// LoadConstant completes LDC and ULDC. Without a register in the address it is a move.
func LoadConstant(b *Builder) error {
	ops, in := b.From.Operands, b.In
	if len(ops) != 2 || ops[1].Kind != listing.Bank {
		return errors.New("expected a register and a constant")
	}
	o := ops[1]
	base := o.Base
	if base.Kind == listing.None {
		base = o.Index
	}
	if base.N == listing.Zero {
		base = listing.Part{}
	}
	if base.Kind == listing.None && !b.Has["U8"] && !b.Has["S8"] && !b.Has["U16"] && !b.Has["S16"] {
		words := 1
		if in.Type = ir.B32; b.Has["64"] {
			words, in.Type = 2, ir.B64
		}
		d, err := b.Register(&ops[0], words)
		if err != nil {
			return err
		}
		if o.Bank == 0 && words == 2 {
			if low, err := b.Constant(0, o.Value, 1); err == nil && low.Kind == ir.KindSpecial {
				return b.pairOfSpecials(d, low, o.Value)
			}
		}
		s, err := b.Constant(o.Bank, o.Value, words)
		in.Op, in.Dst, in.Src = ir.OpMov, []ir.Operand{d}, []ir.Operand{s}
		return err
	}
	if base.Kind == listing.None && o.Bank == 0 && (o.Value < int64(b.Fn.ParamBase)) {
		return b.partOfSpecial(&ops[0], o.Value)
	}
	switch {
	case o.Base.Kind != listing.None && o.Index.Kind != listing.None, base.Suffix != "":
		return errors.New("this address of a constant is not supported")
	case o.Bank == 0:
		in.Space, in.Addr.Offset = ir.Param, o.Value-int64(b.Fn.ParamBase)
	case o.Bank == 2:
		in.Space, in.Addr.Offset = ir.Const, o.Value+int64(b.literal)
	case o.Bank == 3:
		in.Space, in.Addr.Offset = ir.Const, o.Value
	default:
		return fmt.Errorf("constant bank %d is not supported", o.Bank)
	}
	if base.Kind != listing.None {
		r, err := b.Number(base.Kind, base.N, 1)
		if err != nil {
			return err
		}
		in.Addr.Base = r
	}
	return b.Elements(&ops[0], true)
}

// pairOfSpecials makes a load of two words of the launch's sizes.
func (b *Builder) pairOfSpecials(d, low ir.Operand, offset int64) error {
	high, err := b.Constant(0, offset+4, 1)
	b.In.Op, b.In.Type, b.In.SrcType = ir.OpPack, ir.B64, ir.B32
	b.In.Dst, b.In.Src = []ir.Operand{d}, []ir.Operand{low, high}
	return err
}

// partOfSpecial makes a load of a part of one of the launch's sizes.
func (b *Builder) partOfSpecial(to *listing.Operand, offset int64) error {
	d, err := b.Register(to, 1)
	if err != nil {
		return err
	}
	s, err := b.Constant(0, offset, 1)
	types := map[string]ir.Type{"U8": ir.U8, "S8": ir.S8, "U16": ir.U16, "S16": ir.S16}
	for _, n := range b.Names() {
		if t, ok := types[n]; ok {
			b.In.SrcType = t
		}
	}
	b.In.Op, b.In.Type, b.In.Dst, b.In.Src = ir.OpCvt, ir.U32, []ir.Operand{d}, []ir.Operand{s}
	return err
}
