package volta

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// opcode returns the mnemonic without suffixes, and names returns the suffixes.
func (b *builder) opcode() string {
	name, _, _ := strings.Cut(b.from.Mnemonic, ".")
	return name
}

func (b *builder) names() []string { return strings.Split(b.from.Mnemonic, ".")[1:] }

// label returns the instruction behind a label.
func (b *builder) label(o *listing.Operand) (int, error) {
	if o.Kind != listing.Label {
		return 0, errors.New("an operand that is not a label, expected one")
	}
	to, ok := b.fn.Labels[o.Text]
	if !ok {
		return 0, fmt.Errorf("the label %s is not in the function", o.Text)
	}
	return to, nil
}

// nothing completes an instruction whose operands order what is in order here anyway.
func nothing(b *builder) error {
	b.in.Mods = ir.Mods{}
	return nil
}

// branch completes BRA and CALL. A predicate operand is a condition besides the guard. A function called returns by
// the address it gets in a register, so the call is a branch.
func branch(b *builder) error {
	ops := b.from.Operands
	if b.opcode() == "CALL" && b.from.Mnemonic != "CALL.REL.NOINC" {
		return errors.New("expected CALL.REL.NOINC")
	}
	if n := len(ops); n != 1 && (n != 2 || b.opcode() == "CALL") {
		return fmt.Errorf("%d operands, expected a label", n)
	}
	if len(ops) == 2 {
		p, err := b.predicate(&ops[0])
		if err != nil {
			return err
		}
		if b.in.Guard.Kind == ir.KindNone {
			b.in.Guard = p
		} else {
			b.in.Src = []ir.Operand{p}
		}
	}
	to, err := b.label(&ops[len(ops)-1])
	b.in.Target = to
	return err
}

// comeBack completes RET: the register has the address in the function.
func comeBack(b *builder) error {
	ops := b.from.Operands
	if b.from.Mnemonic != "RET.REL.NODEC" || len(ops) != 2 || ops[1].Kind != listing.Label || ops[1].Text != b.fn.Name {
		return errors.New("expected RET.REL.NODEC, a register and the function")
	}
	s, err := b.source(&ops[0], 1)
	if err != nil {
		return err
	}
	b.in.Type = ir.U32
	b.in.Src = []ir.Operand{s}
	b.in.Flow, b.in.Targets = ir.FlowAddress, b.returns
	return nil
}

// converge completes BSSY, BSYNC and BREAK. The label of BSSY is where its lanes go on, behind a BSYNC: it is known
// from there.
func converge(b *builder) error {
	ops := b.from.Operands
	want := 1
	if b.in.Op == ir.OpBarrierSet {
		want = 2
	}
	if len(ops) != want || ops[0].Kind != listing.Barrier {
		return fmt.Errorf("expected %d operands, a barrier first", want)
	}
	b.in.Src = []ir.Operand{ir.Imm(uint64(ops[0].N), 1)}
	if want == 2 {
		to, err := b.label(&ops[1])
		if err != nil {
			return err
		}
		b.in.Target = to
	}
	return nil
}

// clearBarrier completes BMOV.32.CLEAR RZ, B0. With another register it would save the barrier.
func clearBarrier(b *builder) error {
	ops := b.from.Operands
	if b.from.Mnemonic != "BMOV.32.CLEAR" || len(ops) != 2 || ops[1].Kind != listing.Barrier ||
		ops[0].Kind != listing.Reg || ops[0].N != listing.Zero {
		return errors.New("expected BMOV.32.CLEAR, RZ and a barrier; saved barriers are not supported")
	}
	b.in.Src = []ir.Operand{ir.Imm(uint64(ops[1].N), 1)}
	return nil
}

// shuffle completes SHFL: the predicate, printed first, goes behind the register.
func shuffle(b *builder) error {
	modes := map[string]ir.Shfl{"UP": ir.ShflUp, "DOWN": ir.ShflDown, "BFLY": ir.ShflBfly, "IDX": ir.ShflIdx}
	names := b.names()
	if len(names) != 1 {
		return errors.New("expected one mode")
	}
	b.in.Mods.Shfl = modes[names[0]]
	b.in.Dst[0], b.in.Dst[1] = b.in.Dst[1], b.in.Dst[0]
	return nil
}

// vote completes VOTE: a register gets the lanes of a predicate, or a predicate the result over all lanes.
func vote(b *builder) error {
	modes := map[string]ir.Vote{"ALL": ir.VoteAll, "ANY": ir.VoteAny, "EQ": ir.VoteUni}
	names, ops := b.names(), b.from.Operands
	if len(names) != 1 || len(ops) != 3 {
		return errors.New("expected one mode and three operands")
	}
	b.in.Mods.Vote = modes[names[0]]
	d, err := b.register(&ops[0], 1)
	if err != nil {
		return err
	}
	p, err := b.target(&ops[1])
	if err != nil {
		return err
	}
	s, err := b.predicate(&ops[2])
	if err != nil {
		return err
	}
	b.in.Src = []ir.Operand{s}
	switch {
	case d.Kind == ir.KindNone:
		b.in.Dst = []ir.Operand{p}
	case p.Kind == ir.KindNone:
		b.in.Type, b.in.Mods.Vote, b.in.Dst = ir.B32, ir.VoteBallot, []ir.Operand{d}
	default:
		return errors.New("a vote with a register and a predicate is not supported")
	}
	return nil
}
