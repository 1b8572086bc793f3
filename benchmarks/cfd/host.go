// Package cfd is Rodinia's Euler solver: finite volumes on an unstructured grid,
// five conserved variables and four faces per cell, three Runge-Kutta stages.
package cfd

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "cfd"
	threads = 192
	stages  = 3
)

func init() {
	kernel := func(name string) benchmarks.KernelInfo {
		return benchmarks.KernelInfo{Name: name, Block: benchmarks.Dim(threads)}
	}
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"CF", "euler3d"},
		Suite:   "Rodinia",
		Summary: "Euler equations on an unstructured grid: a cell per thread gathers four neighbours, many " +
			"registers, roots and divisions.",
		Papers: map[string]string{"gebhart": "stand-in for simulation", "finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{
			kernel("compute_flux"), kernel("compute_step_factor"), kernel("time_step"), kernel("initialize_variables"),
		},
		Outputs: []string{"variables", "fluxes", "factors"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// flow has the number of cells, below 192 or a multiple of 192, and the number of time steps.
type flow struct{ cells, steps int }

// The kernel's registers allow five CTAs per SM of 64K registers. 150 CTAs are thus three waves on four SMs at more
// than twice this residency. Paper is the size of Rodinia's middle mesh, cut to one step.
var sizes = benchmarks.Sizes[flow]{
	Test:  flow{100, 1},
	Small: flow{10 * threads, 1},
	Study: flow{150 * threads, 1},
	Paper: &flow{506 * threads, 1},
}

func run(c *benchmarks.Context, f flow) error {
	n := f.cells
	far := farField()
	if err := c.Constant("far", far.packed()); err != nil {
		return err
	}
	m := newMesh(c, n)
	dcells, dnormals := host.Upload(c.Device, "neighbours", m.neighbour), host.Upload(c.Device, "normals", m.normal)
	dareas := host.Upload(c.Device, "areas", m.area)
	dvariables, dold := c.Alloc("variables", 20*n), c.Alloc("old variables", 20*n)
	dfactors, dfluxes := c.Alloc("factors", 4*n), c.Alloc("fluxes", 20*n)
	perCTA := min(threads, n)
	grid, block, size := benchmarks.Dim(n/perCTA), benchmarks.Dim(perCTA), host.S32(int32(n))
	if err := c.Launch("initialize_variables", grid, block, host.U64(dvariables), size); err != nil {
		return err
	}
	s := newSolver(m, far)
	for range f.steps {
		host.Write(c.Device, dold, host.Read[float32](c.Device, dvariables, 5*n))
		err := c.Launch("compute_step_factor", grid, block, host.U64(dvariables), host.U64(dareas), host.U64(dfactors),
			size)
		if err != nil {
			return err
		}
		for stage := range stages {
			err := c.Launch("compute_flux", grid, block, host.U64(dcells), host.U64(dnormals), host.U64(dvariables),
				host.U64(dfluxes), size)
			if err != nil {
				return err
			}
			err = c.Launch("time_step", grid, block, host.S32(int32(stage)), host.U64(dold), host.U64(dvariables),
				host.U64(dfactors), host.U64(dfluxes), size)
			if err != nil {
				return err
			}
		}
		s.step()
	}
	// Fluxes are sums over faces. Their terms, of order one, nearly cancel, and each has some thirty roundings.
	if err := benchmarks.Close("factors", host.Read[float32](c.Device, dfactors, n), s.factor,
		benchmarks.Tolerance{Rel: 1e-5}); err != nil {
		return err
	}
	tol := benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-5}
	return cmp.Or(benchmarks.Close("fluxes", host.Read[float32](c.Device, dfluxes, 5*n), s.byVariable(s.flux), tol),
		benchmarks.Close("variables", host.Read[float32](c.Device, dvariables, 5*n), s.byVariable(s.state), tol))
}
