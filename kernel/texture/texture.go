package texture

import (
	"fmt"

	"kumiko/kernel/ir"
)

// Filter is the combination of texels by a fetch with floating-point coordinates.
type Filter uint8

// Filters.
const (
	Point Filter = iota
	Linear
)

// Mode is the handling of a coordinate outside the texture.
type Mode uint8

// Address modes. Wrap and Mirror are only for normalised coordinates.
const (
	Clamp  Mode = iota // the nearest texel
	Border             // zero
	Wrap               // the texture repeats
	Mirror             // it repeats, every other time reversed
)

// Texture describes texels in global memory and how to sample them.
type Texture struct {
	Addr     uint64  // of the first texel, in bytes
	Type     ir.Type // of a channel: u8, s8, u16, s16, u32, s32 or f32
	Channels int     // 1, 2 or 4
	// Width, Height and Depth are sizes in texels; Layers counts the layers of
	// an array, and six faces per cube. 0 stands for 1.
	Width, Height, Depth, Layers int
	Filter                       Filter
	Address                      [3]Mode // of x, y and z
	Normalized                   bool    // coordinates are fractions of the size
	// ReadNormalized: 8- and 16-bit integers are read as fractions of the
	// largest, from 0 to 1 or from -1 to 1.
	ReadNormalized bool
}

func (t *Texture) height() int { return max(t.Height, 1) }
func (t *Texture) depth() int  { return max(t.Depth, 1) }
func (t *Texture) layers() int { return max(t.Layers, 1) }

// TexelBytes returns the size of a texel.
func (t *Texture) TexelBytes() int { return t.Type.Size() * t.Channels }

// Bytes returns the size of all texels.
func (t *Texture) Bytes() int {
	return t.Width * t.height() * t.depth() * t.layers() * t.TexelBytes()
}

// maxSize bounds each size in texels (CUDA C++ Programming Guide, technical
// specifications: the largest of all, a linear one-dimensional texture).
const maxSize = 1 << 28

// Check returns an error for an invalid texture, whatever its use. Sizes are in texels, addresses in bytes.
func (t *Texture) Check() error {
	switch t.Type {
	case ir.U8, ir.S8, ir.U16, ir.S16, ir.U32, ir.S32, ir.F32:
	default:
		return fmt.Errorf("channels of type %q, expected u8, s8, u16, s16, u32, s32 or f32", t.Type)
	}
	if t.Channels != 1 && t.Channels != 2 && t.Channels != 4 {
		return fmt.Errorf("%d channels, expected 1, 2 or 4", t.Channels)
	}
	texels := 1
	for i, n := range []int{t.Width, t.height(), t.depth(), t.layers()} {
		if n < 1 || n > maxSize || texels > maxSize/n {
			return fmt.Errorf("%s %d, expected at least 1 and no more than 2^28 texels in all",
				[...]string{"width", "height", "depth", "layers"}[i], n)
		}
		texels *= n
	}
	if t.depth() > 1 && t.layers() > 1 {
		return fmt.Errorf("%d slices and %d layers, expected one of them to be 1", t.depth(), t.layers())
	}
	if t.ReadNormalized && (t.Type == ir.F32 || t.Type.Size() > 2) {
		return fmt.Errorf("channels of type %s read as normalised, expected 8- or 16-bit integers", t.Type)
	}
	if t.Filter == Linear && t.Type != ir.F32 && !t.ReadNormalized {
		return fmt.Errorf("linear filtering of %s, expected channels that are read as floating-point numbers", t.Type)
	}
	for i, m := range t.Address {
		if m >= Wrap && !t.Normalized {
			return fmt.Errorf("address mode wrap or mirror of %c, expected clamp or border with coordinates that are "+
				"not normalised", "xyz"[i])
		}
	}
	if n := t.TexelBytes(); t.Addr%uint64(n) != 0 {
		return fmt.Errorf("texels at address %#x, expected a multiple of their %d bytes", t.Addr, n)
	}
	return nil
}

// Fits returns an error if an instruction of geometry g with coordinates of type coord and results of type result
// cannot read the texture.
func (t *Texture) Fits(g ir.Tex, coord, result ir.Type) error {
	if t.Type == ir.F32 || t.ReadNormalized {
		if result != ir.F32 {
			return fmt.Errorf("results of type %s of a texture that is read as f32", result)
		}
	} else if result == ir.F32 {
		return fmt.Errorf("results of type f32 of a texture of %s", t.Type)
	}
	dims, layered := shape(g)
	switch {
	case dims < 2 && t.height() > 1, dims < 3 && t.depth() > 1:
		return fmt.Errorf("%d coordinates for a texture of %d x %d x %d texels", dims, t.Width, t.height(), t.depth())
	case !layered && t.layers() > 1:
		return fmt.Errorf("no layer coordinate for a texture of %d layers", t.layers())
	}
	if g == ir.TexCube || g == ir.TexACube {
		switch {
		case coord != ir.F32:
			return fmt.Errorf("coordinates of type %s for a cube", coord)
		case t.layers()%6 != 0 || g == ir.TexCube && t.layers() != 6 || t.Width != t.height():
			return fmt.Errorf("a cube of %d layers of %d x %d texels, expected six square ones", t.layers(), t.Width,
				t.height())
		}
	}
	return nil
}

// Coordinates returns the number of coordinates of a geometry, without the layer.
func Coordinates(g ir.Tex) int {
	if g == ir.TexCube || g == ir.TexACube {
		return 3
	}
	dims, _ := shape(g)
	return dims
}

// shape returns the number of dimensions of a geometry, and whether a layer or a face is selected too.
func shape(g ir.Tex) (dims int, layered bool) {
	switch g {
	case ir.Tex1D:
		return 1, false
	case ir.TexA1D:
		return 1, true
	case ir.Tex2D:
		return 2, false
	case ir.Tex3D:
		return 3, false
	}
	return 2, true
}
