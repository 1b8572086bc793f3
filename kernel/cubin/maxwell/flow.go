package maxwell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// branch completes BRA. A condition on the flags comes besides the guard.
func branch(b *rules.Builder) error {
	ops := b.From.Operands
	if len(ops) == 2 {
		if err := ofFlags(b, &ops[0]); err != nil {
			return err
		}
		ops = ops[1:]
	}
	return target(b, ops)
}

// ofFlags adds a condition on the flags to the guard.
func ofFlags(b *rules.Builder, o *listing.Operand) error {
	p := ir.P(zeroFlag)
	switch o.Text {
	case "CC.EQ":
	case "CC.NE", "CC.NEU":
		p.Neg = true
	default:
		return fmt.Errorf("the condition %s is not supported", o.Text)
	}
	b.Condition(p)
	return nil
}

// leave completes EXIT, with a condition on the flags if there is an operand.
func leave(b *rules.Builder) error {
	if ops := b.From.Operands; len(ops) == 1 && ops[0].Kind == listing.Word {
		return ofFlags(b, &ops[0])
	}
	return rules.Leave(b)
}

// target resolves the only operand, a label.
func target(b *rules.Builder, ops []listing.Operand) (err error) {
	if len(ops) != 1 {
		return fmt.Errorf("%d operands, expected a label", len(ops))
	}
	b.In.Target, err = b.Label(&ops[0])
	return err
}

// call completes CAL.
func call(b *rules.Builder) error {
	b.In.Flow, b.In.Targets = ir.FlowEnter, []int{b.At + 1}
	return target(b, b.From.Operands)
}

// The opcodes that push a meeting place, and those that wait there.
var (
	pushes = map[string]ir.Meeting{"SSY": ir.MeetSync, "PBK": ir.MeetBreak, "PCNT": ir.MeetContinue,
		"PRET": ir.MeetReturn}
	meetings = map[string]ir.Meeting{"SYNC": ir.MeetSync, "BRK": ir.MeetBreak, "CONT": ir.MeetContinue,
		"RET": ir.MeetReturn}
)

// meeting completes SSY, PBK, PCNT and PRET.
func meeting(b *rules.Builder) error {
	b.In.Src = []ir.Operand{ir.Imm(uint64(pushes[b.Opcode()]), 1)}
	return target(b, b.From.Operands)
}

// meet completes SYNC, BRK, CONT and RET.
func meet(b *rules.Builder) error {
	kind := meetings[b.Opcode()]
	b.In.Src = []ir.Operand{ir.Imm(uint64(kind), 1)}
	switch ops := b.From.Operands; {
	case len(ops) > 1:
		return fmt.Errorf("%d operands, expected a condition on the flags at most", len(ops))
	case len(ops) == 1:
		if err := ofFlags(b, &ops[0]); err != nil {
			return err
		}
	}
	if kind == ir.MeetReturn {
		b.In.Targets = append(b.In.Targets, b.Returns...)
	}
	b.In.Targets = append(b.In.Targets, places(b, kind)...)
	return nil
}

// places returns the meeting places that a wait may be at: those the listing names, or all of the kind.
func places(b *rules.Builder, kind ir.Meeting) (out []int) {
	for _, name := range b.From.Targets {
		if to, ok := b.Fn.Labels[name]; ok {
			out = append(out, to)
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := range b.Fn.Insts {
		in := &b.Fn.Insts[i]
		if opcode, _, _ := strings.Cut(in.Mnemonic, "."); pushes[opcode] == kind && len(in.Operands) == 1 {
			if to, err := b.Label(&in.Operands[0]); err == nil && !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// generic completes LD and ST. The predicate behind them is that of LEA.
func generic(b *rules.Builder) error {
	from := *b.From
	if last := len(from.Operands) - 1; last > 0 && from.Operands[last].Kind == listing.Pred {
		from.Operands = from.Operands[:last]
	}
	b.From = &from
	return rules.Generic(b)
}

// fetch completes TEXS and TLDS, fetches with results in two places: a pair of registers for the first two components,
// the second operand, and one for the others, the first operand. P and T say how fetches in flight follow one another.
func fetch(b *rules.Builder) error {
	ops, in := b.From.Operands, b.In
	if b.Opcode() == "TLDS" && !b.Has["LZ"] {
		return errors.New("a fetch of a level in a register is not supported")
	}
	at := 2
	for at < len(ops) && ops[at].Kind == listing.Reg {
		at++
	}
	if at == 2 || len(ops) != at+3 || ops[at].Kind != listing.Int {
		return errors.New("expected two destinations, coordinates, a texture's place, its geometry and components")
	}
	coordinates, err := rules.Geometry(b, ops[at+1].Text)
	if err != nil {
		return err
	}
	if at-2 != coordinates {
		return fmt.Errorf("%d registers with coordinates, expected %d", at-2, coordinates)
	}
	n := map[string]int{"R": 1, "RG": 2, "RGB": 3, "RGBA": 4}[ops[at+2].Text]
	if n == 0 {
		return errors.New("components that are not the first ones are not supported")
	}
	if err := rules.Texels(b, ops[:2], n); err != nil {
		return err
	}
	in.Type, in.SrcType, in.Space = ir.F32, ir.S32, ir.Texture
	if b.Opcode() == "TEXS" {
		in.SrcType = ir.F32
	}
	if err := rules.TextureObject(b, ops[at].Value); err != nil {
		return err
	}
	for i := 2; i < at; i++ {
		s, err := b.Source(&ops[i], 1)
		if err != nil {
			return err
		}
		in.Src = append(in.Src, s)
	}
	return nil
}
