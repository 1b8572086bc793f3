package volta

import (
	"errors"
	"fmt"
	"slices"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// branch completes BRA and CALL. A predicate operand is a condition besides the guard. A function called returns by
// the address it gets in a register, so the call is a branch.
func branch(b *rules.Builder) error {
	ops := b.From.Operands
	if b.Opcode() == "CALL" && b.From.Mnemonic != "CALL.REL.NOINC" {
		return errors.New("expected CALL.REL.NOINC")
	}
	if n := len(ops); n != 1 && (n != 2 || b.Opcode() == "CALL") {
		return fmt.Errorf("%d operands, expected a label", n)
	}
	if b.Has["CONV"] || b.Has["DIV"] {
		return branchConverged(b)
	}
	if len(ops) == 2 {
		p, err := b.Predicate(&ops[0])
		if err != nil {
			return err
		}
		b.Condition(p)
	}
	to, err := b.Label(&ops[len(ops)-1])
	b.In.Target = to
	return err
}

// branchConverged completes BRA.CONV, which branches if the executing lanes are those of a mask, and BRA.DIV, which
// branches if they are not. The mask is a uniform register. ~URZ means all lanes, and so does no mask, as before sm_80.
// At the target of BRA.DIV ptxas has a sequence with WARPSYNC for lanes that are apart. A lane whose guard is false
// does not count as one of BRA.DIV's mask, so it jumps too, with all others (firstLane).
func branchConverged(b *rules.Builder) (err error) {
	ops := b.From.Operands
	if len(ops) < 1 || len(ops) > 2 {
		return errors.New("expected a mask and a label")
	}
	mask := ir.Imm(0xffffffff, 1)
	if o := ops[0]; len(ops) > 1 && (o.Kind != listing.UReg || o.N != listing.Zero || !o.Not) {
		if mask, err = b.Source(&ops[0], 1); err != nil {
			return err
		}
	}
	b.In.Flow, b.In.Src = ir.FlowConverged, []ir.Operand{mask}
	if b.Has["DIV"] {
		b.In.Flow = ir.FlowApart
	}
	b.In.Target, err = b.Label(&ops[len(ops)-1])
	return err
}

// comeBack completes RET: the register has the address in the function.
func comeBack(b *rules.Builder) error {
	ops := b.From.Operands
	if b.From.Mnemonic != "RET.REL.NODEC" || len(ops) != 2 || ops[1].Kind != listing.Label || ops[1].Text != b.Fn.Name {
		return errors.New("expected RET.REL.NODEC, a register and the function")
	}
	s, err := b.Source(&ops[0], 1)
	if err != nil {
		return err
	}
	b.In.Type = ir.U32
	b.In.Src = []ir.Operand{s}
	b.In.Flow, b.In.Targets = ir.FlowAddress, b.Returns
	return nil
}

// converge completes BSSY, BSYNC and BREAK. The label of BSSY is the place behind a BSYNC where its lanes go on. It is
// checked and not used, because the lanes go on behind the BSYNC that they execute.
func converge(b *rules.Builder) error {
	ops := b.From.Operands
	want := 1
	if b.In.Op == ir.OpBarrierSet {
		want = 2
	}
	if b.In.Op == ir.OpBarrierLeave && len(ops) == 2 { // a condition besides the guard
		p, err := b.Predicate(&ops[0])
		if err != nil {
			return err
		}
		ops = ops[1:]
		b.Condition(p)
	}
	if len(ops) != want || ops[0].Kind != listing.Barrier {
		return fmt.Errorf("expected %d operands, a barrier first", want)
	}
	b.In.Src = append([]ir.Operand{ir.Imm(uint64(ops[0].N), 1)}, b.In.Src...)
	if want == 2 {
		to, err := b.Label(&ops[1])
		if err != nil {
			return err
		}
		b.In.Target = to
	}
	return nil
}

// convergeAll completes WARPSYNC: ALL stands for the mask of all lanes. COLLECTIVE has the place behind ENDCOLLECTIVE.
func convergeAll(b *rules.Builder) (err error) {
	b.In.Mods.Exclusive = b.Has["EXCLUSIVE"]
	if ops := b.From.Operands; b.Has["COLLECTIVE"] {
		if len(ops) != 2 || b.Has["ALL"] {
			return errors.New("expected a mask and a label")
		}
		b.In.Op = ir.OpCollective
		if b.In.Target, err = b.Label(&ops[1]); err != nil {
			return err
		}
		for i := range b.Fn.Insts {
			if b.Fn.Insts[i].Mnemonic == "WARPSYNC.COLLECTIVE" {
				b.In.Targets = append(b.In.Targets, i+1)
			}
		}
		return b.Resolve("s", ops[:1])
	}
	if b.Has["ALL"] && len(b.From.Operands) == 0 {
		b.In.Src = []ir.Operand{ir.Imm(0xffffffff, 1)}
		return nil
	}
	return b.Operands("s")
}

// collectives completes ENDCOLLECTIVE: the lanes go on at the places of their WARPSYNC.COLLECTIVE.
func collectives(b *rules.Builder) error {
	for i := range b.Fn.Insts {
		in := &b.Fn.Insts[i]
		if in.Mnemonic != "WARPSYNC.COLLECTIVE" || len(in.Operands) != 2 {
			continue
		}
		to, err := b.Label(&in.Operands[1])
		if err != nil {
			return err
		}
		if !slices.Contains(b.In.Targets, to) {
			b.In.Targets = append(b.In.Targets, to)
		}
	}
	if len(b.From.Operands) > 0 || len(b.In.Targets) == 0 {
		return errors.New("expected no operand, and a WARPSYNC.COLLECTIVE in front")
	}
	return nil
}

// moveBarrier completes BMOV. BMOV.32.CLEAR RZ, B0 takes the lanes out of a barrier. With another register it saves
// the lanes they are to meet and clears the barrier register, for code that uses it itself: they are still waited for.
// BMOV.32 R1, B0 only saves them. BMOV.32 B0, R1 puts them back.
func moveBarrier(b *rules.Builder) error {
	ops, in := b.From.Operands, b.In
	clear := b.From.Mnemonic == "BMOV.32.CLEAR"
	if !clear && b.From.Mnemonic != "BMOV.32" || len(ops) != 2 {
		return errors.New("expected BMOV.32, a barrier and a register, or BMOV.32.CLEAR")
	}
	if ops[0].Kind == listing.Barrier && !clear {
		s, err := b.Source(&ops[1], 1)
		in.Op, in.Src = ir.OpBarrierRestore, []ir.Operand{ir.Imm(uint64(ops[0].N), 1), s}
		return err
	}
	if ops[1].Kind != listing.Barrier {
		return errors.New("neither operand is a barrier that it can move")
	}
	d, err := b.Register(&ops[0], 1)
	if err != nil {
		return err
	}
	in.Src = []ir.Operand{ir.Imm(uint64(ops[1].N), 1)}
	if d.Kind == ir.KindNone && clear {
		return nil
	}
	in.Op, in.Dst = ir.OpBarrierSave, []ir.Operand{d}
	if clear {
		in.Src = append(in.Src, ir.Imm(1, 1))
	}
	return nil
}
