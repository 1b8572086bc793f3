// Package fdtd2d is Polybench's finite-difference time-domain method in two
// dimensions: three streaming kernels per time step.
package fdtd2d

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "fdtd2d"

func init() {
	kernel := func(name string) benchmarks.KernelInfo {
		return benchmarks.KernelInfo{Name: name, Block: benchmarks.Dim(32, 8)}
	}
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"FD", "FDTD-2D", "fdtd"},
		Suite:   "Polybench-GPU",
		Summary: "Finite-difference time-domain method in two dimensions: three streaming kernels per step, bound by " +
			"bandwidth.",
		Papers:  map[string]string{"finereg": "type-S (inferred)", "cerf": "cache low"},
		Kernels: []benchmarks.KernelInfo{kernel("fdtd_step1"), kernel("fdtd_step2"), kernel("fdtd_step3")},
		Outputs: []string{"ex", "ey", "hz"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

type grid struct{ ni, nj, steps int }

// Paper is Polybench-GPU's standard size, cut to two steps of 500.
var sizes = benchmarks.Sizes[grid]{
	Test:  grid{22, 70, 2},
	Small: grid{120, 128, 4},
	Study: grid{200, 256, 4},
	Paper: &grid{2048, 2048, 2},
}

func run(c *benchmarks.Context, g grid) error {
	source := c.Floats("source", g.steps, 0, 1)
	ex, ey, hz := c.Floats("ex", g.ni*(g.nj+1), 0, 1), c.Floats("ey", (g.ni+1)*g.nj, 0, 1),
		c.Floats("hz", g.ni*g.nj, 0, 1)
	dsource := host.Upload(c.Device, "source", source)
	dex, dey, dhz := host.Upload(c.Device, "ex", ex), host.Upload(c.Device, "ey", ey), host.Upload(c.Device, "hz", hz)
	f := fields{g, benchmarks.Widen(ex), benchmarks.Widen(ey), benchmarks.Widen(hz)}
	ctas, block := benchmarks.Dim(benchmarks.CeilDiv(g.nj, 32), benchmarks.CeilDiv(g.ni, 8)), benchmarks.Dim(32, 8)
	ni, nj := host.S32(int32(g.ni)), host.S32(int32(g.nj))
	for t := range g.steps {
		err := c.Launch("fdtd_step1", ctas, block, ni, nj, host.U64(dsource), host.U64(dey), host.U64(dhz),
			host.S32(int32(t)))
		if err != nil {
			return err
		}
		if err := c.Launch("fdtd_step2", ctas, block, ni, nj, host.U64(dex), host.U64(dhz)); err != nil {
			return err
		}
		if err := c.Launch("fdtd_step3", ctas, block, ni, nj, host.U64(dex), host.U64(dey), host.U64(dhz)); err != nil {
			return err
		}
		f.step(float64(source[t]))
	}
	// Values of order one, at most four steps of four roundings.
	tol := benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-5}
	return cmp.Or(benchmarks.Close("ex", host.Read[float32](c.Device, dex, len(ex)), f.ex, tol),
		benchmarks.Close("ey", host.Read[float32](c.Device, dey, len(ey)), f.ey, tol),
		benchmarks.Close("hz", host.Read[float32](c.Device, dhz, len(hz)), f.hz, tol))
}

// fields is the host's state, in double precision.
type fields struct {
	grid
	ex, ey, hz []float64
}

func (f *fields) step(source float64) {
	n := f.nj
	for j := range n {
		f.ey[j] = source
	}
	for i := range f.ni {
		for j := range n {
			if i > 0 {
				f.ey[i*n+j] -= 0.5 * (f.hz[i*n+j] - f.hz[(i-1)*n+j])
			}
			if j > 0 {
				f.ex[i*(n+1)+j] -= 0.5 * (f.hz[i*n+j] - f.hz[i*n+j-1])
			}
		}
	}
	for i := range f.ni {
		for j := range n {
			curl := f.ex[i*(n+1)+j+1] - f.ex[i*(n+1)+j] + f.ey[(i+1)*n+j] - f.ey[i*n+j]
			f.hz[i*n+j] -= 0.7 * curl
		}
	}
}
