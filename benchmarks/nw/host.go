// Package nw is Rodinia's Needleman-Wunsch alignment: a matrix filled along the
// anti-diagonals of 16x16 tiles, a launch per anti-diagonal.
package nw

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "nw"
	tile    = 16
	penalty = 10
)

func init() {
	kernel := func(name string) benchmarks.KernelInfo {
		return benchmarks.KernelInfo{Name: name, Block: benchmarks.Dim(tile), Shared: 4*(tile+1)*(tile+1) + 4*tile*tile}
	}
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"Needleman-Wunsch"},
		Suite:   "Rodinia",
		Summary: "Global sequence alignment: half-warp CTAs sweep 16x16 tiles with a barrier per anti-diagonal, and " +
			"launches sweep the tiles.",
		Papers:  map[string]string{"finereg": "type-S", "cerf": "cache low"},
		Kernels: []benchmarks.KernelInfo{kernel("needle_1"), kernel("needle_2")},
		Outputs: []string{"score"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the length of the sequences at size paper, a multiple of 16. A launch has at most length/16 CTAs: the
// algorithm has no more parallelism. At size study the largest launch has one and a half times the residency of two
// SMs with 32 CTAs each.
var paper = 2048

var sizes = benchmarks.Sizes[int]{Test: 64, Small: 256, Study: 1536, Paper: &paper}

func run(c *benchmarks.Context, n int) error {
	cols := n + 1
	reference := similarities(c, n)
	score := make([]int32, cols*cols)
	for i := range cols {
		score[i] = int32(-penalty * i)
		score[i*cols] = int32(-penalty * i)
	}
	dscore := host.Upload(c.Device, "score", score)
	dreference := host.Upload(c.Device, "reference", reference)
	tiles := n / tile
	for d := 1; d <= tiles; d++ {
		err := c.Launch("needle_1", benchmarks.Dim(d), benchmarks.Dim(tile),
			host.U64(dscore), host.U64(dreference), host.S32(int32(cols)), host.S32(penalty), host.S32(int32(d)))
		if err != nil {
			return err
		}
	}
	for d := tiles - 1; d >= 1; d-- {
		err := c.Launch("needle_2", benchmarks.Dim(d), benchmarks.Dim(tile),
			host.U64(dscore), host.U64(dreference), host.S32(int32(cols)), host.S32(penalty), host.S32(int32(d)),
			host.S32(int32(tiles)))
		if err != nil {
			return err
		}
	}
	for i := 1; i < cols; i++ {
		for j := 1; j < cols; j++ {
			at := i*cols + j
			score[at] = max(score[at-cols-1]+reference[at], score[at-1]-penalty, score[at-cols]-penalty)
		}
	}
	return benchmarks.Equal("score", host.Read[int32](c.Device, dscore, cols*cols), score)
}

// similarities scores two random sequences of 24 letters with a random symmetric
// matrix in the range of BLOSUM62's, -4 to 11.
func similarities(c *benchmarks.Context, n int) []int32 {
	const letters = 24
	table := c.Ints("substitutions", letters*letters, -4, 4)
	for i := range letters {
		for j := range i {
			table[i*letters+j] = table[j*letters+i]
		}
		table[i*letters+i] = 4 + table[i*letters+i]&7
	}
	one, two := c.Ints("sequence 1", n, 0, letters-1), c.Ints("sequence 2", n, 0, letters-1)
	cols := n + 1
	out := make([]int32, cols*cols)
	for i := range n {
		for j := range n {
			out[(i+1)*cols+j+1] = table[one[i]*letters+two[j]]
		}
	}
	return out
}
