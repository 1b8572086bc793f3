package rules

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Special completes S2R, S2UR and CS2R.
func Special(b *Builder) error {
	ops := b.From.Operands
	if len(ops) != 2 || ops[1].Kind != listing.Word {
		return errors.New("expected a register and a special register")
	}
	words := 1
	if b.Opcode() == "CS2R" && !b.Has["32"] {
		words = 2
	} else {
		b.In.Type = ir.B32
	}
	d, err := b.Register(&ops[0], words)
	if err != nil {
		return err
	}
	b.In.Dst = []ir.Operand{d}
	name := ops[1].Text
	if name == "SRZ" {
		b.In.Src = []ir.Operand{ir.Imm(0, words)}
		return nil
	}
	if at, ok := map[string]int64{"SR_SWINLO": 0, "SR_SWINHI": 4}[name]; ok && words == 1 {
		b.In.Src = []ir.Operand{window(ir.SharedWindow, at, 1)} // the address of shared memory among generic ones
		return nil
	}
	s, ok := specials[name]
	if !ok || words == 2 && s != ir.Clock64 || words == 1 && s == ir.Clock64 {
		return fmt.Errorf("the special register %s is not supported", name)
	}
	b.In.Src = []ir.Operand{{Kind: ir.KindSpecial, Special: s, Words: uint8(words)}}
	return nil
}

var specials = map[string]ir.Special{"SR_TID.X": ir.TidX, "SR_TID.Y": ir.TidY, "SR_TID.Z": ir.TidZ,

	"SR_CTAID.X": ir.CtaidX, "SR_CTAID.Y": ir.CtaidY, "SR_CTAID.Z": ir.CtaidZ, "SR_LANEID": ir.LaneID,
	"SR_EQMASK": ir.LanemaskEq, "SR_LEMASK": ir.LanemaskLe, "SR_LTMASK": ir.LanemaskLt, "SR_GEMASK": ir.LanemaskGe,
	"SR_GTMASK": ir.LanemaskGt, "SR_CLOCKLO": ir.Clock, "SR_CLOCKHI": ir.ClockHi,
	"SR_CgaCtaId": ir.ClusterCtarank}

// PackPreds completes P2R and UP2UR: P2R R0, PR, R1, 0x7f.
func PackPreds(b *Builder) error {
	ops := b.From.Operands
	from, first := "PR", 0
	if b.Uniform {
		from, first = "UPR", ir.UniformPreds
	}
	if len(ops) != 4 || ops[1].Text != from || ops[3].Kind != listing.Int || ops[3].Value&^0x7f != 0 {
		return errors.New("expected a register, PR, a register and a mask of seven predicates")
	}
	d, err := b.Register(&ops[0], 1)
	if err != nil {
		return err
	}
	s, err := b.Source(&ops[2], 1)
	if err != nil {
		return err
	}
	b.In.Dst = []ir.Operand{d}
	b.In.Src = []ir.Operand{s, ir.Imm(uint64(ops[3].Value), 1)}
	for i := range listing.True {
		b.In.Src = append(b.In.Src, ir.P(ir.Pred(first+i)))
	}
	return nil
}

// UnpackPreds completes R2P: R2P PR, R0.B1, 0x7f.
func UnpackPreds(b *Builder) error {
	ops := b.From.Operands
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
	s, err := b.Source(&from, 1)
	if err != nil {
		return err
	}
	b.In.Src = []ir.Operand{s, ir.Imm(shift, 1)}
	for i := range listing.True {
		d := ir.Operand{}
		if ops[2].Value>>i&1 != 0 {
			d = ir.P(ir.Pred(i))
		}
		b.In.Dst = append(b.In.Dst, d)
	}
	return nil
}

// Opcode returns the mnemonic without suffixes, and names returns the suffixes.
func (b *Builder) Opcode() string {
	name, _, _ := strings.Cut(b.From.Mnemonic, ".")
	return name
}

func (b *Builder) Names() []string { return strings.Split(b.From.Mnemonic, ".")[1:] }

// Label returns the instruction behind a label.
func (b *Builder) Label(o *listing.Operand) (int, error) {
	if o.Kind != listing.Label {
		return 0, errors.New("an operand that is not a label, expected one")
	}
	to, ok := b.Fn.Labels[o.Text]
	if !ok {
		return 0, fmt.Errorf("the label %s is not in the function", o.Text)
	}
	return to, nil
}

// Nothing completes an instruction whose operands order what is in order here anyway.
func Nothing(b *Builder) error {
	b.In.Mods = ir.Mods{}
	return nil
}

// Shuffle completes SHFL: the predicate, printed first, goes behind the register.
func Shuffle(b *Builder) error {
	modes := map[string]ir.Shfl{"UP": ir.ShflUp, "DOWN": ir.ShflDown, "BFLY": ir.ShflBfly, "IDX": ir.ShflIdx}
	names := b.Names()
	if len(names) != 1 {
		return errors.New("expected one mode")
	}
	b.In.Mods.Shfl = modes[names[0]]
	b.In.Dst[0], b.In.Dst[1] = b.In.Dst[1], b.In.Dst[0]
	return nil
}

// Vote completes VOTE: a register gets the lanes of a predicate, or a predicate the result over all lanes.
func Vote(b *Builder) error {
	modes := map[string]ir.Vote{"ALL": ir.VoteAll, "ANY": ir.VoteAny, "EQ": ir.VoteUni}
	names, ops := b.Names(), b.From.Operands
	if len(ops) == 2 && (ops[0].Kind == listing.Pred || ops[0].Kind == listing.UPred) { // the register is left out
		none := listing.Reg
		if b.Uniform {
			none = listing.UReg
		}
		ops = append([]listing.Operand{{Kind: none, N: listing.Zero}}, ops...)
	}
	if len(names) != 1 || len(ops) != 3 {
		return errors.New("expected one mode and three operands")
	}
	b.In.Mods.Vote = modes[names[0]]
	d, err := b.Register(&ops[0], 1)
	if err != nil {
		return err
	}
	p, err := b.Target(&ops[1])
	if err != nil {
		return err
	}
	s, err := b.Predicate(&ops[2])
	if err != nil {
		return err
	}
	b.In.Src = []ir.Operand{s}
	switch {
	case d.Kind == ir.KindNone:
		b.In.Dst = []ir.Operand{p}
	case p.Kind == ir.KindNone:
		b.In.Type, b.In.Mods.Vote, b.In.Dst = ir.B32, ir.VoteBallot, []ir.Operand{d}
	default:
		return errors.New("a vote with a register and a predicate is not supported")
	}
	return nil
}
