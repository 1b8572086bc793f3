// Package sad is Parboil's motion estimation of H.264: sums of absolute
// differences of 4x4 blocks over a search window, added up to 8x8 and 16x16.
package sad

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name      = "sad"
	reach     = 16
	side      = 2*reach + 1
	positions = side * side
	padded    = 1096 // positions per block, in memory
	threads   = 61
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Parboil",
		Summary: "Sums of absolute differences over a 33x33 search window: 61 threads keep eighteen displacements " +
			"each in registers, bytes from shared memory.",
		Papers: map[string]string{"ltrf": "register-sensitive (inferred)", "gebhart": "stand-in for video processing"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "mb_sad_calc", Block: benchmarks.Dim(threads), Shared: (4+2*reach)*(16+2*reach) + 64},
			{Name: "larger_sad_calc_8", Block: benchmarks.Dim(32, 4)},
			{Name: "larger_sad_calc_16", Block: benchmarks.Dim(32)},
		},
		Outputs: []string{"4x4", "8x8", "16x16"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// frame has a width and height in multiples of 16, the number of 4x4 blocks side by side in a CTA, and the number
// of rows of 4x4 blocks to search. The sums of other rows stay zero. A block takes about 5,000 warp instructions.
// Paper is a QCIF picture.
type frame struct{ w, h, perCTA, rows int }

var sizes = benchmarks.Sizes[frame]{
	Test:  frame{16, 16, 4, 1},
	Small: frame{64, 16, 4, 4},
	Study: frame{96, 96, 1, 24},
	Paper: &frame{176, 144, 1, 36},
}

func run(c *benchmarks.Context, f frame) error {
	current, reference := frames(c, f)
	dcurrent, dreference := host.Upload(c.Device, "current", current), host.Upload(c.Device, "reference", reference)
	blocks := f.w / 4 * f.h / 4
	d4, d8, d16 := c.Alloc("4x4", 2*padded*blocks), c.Alloc("8x8", 2*padded*blocks/4),
		c.Alloc("16x16", 2*padded*blocks/16)
	err := c.Launch("mb_sad_calc", benchmarks.Dim(f.w/4/f.perCTA, f.rows), benchmarks.Dim(threads),
		host.U64(dcurrent), host.U64(dreference), host.U64(d4), host.S32(int32(f.w)), host.S32(int32(f.h)),
		host.S32(int32(f.perCTA)))
	if err != nil {
		return err
	}
	err = c.Launch("larger_sad_calc_8", benchmarks.Dim(benchmarks.CeilDiv(blocks/4, 4)), benchmarks.Dim(32, 4),
		host.U64(d4), host.U64(d8), host.S32(int32(f.w/8)), host.S32(int32(blocks/4)))
	if err != nil {
		return err
	}
	err = c.Launch("larger_sad_calc_16", benchmarks.Dim(blocks/16), benchmarks.Dim(32), host.U64(d8), host.U64(d16),
		host.S32(int32(f.w/16)))
	if err != nil {
		return err
	}
	for _, level := range []struct {
		name string
		addr uint64
		side int
	}{{"4x4", d4, 4}, {"8x8", d8, 8}, {"16x16", d16, 16}} {
		want := search(f, current, reference, level.side)
		if err := benchmarks.Equal(level.name, host.Read[uint16](c.Device, level.addr, len(want)), want); err != nil {
			return err
		}
	}
	return nil
}

// frames returns a picture, and the same picture moved by a few pixels, with noise.
func frames(c *benchmarks.Context, f frame) (current, reference []byte) {
	r := c.Rand("frames")
	reference = make([]byte, f.w*f.h)
	for i := range reference {
		reference[i] = byte(r.Uint32())
	}
	current = make([]byte, f.w*f.h)
	for y := range f.h {
		for x := range f.w {
			from := min(y+3, f.h-1)*f.w + max(x-5, 0)
			current[y*f.w+x] = reference[from] ^ byte(r.Uint32N(8))
		}
	}
	return current, reference
}

// search computes every sum of blocks of the given side from the pixels.
func search(f frame, current, reference []byte, size int) []uint16 {
	across, down := f.w/size, f.h/size
	out := make([]uint16, across*down*padded)
	for b := range across * down {
		for p := range positions {
			dy, dx := p/side-reach, p%side-reach
			sum := 0
			for i := range size * size {
				y, x := b/across*size+i/size, b%across*size+i%size
				if y >= 4*f.rows {
					continue
				}
				ry, rx := min(max(y+dy, 0), f.h-1), min(max(x+dx, 0), f.w-1)
				d := int(current[y*f.w+x]) - int(reference[ry*f.w+rx])
				sum += max(d, -d)
			}
			out[b*padded+p] = uint16(sum)
		}
	}
	return out
}
