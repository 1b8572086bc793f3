package texture

import (
	"encoding/binary"
	"math"

	"kumiko/kernel/ir"
)

// Coord is the place of a fetch: a layer, and the coordinates of the instruction.
type Coord struct {
	Layer uint32
	X     [3]float32
}

// Texel is the result of a fetch: a word per channel, and the byte offset of the base texel, the texel with the
// lowest indices of those combined. Channels absent from the texture are 0, the fourth 1: neither the ISA nor the
// guide defines them.
type Texel struct {
	Bits   [4]uint32
	Offset int
}

// Fetch samples the texture, with its texels in data, at floating-point coordinates. The instruction must fit
// (Fits).
func (t *Texture) Fetch(data []byte, g ir.Tex, c Coord) Texel {
	dims, _ := shape(g)
	var x [3]float64
	layer := int(min(c.Layer, uint32(t.layers()-1)))
	if g == ir.TexCube || g == ir.TexACube {
		face, s, u := cubeFace(c.X)
		layer = face
		if g == ir.TexACube {
			layer += 6 * int(min(c.Layer, uint32(t.layers()/6-1)))
		}
		x[0], x[1] = s*float64(t.Width), u*float64(t.Width)
	} else {
		for i := range dims {
			x[i] = t.place(i, c.X[i])
		}
	}
	if t.Filter == Linear {
		return t.linear(data, x, dims, layer)
	}
	var at [3]int
	inside := true
	for i := range dims {
		n, ok := t.index(i, math.Floor(x[i]))
		at[i], inside = n, inside && ok
	}
	return t.point(data, at, layer, inside)
}

// FetchInt reads the texel at integer coordinates, without filtering. Outside the texture everything is zero, as in
// the guide for linear memory.
func (t *Texture) FetchInt(data []byte, g ir.Tex, layer uint32, x [3]int32) Texel {
	dims, _ := shape(g)
	var at [3]int
	inside := true
	for i := range dims {
		at[i] = min(max(int(x[i]), 0), t.size(i)-1)
		inside = inside && at[i] == int(x[i])
	}
	return t.point(data, at, int(min(layer, uint32(t.layers()-1))), inside)
}

func (t *Texture) size(axis int) int {
	return [3]int{t.Width, t.height(), t.depth()}[axis]
}

// place converts a coordinate to texels, with wrap and mirror applied. NaN counts as 0.
func (t *Texture) place(axis int, c float32) float64 {
	x := float64(c)
	if x != x {
		return 0
	}
	if math.IsInf(x, 0) {
		x = math.Copysign(math.MaxFloat32, x)
	}
	if !t.Normalized {
		return x
	}
	switch whole := math.Floor(x); {
	case t.Address[axis] == Wrap, t.Address[axis] == Mirror && math.Mod(whole, 2) == 0:
		x -= whole
	case t.Address[axis] == Mirror:
		x = 1 - (x - whole)
	}
	return x * float64(t.size(axis))
}

// index returns the index of the texel at an integral coordinate, and whether it exists.
func (t *Texture) index(axis int, x float64) (int, bool) {
	n := t.size(axis)
	i := int(min(max(x, -1), float64(n)))
	if i >= 0 && i < n {
		return i, true
	}
	if t.Address[axis] == Wrap {
		return (i + n) % n, true
	}
	return min(max(i, 0), n-1), t.Address[axis] != Border
}

func (t *Texture) offset(at [3]int, layer int) int {
	return (((layer*t.depth()+at[2])*t.height()+at[1])*t.Width + at[0]) * t.TexelBytes()
}

// point reads one texel.
func (t *Texture) point(data []byte, at [3]int, layer int, inside bool) Texel {
	out := Texel{Offset: t.offset(at, layer)}
	t.absent(&out)
	if !inside {
		return out
	}
	for c := range t.Channels {
		if t.Type == ir.F32 || !t.ReadNormalized {
			out.Bits[c] = t.raw(data, out.Offset, c)
		} else {
			out.Bits[c] = math.Float32bits(float32(t.value(data, out.Offset, c)))
		}
	}
	return out
}

// absent sets the channels absent from the texture.
func (t *Texture) absent(out *Texel) {
	if t.Channels == 4 {
		return
	}
	out.Bits[3] = 1
	if t.Type == ir.F32 || t.ReadNormalized {
		out.Bits[3] = math.Float32bits(1)
	}
}

// raw returns a channel's bits, extended to 32.
func (t *Texture) raw(data []byte, off, channel int) uint32 {
	off += channel * t.Type.Size()
	switch t.Type {
	case ir.U8:
		return uint32(data[off])
	case ir.S8:
		return uint32(int32(int8(data[off])))
	case ir.U16:
		return uint32(binary.LittleEndian.Uint16(data[off:]))
	case ir.S16:
		return uint32(int32(int16(binary.LittleEndian.Uint16(data[off:]))))
	}
	return binary.LittleEndian.Uint32(data[off:])
}

// value returns a channel as the number used in filtering.
func (t *Texture) value(data []byte, off, channel int) float64 {
	v := t.raw(data, off, channel)
	switch t.Type {
	case ir.U8:
		return float64(v) / math.MaxUint8
	case ir.U16:
		return float64(v) / math.MaxUint16
	case ir.S8:
		return max(float64(int32(v))/math.MaxInt8, -1)
	case ir.S16:
		return max(float64(int32(v))/math.MaxInt16, -1)
	}
	return float64(math.Float32frombits(v))
}
