// Package stencil is Parboil's seven-point Jacobi iteration in three dimensions,
// marching along z with planes in registers.
package stencil

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name   = "stencil"
	flat   = "stencil.32x4"
	width  = 32 // threads; a CTA covers twice as many cells
	c0, c1 = 1.0 / 6, 1.0 / 36
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"ST"},
		Suite:   "Parboil",
		Summary: "Seven-point Jacobi iteration in three dimensions: 64x16 columns per CTA, two per thread, marching " +
			"along z with two barriers a plane.",
		Papers:  map[string]string{"finereg": "type-S", "sharing": "set-1 (registers)"},
		Kernels: []benchmarks.KernelInfo{tall.info(28)},
		Outputs: []string{"even", "odd"},
		New:     benchmarks.New(name, source, &sizes, tall.run),
	})
	benchmarks.Register(&benchmarks.App{
		Name:    flat,
		Suite:   "Parboil",
		Summary: "stencil with the CTAs of Parboil's own main programs, 64x4 columns of 32x4 threads.",
		Papers:  map[string]string{"finereg": "type-S"},
		Kernels: []benchmarks.KernelInfo{low.info(0)},
		Outputs: []string{"even", "odd"},
		New:     benchmarks.New(flat, source, &sizes, low.run),
	})
}

// kernel is one of the kernels, by the height of its CTAs.
type kernel struct {
	name   string
	height int // threads
}

var tall, low = kernel{"block2D_hybrid_coarsen_x", 16}, kernel{"block2D_hybrid_coarsen_x4", 4}

func (k kernel) block() [3]int { return benchmarks.Dim(width, k.height) }

// info describes the kernel. registers is the number per thread printed in the papers; 0: none.
func (k kernel) info(registers int) benchmarks.KernelInfo {
	return benchmarks.KernelInfo{Name: k.name, Block: k.block(), Shared: 4 * 2 * width * k.height,
		PaperRegisters: registers}
}

type volume struct{ x, y, z, steps int }

// Paper is Parboil's small input.
var sizes = benchmarks.Sizes[volume]{
	Test:  volume{70, 18, 4, 1},
	Small: volume{128, 32, 24, 2},
	Study: volume{768, 128, 10, 2},
	Large: &volume{832, 160, 10, 2}, // 130 CTAs
	Paper: &volume{128, 128, 32, 100},
}

func (k kernel) run(c *benchmarks.Context, v volume) error {
	n := v.x * v.y * v.z
	in := c.Floats("volume", n, 0, 1)
	from, to := host.Upload(c.Device, "even", in), host.Upload(c.Device, "odd", in)
	names := [2]string{"even", "odd"}
	grid := benchmarks.Dim(benchmarks.CeilDiv(v.x, 2*width), benchmarks.CeilDiv(v.y, k.height))
	state := benchmarks.Widen(in)
	previous := state
	for range v.steps {
		err := c.Launch(k.name, grid, k.block(), host.F32(c0), host.F32(c1),
			host.U64(from), host.U64(to), host.S32(int32(v.x)), host.S32(int32(v.y)), host.S32(int32(v.z)))
		if err != nil {
			return err
		}
		from, to = to, from
		names[0], names[1] = names[1], names[0]
		state, previous = step(v, state), state
	}
	// Seven terms of order one are summed, and a step shrinks errors.
	tol := benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-6}
	return cmp.Or(benchmarks.Close(names[0], host.Read[float32](c.Device, from, n), state, tol),
		benchmarks.Close(names[1], host.Read[float32](c.Device, to, n), previous, tol))
}

// step returns the state after one Jacobi step. The surface stays.
func step(v volume, in []float64) []float64 {
	out := append([]float64(nil), in...)
	layer := v.x * v.y
	for z := 1; z < v.z-1; z++ {
		for y := 1; y < v.y-1; y++ {
			for x := 1; x < v.x-1; x++ {
				i := z*layer + y*v.x + x
				out[i] = c1*(in[i-1]+in[i+1]+in[i-v.x]+in[i+v.x]+in[i-layer]+in[i+layer]) - c0*in[i]
			}
		}
	}
	return out
}
