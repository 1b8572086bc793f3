// Package mriq is Parboil's Q matrix of magnetic resonance imaging. Every voxel sums a sine and a cosine for each
// sample. The samples are in constant memory.
package mriq

import (
	"cmp"
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name      = "mri-q"
	perLaunch = 1024 // samples
	voxelCTA  = 256
	sampleCTA = 512
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"mriq", "ComputeQ", "ComputePhiMag"},
		Suite:   "Parboil",
		Summary: "Q matrix of non-Cartesian magnetic resonance imaging: a voxel per thread, sine and cosine per " +
			"sample from constant memory.",
		Papers: map[string]string{"sharing": "ComputeQ set-1 (registers), ComputePhiMag set-2 (threads)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "ComputeQ", Block: benchmarks.Dim(voxelCTA), PaperRegisters: 24},
			{Name: "ComputePhiMag", Block: benchmarks.Dim(sampleCTA), PaperRegisters: 12},
		},
		Outputs: []string{"magnitude", "Q real", "Q imaginary"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// scan has an even number of samples, and a number of voxels in multiples of 256.
type scan struct{ samples, voxels int }

// Paper is Parboil's small input.
var sizes = benchmarks.Sizes[scan]{
	Test:  scan{40, 512},
	Small: scan{128, 2048},
	Study: scan{64, 200 * voxelCTA},
	Large: &scan{512, 250 * voxelCTA},
	Paper: &scan{3072, 32768},
}

func run(c *benchmarks.Context, s scan) error {
	re, im := c.Floats("phi real", s.samples, -1, 1), c.Floats("phi imaginary", s.samples, -1, 1)
	var k, v [3][]float32
	var dv [3]uint64
	for i, axis := range []string{"x", "y", "z"} {
		k[i] = c.Floats("k "+axis, s.samples, -1, 1)
		v[i] = c.Floats(axis, s.voxels, -0.5, 0.5)
		dv[i] = host.Upload(c.Device, axis, v[i])
	}
	dre, dim := host.Upload(c.Device, "phi real", re), host.Upload(c.Device, "phi imaginary", im)
	dmagnitude := c.Alloc("magnitude", 4*s.samples)
	dqr, dqi := c.Alloc("Q real", 4*s.voxels), c.Alloc("Q imaginary", 4*s.voxels)
	err := c.Launch("ComputePhiMag", benchmarks.Dim(benchmarks.CeilDiv(s.samples, sampleCTA)),
		benchmarks.Dim(sampleCTA),
		host.U64(dre), host.U64(dim), host.U64(dmagnitude), host.S32(int32(s.samples)))
	if err != nil {
		return err
	}
	magnitude := host.Read[float32](c.Device, dmagnitude, s.samples)
	for first := 0; first < s.samples; first += perLaunch {
		n := min(perLaunch, s.samples-first)
		packed := make([]float32, 0, 4*n)
		for i := first; i < first+n; i++ {
			packed = append(packed, k[0][i], k[1][i], k[2][i], magnitude[i])
		}
		if err := c.Constant("samples", packed); err != nil {
			return err
		}
		err := c.Launch("ComputeQ", benchmarks.Dim(s.voxels/voxelCTA), benchmarks.Dim(voxelCTA), host.S32(int32(n)),
			host.U64(dv[0]), host.U64(dv[1]), host.U64(dv[2]), host.U64(dqr), host.U64(dqi))
		if err != nil {
			return err
		}
	}
	return check(c, s, re, im, k, v, dmagnitude, dqr, dqi)
}

func check(c *benchmarks.Context, s scan, re, im []float32, k, v [3][]float32, dmagnitude, dqr, dqi uint64) error {
	want := make([]float64, s.samples)
	total := 0.0
	for i := range want {
		want[i] = float64(re[i])*float64(re[i]) + float64(im[i])*float64(im[i])
		total += want[i]
	}
	if err := benchmarks.Close("magnitude", host.Read[float32](c.Device, dmagnitude, s.samples), want,
		benchmarks.Tolerance{Rel: 1e-6}); err != nil {
		return err
	}
	qr, qi := make([]float64, s.voxels), make([]float64, s.voxels)
	for x := range qr {
		for i := range want {
			arg := 2 * math.Pi * (float64(k[0][i])*float64(v[0][x]) + float64(k[1][i])*float64(v[1][x]) +
				float64(k[2][i])*float64(v[2][x]))
			sin, cos := math.Sincos(arg)
			qr[x] += want[i] * cos
			qi[x] += want[i] * sin
		}
	}
	// sin.approx and cos.approx are accurate to 2^-20.9 within pi and worse beyond (PTX ISA 9.7.3.18). Arguments
	// reach 3 pi, with a rounding error of 1e-6.
	tol := benchmarks.Tolerance{Abs: 2e-5 * total}
	return cmp.Or(benchmarks.Close("Q real", host.Read[float32](c.Device, dqr, s.voxels), qr, tol),
		benchmarks.Close("Q imaginary", host.Read[float32](c.Device, dqi, s.voxels), qi, tol))
}
