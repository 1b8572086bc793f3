// Package wp replaces the weather prediction of ISPASS-2009 (WSM5). A thread per column of air goes through the
// levels with many thermodynamic formulas, branches on temperature, and local arrays. The rates are simplified.
package wp

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name = "wp"
	side = 8 // CTAs are side x side threads
	dz   = 400
	dt   = 20
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"wsm5"},
		Suite:   "ISPASS-2009",
		Summary: "Cloud microphysics in columns of air: powers, exponentials, roots and divisions, diverging " +
			"branches on temperature and water, profiles in local memory.",
		Papers:  map[string]string{"ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{{Name: "wsm5_gpu", Block: benchmarks.Dim(side, side)}},
		Outputs: []string{"temperature", "water", "precipitation"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// air has w x h columns of levels levels, at most 32.
type air struct{ w, h, levels int }

// Paper has the 90 CTAs of ISPASS-2009, and levels to fill the local arrays.
var sizes = benchmarks.Sizes[air]{
	Test:  air{13, 11, 3},
	Small: air{32, 32, 6},
	Study: air{256, 192, 2},
	Paper: &air{72, 80, 32},
}

func run(c *benchmarks.Context, a air) error {
	s := newState(c, a)
	columns := a.w * a.h
	dtemp, dwater := host.Upload(c.Device, "temperature", s.temperature), host.Upload(c.Device, "water", s.water)
	dpressure, ddensity := host.Upload(c.Device, "pressure", s.pressure), host.Upload(c.Device, "density", s.density)
	dfall := c.Alloc("precipitation", 4*columns)
	err := c.Launch("wsm5_gpu", benchmarks.Dim(benchmarks.CeilDiv(a.w, side), benchmarks.CeilDiv(a.h, side)),
		benchmarks.Dim(side, side),
		host.U64(dtemp), host.U64(dwater), host.U64(dpressure), host.U64(ddensity), host.U64(dfall),
		host.S32(int32(a.w)), host.S32(int32(a.h)), host.S32(int32(a.levels)), host.F32(dz), host.F32(dt))
	if err != nil {
		return err
	}
	temperature, water, fall := s.model()
	// Saturation depends on an exponential of about 20 over the temperature's seventeenth, accurate to 1e-5. Its
	// difference from vapour makes cloud.
	if err := benchmarks.Close("temperature", host.Read[float32](c.Device, dtemp, len(temperature)), temperature,
		benchmarks.Tolerance{Rel: 1e-5}); err != nil {
		return err
	}
	tol := benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-6}
	if err := benchmarks.Close("water", host.Read[float32](c.Device, dwater, len(water)), water, tol); err != nil {
		return err
	}
	return benchmarks.Close("precipitation", host.Read[float32](c.Device, dfall, columns), fall,
		benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-5})
}

// state is the input: fields level by level, and class by class.
type state struct {
	air
	temperature, water, pressure, density []float32
}

// newState returns columns from the tropics to the winter, near saturation, with all classes of water present in
// some levels and absent in others.
func newState(c *benchmarks.Context, a air) *state {
	n := a.w * a.h * a.levels
	s := &state{air: a, temperature: make([]float32, n), water: make([]float32, classes*n),
		pressure: make([]float32, n), density: make([]float32, n)}
	r := c.Rand("air")
	ground := make([]float64, a.w*a.h)
	for i := range ground {
		ground[i] = 225 + 75*r.Float64()
	}
	for i := range n {
		z := float64(i/(a.w*a.h)) * dz
		t := ground[i%(a.w*a.h)] - 0.0065*z
		p := 1e5 * math.Exp(-z/8000)
		s.temperature[i], s.pressure[i], s.density[i] = float32(t), float32(p), float32(p/(287*t))
		s.water[i] = float32((0.7 + 0.4*r.Float64()) * overWater(t, p))
		for class := cloud; class < classes; class++ {
			if r.IntN(3) > 0 {
				s.water[class*n+i] = float32(2e-3 * r.Float64())
			}
		}
	}
	return s
}
