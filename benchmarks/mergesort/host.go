// Package mergesort is the CUDA SDK's stable merge sort of pairs: runs in shared memory,
// then merge levels split evenly by ranks of samples.
package mergesort

import (
	"cmp"
	_ "embed"
	"slices"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name   = "mergeSort"
	perCTA = 1024 // pairs sorted by a CTA
	step   = 128  // elements per sample
	line   = 256  // threads of the kernels that work on samples
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"msrt"},
		Suite:   "CUDA SDK",
		Summary: "Stable merge sort of pairs: binary searches in shared memory, sample ranks in global memory, " +
			"merges of short intervals.",
		Papers: map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "mergeSortShared", Block: benchmarks.Dim(perCTA / 2), Shared: 8 * perCTA},
			{Name: "generateSampleRanks", Block: benchmarks.Dim(line)},
			{Name: "mergeRanksAndIndices", Block: benchmarks.Dim(line)},
			{Name: "mergeElementaryIntervals", Block: benchmarks.Dim(step), Shared: 16*step + 16},
		},
		Outputs: []string{"keys even", "keys odd", "values even", "values odd"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the number of pairs, the length of a run sorted in shared memory, the number of merge levels, and
// the number of pairs merged by them. pairs is a multiple of 1024, and merged a multiple of run << levels.
type workload struct{ pairs, run, levels, merged int }

// Paper is the SDK's default.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{1024, 128, 1, 256},
	Small: workload{4096, 1024, 2, 4096},
	Study: workload{96 * 1024, 512, 1, 48 * 1024},
	Paper: &workload{4 << 20, 1024, 12, 4 << 20},
}

type pair struct{ key, value uint32 }

// buffers are the addresses of device buffers. The pairs alternate between two of them.
type buffers struct {
	keys, values               [2]uint64
	ranksA, ranksB, limA, limB uint64
}

func run(c *benchmarks.Context, w workload) error {
	pairs := make([]pair, w.pairs)
	r := c.Rand("keys")
	for i := range pairs {
		pairs[i] = pair{r.Uint32N(uint32(w.pairs)), uint32(i)} // keys repeat, so that stability shows
	}
	var b buffers
	for i, n := range []int{w.pairs, w.merged} {
		which := []string{"even", "odd"}[i]
		b.keys[i], b.values[i] = c.Alloc("keys "+which, 4*n), c.Alloc("values "+which, 4*n)
	}
	samples := w.pairs / step
	b.ranksA, b.ranksB = c.Alloc("ranks in A", 4*samples/2), c.Alloc("ranks in B", 4*samples/2)
	b.limA, b.limB = c.Alloc("limits of A", 4*samples), c.Alloc("limits of B", 4*samples)
	keys, values := split(pairs)
	dkeys, dvalues := host.Upload(c.Device, "keys", keys), host.Upload(c.Device, "values", values)
	err := c.Launch("mergeSortShared", benchmarks.Dim(w.pairs/perCTA), benchmarks.Dim(perCTA/2),
		host.U64(b.keys[0]), host.U64(b.values[0]), host.U64(dkeys), host.U64(dvalues), host.S32(int32(w.run)))
	if err != nil {
		return err
	}
	for level := range w.levels {
		if err := merge(c, &b, w.merged, w.run<<level, level%2); err != nil {
			return err
		}
	}
	return check(c, &b, w, pairs)
}

// merge merges runs of length stride from the buffers number `from` into the other ones.
func merge(c *benchmarks.Context, b *buffers, pairs, stride, from int) error {
	threads := pairs / step / 2 // a thread per sample of a run and its partner
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(threads, line)), benchmarks.Dim(line)
	s, t := host.S32(int32(stride)), host.S32(int32(threads))
	err := c.Launch("generateSampleRanks", grid, block, host.U64(b.ranksA), host.U64(b.ranksB), host.U64(b.keys[from]),
		s, t)
	if err != nil {
		return err
	}
	if err := c.Launch("mergeRanksAndIndices", grid, block, host.U64(b.limA), host.U64(b.ranksA), s, t); err != nil {
		return err
	}
	if err := c.Launch("mergeRanksAndIndices", grid, block, host.U64(b.limB), host.U64(b.ranksB), s, t); err != nil {
		return err
	}
	to := 1 - from
	return c.Launch("mergeElementaryIntervals", benchmarks.Dim(pairs/step), benchmarks.Dim(step), host.U64(b.keys[to]),
		host.U64(b.values[to]),
		host.U64(b.keys[from]), host.U64(b.values[from]), host.U64(b.limA), host.U64(b.limB), s)
}

// check compares both buffers: the results of the last two levels.
func check(c *benchmarks.Context, b *buffers, w workload, pairs []pair) error {
	for _, level := range []int{w.levels, w.levels - 1} {
		run := w.run << level
		n := w.merged
		if level == 0 {
			n = w.pairs
		}
		sorted := slices.Clone(pairs[:n])
		for at := 0; at < n; at += run {
			slices.SortStableFunc(sorted[at:at+run], func(x, y pair) int { return cmp.Compare(x.key, y.key) })
		}
		keys, values := split(sorted)
		at, which := level%2, []string{"even", "odd"}[level%2]
		if err := benchmarks.Equal("keys "+which, host.Read[uint32](c.Device, b.keys[at], n), keys); err != nil {
			return err
		}
		if err := benchmarks.Equal("values "+which, host.Read[uint32](c.Device, b.values[at], n), values); err != nil {
			return err
		}
	}
	return nil
}

func split(pairs []pair) (keys, values []uint32) {
	for _, p := range pairs {
		keys, values = append(keys, p.key), append(values, p.value)
	}
	return keys, values
}
