// Package libor is the LIBOR market model of ISPASS-2009. Each thread computes a Monte Carlo path of forward rates,
// with its arrays in local memory. One kernel also computes the adjoint, for sensitivities.
package libor

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "libor"
	threads = 192
	accrual = 0.25
	start   = 0.05 // every initial forward rate
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"LIB", "LI"},
		Suite:   "ISPASS-2009",
		Summary: "LIBOR market model: a path of forward rates per thread in local-memory arrays, swaption values, " +
			"and sensitivities by an adjoint pass.",
		Papers: map[string]string{"finereg": "type-R", "sharing": "set-1 (registers)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "Pathcalc_Portfolio_KernelGPU", Block: benchmarks.Dim(threads), PaperRegisters: 36},
			{Name: "Pathcalc_Portfolio_KernelGPU2", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"value", "value of the adjoint", "delta"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// market is the model's size: forward rates, time steps, swaptions, and paths.
type market struct{ rates, steps, options, paths int }

// The local arrays are sized for 80 rates and 40 steps at every size. Paper has the 64 CTAs of ISPASS-2009, at the
// block size of the register-sharing paper.
var sizes = benchmarks.Sizes[market]{
	Test:  market{6, 2, 3, 250},
	Small: market{24, 8, 15, threads},
	Study: market{5, 2, 3, 240 * threads},
	Large: &market{5, 2, 3, 330 * threads},
	Paper: &market{80, 40, 15, 64 * threads},
}

func run(c *benchmarks.Context, m market) error {
	model := newModel(c, m)
	if err := model.constants(c); err != nil {
		return err
	}
	normals := make([]float32, m.steps*m.paths)
	r := c.Rand("normals")
	for i := range normals {
		normals[i] = float32(r.NormFloat64())
	}
	dnormals := host.Upload(c.Device, "normals", normals)
	dplain := c.Alloc("value", 4*m.paths)
	dvalue := c.Alloc("value of the adjoint", 4*m.paths)
	ddelta := c.Alloc("delta", 4*m.paths)
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(m.paths, threads)), benchmarks.Dim(threads)
	err := c.Launch("Pathcalc_Portfolio_KernelGPU2", grid, block,
		host.U64(dnormals), host.U64(dplain), host.S32(int32(m.paths)), host.F32(start))
	if err != nil {
		return err
	}
	err = c.Launch("Pathcalc_Portfolio_KernelGPU", grid, block,
		host.U64(dnormals), host.U64(dvalue), host.U64(ddelta), host.S32(int32(m.paths)), host.F32(start))
	if err != nil {
		return err
	}
	return model.check(c, normals, dplain, dvalue, ddelta)
}

func (m *model) check(c *benchmarks.Context, normals []float32, dplain, dvalue, ddelta uint64) error {
	value, delta, slack := make([]float64, m.paths), make([]float64, m.paths), make([]float64, m.paths)
	for p := range m.paths {
		z := make([]float64, m.steps)
		for n := range z {
			z[n] = float64(normals[n*m.paths+p])
		}
		value[p], delta[p], slack[p] = m.path(z)
	}
	// A swap's worth is a difference of numbers near one, with some 40 steps of 1e-7 each behind them. A hundred
	// times this difference, for fifteen options, is summed.
	tol := benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-2}
	if err := benchmarks.Close("value", host.Read[float32](c.Device, dplain, m.paths), value, tol); err != nil {
		return err
	}
	if err := benchmarks.Close("value of the adjoint", host.Read[float32](c.Device, dvalue, m.paths), value,
		tol); err != nil {
		return err
	}
	got := host.Read[float32](c.Device, ddelta, m.paths)
	for p := range got {
		// For an option worth nothing to within rounding, either side of the kink is right.
		if d := math.Abs(float64(got[p]) - delta[p]); slack[p] > 0 && d <= slack[p]*1.01 {
			got[p] = float32(delta[p])
		}
	}
	return benchmarks.Close("delta", got, delta, tol)
}
