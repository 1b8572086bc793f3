package texture

import (
	"math"

	"kumiko/kernel/ir"
)

// Gather reads one channel of the four texels combined by linear filtering, in the order of PTX ISA section
// 9.7.11.4: counter-clockwise from the lower left one, with the lower x and the higher y.
func (t *Texture) Gather(data []byte, g ir.Tex, c Coord, channel int) Texel {
	var first [2]float64
	for i := range first {
		first[i] = math.Floor(t.place(i, c.X[i]) - 0.5)
	}
	layer := int(min(c.Layer, uint32(t.layers()-1)))
	var out Texel
	for k, corner := range [4][2]float64{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		var at [3]int
		inside := true
		for i := range first {
			n, ok := t.index(i, first[i]+corner[i])
			at[i], inside = n, inside && ok
		}
		texel := t.point(data, at, layer, inside)
		out.Bits[k], out.Offset = texel.Bits[channel], texel.Offset
	}
	return out
}

// Query returns the value of a property.
func (t *Texture) Query(q ir.Query) uint64 {
	switch q {
	case ir.QueryWidth:
		return uint64(t.Width)
	case ir.QueryHeight:
		return uint64(t.height())
	case ir.QueryDepth:
		return uint64(t.depth())
	case ir.QueryLayers:
		return uint64(t.layers())
	case ir.QueryTexelBytes:
		return uint64(t.TexelBytes())
	case ir.QueryRowBytes:
		return uint64(t.Width * t.TexelBytes())
	case ir.QueryNormalized:
		if t.Normalized {
			return 1
		}
	case ir.QueryFilter:
		return uint64(t.Filter)
	case ir.QueryMode0, ir.QueryMode1, ir.QueryMode2:
		return map[Mode]uint64{Wrap: 0, Mirror: 1, Clamp: 3, Border: 4}[t.Address[q-ir.QueryMode0]]
	case ir.QueryAddress:
		return t.Addr
	}
	return 0
}
