package volta

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// fetch completes TEX.SCR.LL and TLD.SCR.LZ, fetches with results in two places: a pair of registers for the first two
// components, the second operand, and one for the others, the first operand. The coordinates of TEX are in consecutive
// registers, with the level of detail behind; those of TLD in two registers. The two numbers say where in bank 0 the
// texture object is, in words. A number at the end has a bit per component; without one they are all there.
func fetch(b *rules.Builder) error {
	ops, in := b.From.Operands, b.In
	level := b.Opcode() == "TEX"
	if b.From.Mnemonic != "TEX.SCR.LL" && b.From.Mnemonic != "TLD.SCR.LZ" {
		return errors.New("expected TEX.SCR.LL or TLD.SCR.LZ")
	}
	at := 2
	for at < len(ops) && ops[at].Kind == listing.Reg {
		at++
	}
	if at == 2 || len(ops) < at+3 || ops[at].Kind != listing.Int || ops[at+1].Kind != listing.Int {
		return errors.New("expected two destinations, coordinates, the place of the texture and its geometry")
	}
	n, err := rules.Geometry(b, ops[at+2].Text)
	if err != nil {
		return err
	}
	if want := map[bool]int{true: 2, false: n}[level]; at-2 != want {
		return fmt.Errorf("%d registers with coordinates, expected %d", at-2, want)
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
	if ops[at].Value != 0 {
		return errors.New("a texture that is not a parameter is not supported")
	}
	if err := rules.TextureObject(b, ops[at+1].Value); err != nil {
		return err
	}
	return coordinates(b, ops[2:at], n, level)
}

// coordinates resolves n coordinates: of TEX those from one register on, and the level of detail.
func coordinates(b *rules.Builder, ops []listing.Operand, n int, level bool) error {
	if !level {
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
	lod, err := b.Source(&ops[1], 1)
	b.In.Src = append(b.In.Src, lod)
	return err
}
