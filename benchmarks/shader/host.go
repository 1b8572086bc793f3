// Package shader has pixel shaders of the project's own. They replace the shaders of games among the traces of
// Gebhart et al. (section 5, table 1), which are proprietary. They are short kernels with few registers and many
// threads, and read textures. Each shader is an application.
package shader

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

//go:embed kernel.ptx
var source []byte

// side is the side of the textures in texels, a power of two.
const side = 64

// threshold is the value below which a leaf does not cover a pixel.
const threshold = 0.4

// wide and high are the pixels of a CTA. Eight CTAs, the maximum on a Fermi SM, make the 32 warps of the SM in
// Gebhart et al.
const wide, high = 8, 16

// picture is the target's size in pixels, multiples of the CTA's.
type picture struct{ width, height int }

// Study is 384 CTAs of four warps; Gebhart et al. have 13,000 threads on average.
var sizes = benchmarks.Sizes[picture]{
	Test:  picture{64, 16},
	Small: picture{192, 128},
	Study: picture{256, 192},
}

// scene is the input of a shader.
type scene struct {
	*benchmarks.Context
	picture
	du, dv          float32 // texture coordinates per pixel
	albedo, normals image
	depth, leaves   image
	frame           image
}

// shader is one of the kernels, with a function for its handles and arguments and one for the colour of a pixel on
// the host.
type shader struct {
	name, summary string
	args          func(*scene) ([]host.Arg, error)
	pixel         func(s *scene, x, y int, u, v float64) [4]float64
	tol           float64
}

func init() {
	for _, s := range shaders {
		benchmarks.Register(&benchmarks.App{
			Name: "shader." + s.name, Suite: "Kumiko", Summary: s.summary,
			Papers:  map[string]string{"gebhart": "stand-in for shader"},
			Kernels: []benchmarks.KernelInfo{{Name: s.name, Block: benchmarks.Dim(wide, high)}},
			Outputs: []string{"target"},
			New:     benchmarks.New("shader."+s.name, source, &sizes, s.run),
		})
	}
}

func (k *shader) run(c *benchmarks.Context, p picture) error {
	s := &scene{Context: c, picture: p, du: 1.0 / 96, dv: 1.0 / 96}
	s.albedo, s.normals = s.bytes("albedo"), s.bytes("normals")
	s.depth, s.leaves = s.floats("depth", side, side, 1), s.covers()
	s.frame = s.floats("frame", p.width, p.height, 4)
	args, err := k.args(s)
	if err != nil {
		return err
	}
	target := c.Alloc("target", 16*p.width*p.height)
	args = append(args, host.U64(target), host.F32(s.du), host.F32(s.dv))
	switch k.name {
	case "shadow":
		args = append(args, host.S32(side-1))
	case "foliage":
		args = append(args, host.F32(threshold))
	}
	err = c.Launch(k.name, benchmarks.Dim(p.width/wide, p.height/high), benchmarks.Dim(wide, high), args...)
	if err != nil {
		return err
	}
	want := make([]float64, 0, 4*p.width*p.height)
	for y := range p.height {
		for x := range p.width {
			colour := k.pixel(s, x, y, (float64(x)+0.5)*float64(s.du), (float64(y)+0.5)*float64(s.dv))
			want = append(want, colour[:]...)
		}
	}
	return benchmarks.Close("target", host.Read[float32](c.Device, target, len(want)), want,
		benchmarks.Tolerance{Abs: k.tol})
}

// bytes makes a texture of four bytes per texel, read as fractions, filtered and repeated.
func (s *scene) bytes(name string) image {
	im := image{width: side, height: side, channels: 4}
	raw := make([]uint8, 4*side*side)
	for i, v := range s.Ints(name, len(raw), 0, 255) {
		raw[i] = uint8(v)
		im.texels = append(im.texels, float64(v)/255)
	}
	im.t = texture.Texture{Addr: host.Upload(s.Device, name, raw), Type: ir.U8, Channels: 4, Width: side, Height: side,
		Filter:  texture.Linear,
		Address: [3]texture.Mode{texture.Wrap, texture.Wrap, texture.Wrap}, Normalized: true, ReadNormalized: true}
	return im
}

// floats makes a texture of numbers from 0 to 1.
func (s *scene) floats(name string, width, height, channels int) image {
	raw := s.Floats(name, width*height*channels, 0, 1)
	return s.numbers(name, raw, width, height, channels)
}

func (s *scene) numbers(name string, raw []float32, width, height, channels int) image {
	im := image{width: width, height: height, channels: channels, texels: benchmarks.Widen(raw)}
	im.t = texture.Texture{Addr: host.Upload(s.Device, name, raw), Type: ir.F32, Channels: channels, Width: width,
		Height: height}
	if channels == 4 {
		im.t.Filter, im.t.Normalized = texture.Linear, true
	}
	return im
}

// covers returns leaves: blocks of 8x8 texels, either bare or mixed.
func (s *scene) covers() image {
	raw := s.Floats("leaves", side*side, 0.1, 1)
	bare := s.Ints("bare", side*side/64, 0, 1)
	for i := range raw {
		if bare[i/side/8*(side/8)+i%side/8] == 1 {
			raw[i] *= threshold
		}
	}
	return s.numbers("leaves", raw, side, side, 1)
}
