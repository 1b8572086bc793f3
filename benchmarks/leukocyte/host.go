// Package leukocyte is Rodinia's detection and tracking of white blood cells:
// ellipse scores, a dilation, and an active contour's vector flow per cell.
package leukocyte

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name        = "leukocyte"
	pixels      = 192 // threads of GICOV
	spread      = 176 // threads of dilate
	cellThreads = 320
	strel       = 12
	maxCircles  = 7
	maxPoints   = 150
	margin      = 12 // at least the largest radius
	cutoff      = 1e-4
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Rodinia",
		Summary: "Cell tracking: gradient scores along circles from constant tables, dilation, and an iteration that " +
			"lives in shared memory with barriers throughout.",
		Papers: map[string]string{"gebhart": "stand-in for video processing", "ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "IMGVF", Block: benchmarks.Dim(cellThreads), Shared: 4*41*81 + 4*cellThreads + 1},
			{Name: "GICOV", Block: benchmarks.Dim(pixels)},
			{Name: "dilate", Block: benchmarks.Dim(spread)},
		},
		Outputs: []string{"score", "dilated", "flow", "iterations"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the size of the frame, the numbers of circles and of points on each, the number of dilated pixels,
// and for the cells their number, image size and iterations.
type workload struct {
	w, h, circles, points   int
	dilated                 int
	cells, m, n, iterations int
}

// Shared memory allows six cells on a 96-KB SM: 72 are three waves on four SMs.
// Paper is a frame of 480x640 with 36 cells, cut to 10 iterations.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{30, 26, 1, 6, 60, 1, 13, 27, 2},
	Small: workload{64, 60, 2, 20, 700, 4, 41, 41, 2},
	Study: workload{240, 192, 1, 10, 8000, 72, 41, 27, 2},
	Paper: &workload{640, 480, maxCircles, maxPoints, 640 * 480, 36, 41, 81, 10},
}

func run(c *benchmarks.Context, w workload) error {
	t := newTables(w)
	if err := t.upload(c); err != nil {
		return err
	}
	checkScores, err := detect(c, w, t)
	if err != nil {
		return err
	}
	checkFlow, err := track(c, w)
	if err != nil {
		return err
	}
	if err := checkScores(); err != nil {
		return err
	}
	return checkFlow()
}

// detect scores the frame's pixels and dilates the scores.
func detect(c *benchmarks.Context, w workload, t *tables) (check func() error, err error) {
	n := w.w * w.h
	gx, gy := c.Floats("gradient x", n, -1, 1), c.Floats("gradient y", n, -1, 1)
	dgx, dgy := host.Upload(c.Device, "gradient x", gx), host.Upload(c.Device, "gradient y", gy)
	dscore, ddilated := c.Alloc("score", 4*n), c.Alloc("dilated", 4*w.dilated)
	width, height := host.S32(int32(w.w)), host.S32(int32(w.h))
	err = c.Launch("GICOV", benchmarks.Dim(benchmarks.CeilDiv(n, pixels)), benchmarks.Dim(pixels), host.U64(dgx),
		host.U64(dgy), host.U64(dscore),
		width, height, host.S32(margin), host.S32(int32(w.circles)), host.S32(int32(w.points)))
	if err != nil {
		return nil, err
	}
	err = c.Launch("dilate", benchmarks.Dim(benchmarks.CeilDiv(w.dilated, spread)), benchmarks.Dim(spread),
		host.U64(dscore), host.U64(ddilated), width, height, host.S32(int32(w.dilated)))
	if err != nil {
		return nil, err
	}
	return func() error {
		score := host.Read[float32](c.Device, dscore, n)
		// Sums have up to 150 terms of order one. The variance of a few points may be a small difference of such
		// sums.
		if err := benchmarks.Close("score", score, t.scores(w, gx, gy),
			benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-5}); err != nil {
			return err
		}
		return benchmarks.Equal("dilated", host.Read[float32](c.Device, ddilated, w.dilated),
			t.dilate(w, score)[:w.dilated])
	}, nil
}

// track iterates the flow of every cell.
func track(c *benchmarks.Context, w workload) (check func() error, err error) {
	n := w.cells * w.m * w.n
	image := c.Floats("cells", n, 0, 1)
	dimage := host.Upload(c.Device, "cells", image)
	dflow, ddone := c.Alloc("flow", 4*n), c.Alloc("iterations", 4*w.cells)
	err = c.Launch("IMGVF", benchmarks.Dim(w.cells), benchmarks.Dim(cellThreads), host.U64(dimage), host.U64(dflow),
		host.U64(ddone),
		host.S32(int32(w.m)), host.S32(int32(w.n)), host.S32(int32(w.iterations)), host.F32(cutoff))
	if err != nil {
		return nil, err
	}
	return func() error {
		want, rounds := make([]float64, 0, n), make([]int32, w.cells)
		for k := range w.cells {
			v, r := flow(w, benchmarks.Widen(image[k*w.m*w.n:(k+1)*w.m*w.n]))
			want, rounds[k] = append(want, v...), int32(r)
		}
		// The step's polynomial is accurate to 1e-5. Each iteration multiplies it by eight differences below one.
		if err := benchmarks.Close("flow", host.Read[float32](c.Device, dflow, n), want,
			benchmarks.Tolerance{Abs: 2e-5 * float64(w.iterations)}); err != nil {
			return err
		}
		return benchmarks.Equal("iterations", host.Read[int32](c.Device, ddone, w.cells), rounds)
	}, nil
}
