package rules

import (
	"errors"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Geometry sets the geometry of a fetch, and returns the number of its coordinates.
func Geometry(b *Builder, name string) (coordinates int, err error) {
	switch name {
	case "1D":
		b.In.Mods.Tex = ir.Tex1D
		return 1, nil
	case "2D":
		b.In.Mods.Tex = ir.Tex2D
		return 2, nil
	}
	return 0, fmt.Errorf("the geometry %s is not supported", name)
}

// Texels resolves the destinations of n components: the first two are in consecutive registers from the second
// operand on, the others from the first one on.
func Texels(b *Builder, dst []listing.Operand, n int) error {
	for i := range n {
		o := dst[1-i/2]
		if o.Kind == listing.Reg && o.N != listing.Zero {
			o.N += i % 2
		}
		d, err := b.Register(&o, 1)
		if err != nil {
			return err
		}
		b.In.Dst = append(b.In.Dst, d)
	}
	return nil
}

// TextureObject sets the texture of a fetch: the parameter at a place in bank 0, in words.
func TextureObject(b *Builder, word int64) error {
	place := 4*word - int64(b.Fn.ParamBase)
	if place < 0 || place+8 > int64(b.Fn.ParamBytes) {
		return errors.New("a texture that is not a parameter is not supported")
	}
	b.In.Addr.Base = ir.Operand{Kind: ir.KindParam, Words: 2, Imm: uint64(place)}
	return nil
}
