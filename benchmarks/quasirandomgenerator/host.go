// Package quasirandomgenerator is the CUDA SDK's generator of a low-discrepancy sequence,
// and its transformation to the normal distribution.
package quasirandomgenerator

import (
	_ "embed"
	"math"
	"math/bits"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name       = "quasirandomGenerator"
	dimensions = 3
	resolution = 31
	perX       = 128 // threads along x, and threads of the second kernel
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"quasi"},
		Suite:   "CUDA SDK",
		Summary: "Quasirandom numbers in three dimensions by integer logic on constant tables, then the inverse " +
			"normal distribution with diverging tails.",
		Papers: map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "quasirandomGeneratorKernel", Block: benchmarks.Dim(perX, dimensions)},
			{Name: "inverseCNDKernel", Block: benchmarks.Dim(perX)},
		},
		Outputs: []string{"uniform", "normal"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the count of numbers per dimension, and the CTAs of each kernel. If there are more numbers than
// threads, threads stride over them.
type workload struct{ n, ctas, normalCTAs int }

var sizes = benchmarks.Sizes[workload]{
	Test:  workload{700, 3, 6},
	Small: workload{8192, 8, 8},
	Study: workload{120 * perX * 6, 120, 400},
	Paper: &workload{1 << 20, 128, 128},
}

func run(c *benchmarks.Context, w workload) error {
	table := directions(c)
	if err := c.Constant("table", table); err != nil {
		return err
	}
	total := dimensions * w.n
	duniform, dnormal := c.Alloc("uniform", 4*total), c.Alloc("normal", 4*total)
	err := c.Launch("quasirandomGeneratorKernel", benchmarks.Dim(w.ctas), benchmarks.Dim(perX, dimensions),
		host.U64(duniform), host.U32(0), host.U32(uint32(w.n)))
	if err != nil {
		return err
	}
	err = c.Launch("inverseCNDKernel", benchmarks.Dim(w.normalCTAs), benchmarks.Dim(perX), host.U64(dnormal),
		host.U64(duniform), host.S32(int32(total)))
	if err != nil {
		return err
	}
	uniform, normal := make([]float32, total), make([]float64, total)
	for d := range dimensions {
		for i := range w.n {
			var x uint32
			for rest := uint32(i); rest != 0; rest &= rest - 1 {
				x ^= table[d][bits.TrailingZeros32(rest)]
			}
			u := float32(x+1) * (1.0 / (1 << resolution)) // to the bit
			uniform[d*w.n+i] = u
			normal[d*w.n+i] = math.Sqrt2 * math.Erfinv(2*float64(u)-1)
		}
	}
	if err := benchmarks.Equal("uniform", host.Read[float32](c.Device, duniform, total), uniform); err != nil {
		return err
	}
	// Moro's formula is accurate to 3e-9. The logarithms are off by 2^-22 of their size, twice, and sums have ten
	// terms in float32.
	return benchmarks.Close("normal", host.Read[float32](c.Device, dnormal, total), normal,
		benchmarks.Tolerance{Rel: 2e-5, Abs: 1e-6})
}

// directions returns the tables of a digital sequence. Entry i of a dimension is an odd number of i+1 bits at the
// top of 31, so that the generator matrix is triangular with ones on its diagonal. Dimension 0 is van der Corput's.
func directions(c *benchmarks.Context) (table [dimensions][resolution]uint32) {
	r := c.Rand("table")
	for d := range table {
		for i := range resolution {
			m := uint32(1)
			if d > 0 {
				m = r.Uint32N(1<<i)<<1 | 1
			}
			table[d][i] = m << (resolution - 1 - i)
		}
	}
	return table
}
