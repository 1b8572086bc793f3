package volta

import (
	"errors"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Instructions of the uniform path that read registers of the executing lanes.

// voteUniform completes VOTEU. Its result, a register or a predicate, goes to all lanes.
func voteUniform(b *rules.Builder) error {
	if err := rules.Vote(b); err != nil {
		return err
	}
	b.In.Uniform = false
	return nil
}

// firstLane completes R2UR. Its predicate is taken to be true if the lanes have different values. The public notes
// leave it open (cicuvc/nvidia-sass-document, notes/sm90/instr/r2ur.md, 354679c1: false in all trials on sm_120), but
// code of ptxas decides it. There each lane has its mask in Rm. ptxas has R2UR P, URZ, Rm; REDUX.OR URm, Rm; @!P
// BRA.DIV URm, and then lets the lanes vote without WARPSYNC. Suppose that two groups with different masks arrive
// together. The union URm of their masks has them all, so BRA.DIV by itself would not branch, and the groups would vote
// as one. Only P can prevent this: BRA.DIV branches for all lanes if its guard is false for one (branchConverged). That
// is right for any lanes, because the code at its target uses each lane's own mask.
func firstLane(b *rules.Builder) error {
	b.In.Mods.CarryOut = false
	if p := b.In.Dst[0]; p.Kind != ir.KindNone {
		if b.In.Dst[1].Kind != ir.KindNone {
			return errors.New("both a predicate and a register are not supported")
		}
		b.In.Op, b.In.Mods = ir.OpMatch, ir.Mods{Vote: ir.VoteDiffer}
		b.In.Uniform = false
		b.In.Dst[0], b.In.Dst[1] = ir.Operand{}, p
		return nil
	}
	b.In.Dst = b.In.Dst[1:]
	return nil
}

// reduce completes REDUX. Without a name the operation is AND.
func reduce(b *rules.Builder) error {
	in := b.In
	in.Uniform, in.Mods = false, ir.Mods{Atomic: ir.AtomAnd}
	for name, op := range map[string]ir.Atomic{"SUM": ir.AtomAdd, "MIN": ir.AtomMin, "MAX": ir.AtomMax, "OR": ir.AtomOr,
		"XOR": ir.AtomXor} {
		if b.Has[name] {
			in.Mods.Atomic = op
		}
	}
	switch in.Mods.Atomic {
	case ir.AtomAdd, ir.AtomMin, ir.AtomMax:
		if in.Type != ir.S32 {
			in.Type = ir.U32
		}
	}
	return nil
}

// match completes MATCH: MATCH.ANY R0, R1, and MATCH.ALL P0, R0, R1 with whether all lanes have the value.
func match(b *rules.Builder) error {
	in, ops := b.In, b.From.Operands
	in.Mods = ir.Mods{Vote: ir.VoteAny}
	words := "s"
	if b.Has["U64"] {
		words, in.Type = "l", ir.B64
	}
	if !b.Has["ALL"] {
		return b.Resolve("d"+words, ops)
	}
	in.Mods.Vote = ir.VoteAll
	if err := b.Resolve("pd"+words, ops); err != nil {
		return err
	}
	in.Dst[0], in.Dst[1] = in.Dst[1], in.Dst[0]
	return nil
}

// compareDouble completes DSETP. MIN and MAX choose one of two numbers.
func compareDouble(b *rules.Builder) error {
	if !b.Has["MIN"] && !b.Has["MAX"] {
		return rules.Compare(b)
	}
	in := b.In
	if p := b.From.Operands[4]; b.Has["MIN"] == b.Has["MAX"] || !b.Has["AND"] || p.Kind != listing.Pred ||
		p.N != listing.True || p.Not || in.Mods.Cmp != ir.CmpNone {
		return errors.New("a choice of a number is supported as .MIN.AND and .MAX.AND with PT")
	}
	largest := uint64(0)
	if b.Has["MAX"] {
		largest = 1
	}
	in.Op, in.Mods = ir.OpSetpExtreme, ir.Mods{}
	in.Src[2] = ir.Imm(largest, 1)
	return nil
}
