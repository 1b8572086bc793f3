package volta

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// fetch completes TEX.LL and TLD.LZ, fetches with results in two places: a pair of registers for the first two
// components, the second operand, and one for the others, the first operand. The coordinates are in consecutive
// registers, and for TEX the level of detail is in one behind them. Two operands say where the texture object is: since
// Hopper a uniform register, and before it, with SCR, the place in bank 0, in words; then the coordinates of TLD are in
// registers of their own. A number at the end has a bit per component; without one they are all there.
func fetch(b *rules.Builder) error {
	ops, in := b.From.Operands, b.In
	level := b.Opcode() == "TEX"
	want := map[bool]string{true: "LL", false: "LZ"}[level]
	if !b.Has[want] {
		return fmt.Errorf("expected %s.%s", b.Opcode(), want)
	}
	at := 2
	for at < len(ops) && ops[at].Kind == listing.Reg {
		at++
	}
	if at == 2 || len(ops) < at+3 || ops[at+1].Kind != listing.Int {
		return errors.New("expected two destinations, coordinates, the place of the texture and its geometry")
	}
	n, err := rules.Geometry(b, ops[at+2].Text)
	if err != nil {
		return err
	}
	components := 4
	if mask := ops[at+3:]; len(mask) > 0 {
		components = map[int64]int{1: 1, 3: 2, 7: 3}[mask[0].Value]
		if len(mask) > 1 || mask[0].Kind != listing.Int || components == 0 {
			return errors.New("components that are not the first ones are not supported")
		}
	}
	if err := rules.Texels(b, ops[:2], components); err != nil {
		return err
	}
	in.Type, in.SrcType, in.Space = ir.F32, ir.S32, ir.Texture
	if level {
		in.SrcType = ir.F32
	}
	if err := place(b, &ops[at], &ops[at+1]); err != nil {
		return err
	}
	return coordinates(b, ops[2:at], n)
}

// place sets the texture object of a fetch.
func place(b *rules.Builder, first, second *listing.Operand) (err error) {
	switch {
	case b.Has["SCR"] && first.Kind == listing.Int && first.Value == 0:
		return rules.TextureObject(b, second.Value)
	case !b.Has["SCR"] && first.Kind == listing.UReg && second.Value == 0:
		b.In.Addr.Base, err = b.Number(listing.UReg, first.N, 1)
		return err
	}
	return errors.New("a texture that is neither a parameter nor in a uniform register is not supported")
}

// coordinates resolves n coordinates, and the level of detail of TEX.
func coordinates(b *rules.Builder, ops []listing.Operand, n int) error {
	level, one := b.Opcode() == "TEX", b.Opcode() == "TLD" && b.Has["SCR"]
	want := 1
	switch {
	case one:
		want = n
	case level:
		want = 2
	}
	if len(ops) != want {
		return fmt.Errorf("%d registers with coordinates, expected %d", len(ops), want)
	}
	if one {
		for i := range ops {
			s, err := b.Source(&ops[i], 1)
			if err != nil {
				return err
			}
			b.In.Src = append(b.In.Src, s)
		}
		return nil
	}
	s, err := b.Source(&ops[0], n)
	if err != nil {
		return err
	}
	if s.Kind != ir.KindReg || s.Neg || s.Abs {
		return errors.New("coordinates that are not registers")
	}
	for i := range n {
		b.In.Src = append(b.In.Src, ir.R(s.Reg+ir.Reg(i), 1))
	}
	if level {
		s, err = b.Source(&ops[1], 1)
		b.In.Src = append(b.In.Src, s)
	}
	return err
}
