package rules

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Barriers has the suffixes of BAR.
const Barriers = " SYNC ARV RED POPC AND OR DEFER_BLOCKING "

// Leave completes EXIT, with a condition besides the guard if there is an operand.
func Leave(b *Builder) error {
	switch ops := b.From.Operands; {
	case len(ops) == 0:
		return nil
	case len(ops) > 1:
		return fmt.Errorf("%d operands, expected a condition at most", len(ops))
	default:
		p, err := b.Predicate(&ops[0])
		if err == nil {
			b.Condition(p)
		}
		return err
	}
}

// Condition adds a condition to the guard.
func (b *Builder) Condition(p ir.Operand) {
	if b.In.Guard.Kind == ir.KindNone {
		b.In.Guard = p
	} else {
		b.In.Src = append(b.In.Src, p)
	}
}

// Barrier completes BAR: the number of the barrier, that of the threads if it is not all, and the predicate of a
// reduction. B2R reads its result.
func Barrier(b *Builder) error {
	in, ops := b.In, b.From.Operands
	in.Mods = ir.Mods{}
	switch {
	case b.Has["ARV"]:
		in.Mods.Bar = ir.BarArrive
	case b.Has["RED"]:
		in.Mods.Bar = map[bool]ir.Bar{true: ir.BarRedAnd, false: ir.BarRedOr}[b.Has["AND"]]
		in.Dst = []ir.Operand{ir.P(b.family.ResultPred)}
		if b.Has["POPC"] {
			in.Mods.Bar, in.Dst = ir.BarRedPopc, []ir.Operand{result}
		}
	case !b.Has["SYNC"]:
		return errors.New("expected .SYNC, .ARV or .RED")
	}
	in.Src = make([]ir.Operand, 2, 3)
	if n := len(ops); n > 0 && ops[n-1].Kind == listing.Pred {
		p, err := b.Predicate(&ops[n-1])
		if err != nil {
			return err
		}
		in.Src, ops = append(in.Src, p), ops[:n-1]
	}
	if (len(in.Src) == 3) != b.Has["RED"] || len(ops) < 1 || len(ops) > 2 {
		return errors.New("expected a barrier, a number of threads if it is not all, and a predicate for .RED alone")
	}
	for i := range ops {
		s, err := b.Source(&ops[i], 1)
		if err != nil {
			return err
		}
		in.Src[i] = s
	}
	if len(ops) == 1 && !b.Has["RED"] {
		in.Src = in.Src[:1]
	}
	return nil
}

// result is the register of the result of a reduction at a barrier. It comes behind all others.
var result = ir.U(ir.UniformRegs-1, 1)

// BarrierResult completes B2R.RESULT, which reads the result of the last reduction at a barrier: a number, or a
// predicate if the instruction names one.
func BarrierResult(b *Builder) error {
	in, ops := b.In, b.From.Operands
	if !b.Has["RESULT"] || len(ops) < 1 || len(ops) > 2 {
		return errors.New("expected B2R.RESULT, a register and perhaps a predicate")
	}
	d, err := b.Register(&ops[0], 1)
	if err != nil {
		return err
	}
	if len(ops) == 1 {
		in.Dst, in.Src = []ir.Operand{d}, []ir.Operand{result}
		return nil
	}
	p, err := b.Target(&ops[1])
	if err != nil {
		return err
	}
	if d.Kind != ir.KindNone || p.Kind == ir.KindNone {
		return errors.New("a result both in a register and in a predicate is not supported")
	}
	in.Type, in.Dst, in.Src = ir.PredType, []ir.Operand{p}, []ir.Operand{ir.P(b.family.ResultPred)}
	return nil
}

// BranchIndexed completes BRX: a register and a number, whose sum counts from the next instruction on. Without labels
// in the listing the addresses are the words of the literals that are those of an instruction.
func BranchIndexed(b *Builder) error {
	in, ops := b.In, b.From.Operands
	if len(ops) != 2 || ops[1].Kind != listing.Int {
		return errors.New("expected a register and a number")
	}
	s, err := b.Source(&ops[0], 1)
	if err != nil {
		return err
	}
	next := int64(b.From.Address + ir.CodeBytes)
	if b.family.Bundled {
		next = int64(b.From.Address + 8)
	}
	in.Type, in.Src, in.Flow = ir.U32, []ir.Operand{s}, ir.FlowAddress
	in.Addr.Offset = ops[1].Value + next
	for _, name := range b.From.Targets {
		if to, ok := b.Fn.Labels[name]; ok && name != ".text."+b.Fn.Name {
			in.Targets = append(in.Targets, to)
		}
	}
	if len(in.Targets) < len(b.From.Targets) || len(in.Targets) == 0 {
		in.Targets = b.literalTargets()
	}
	if len(in.Targets) == 0 {
		return fmt.Errorf("no target is known of %v", b.From.Targets)
	}
	return nil
}

// literalTargets returns the instructions whose addresses are among the literals.
func (b *Builder) literalTargets() (out []int) {
	for at := 0; at+4 <= len(b.Fn.Literals); at += 4 {
		if to, ok := b.K.Place(binary.LittleEndian.Uint32(b.Fn.Literals[at:])); ok && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}
