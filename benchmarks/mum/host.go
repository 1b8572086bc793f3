// Package mum is MUMmerGPU: exact matching of short sequences against a long one by a suffix tree. It uses plain
// loads instead of the published program's textures.
package mum

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "mum"
	long    = "mum.20k"
	threads = 256
	width   = 4096 // nodes in a row of the tree's two coordinates
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"mummergpu"},
		Suite:   "Rodinia",
		Summary: "Longest matches of every suffix of short queries in a suffix tree: dependent loads, nested loops " +
			"that diverge; plain loads instead of textures.",
		Papers:  map[string]string{"cerf": "cache high, register-limited"},
		Kernels: kernels,
		Outputs: outputs,
		New:     benchmarks.New(name, source, &sizes, run),
	})
	benchmarks.Register(&benchmarks.App{
		Name:    long,
		Suite:   "Rodinia",
		Summary: "mum with a reference of 20,000 letters at every size; the published one has 1.4 million.",
		Papers:  map[string]string{"sharing": "set-1 (registers)"},
		Kernels: kernels,
		Outputs: outputs,
		New:     benchmarks.New(long, source, &longSizes, run),
	})
}

var (
	kernels = []benchmarks.KernelInfo{{Name: "mummergpuKernel", Block: benchmarks.Dim(threads), PaperRegisters: 28}}
	outputs = []string{"matches"}
)

// workload has the length of the reference, the number and length of the queries, and the least length of a suffix
// to look up, all in letters.
type workload struct{ reference, queries, letters, least int }

// Paper has the reads of ISPASS-2009, 50,000 of 25 letters, and a reference of 20,000 letters where theirs has 1.4
// million.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{300, 70, 12, 8},
	Small: workload{2000, 440, 25, 16},
	Study: workload{1000, 49_400, 10, 9},
	Large: &workload{20_000, 64_500, 10, 9}, // 252 CTAs
	Paper: &workload{20_000, 50_000, 25, 1},
}

var longSizes = benchmarks.Sizes[workload]{
	Test:  workload{20_000, 70, 10, 9},
	Small: workload{20_000, 1100, 10, 9},
	Study: workload{20_000, 49_400, 10, 9},
	Large: sizes.Large,
	Paper: sizes.Paper,
}

// match is the kernel's layout of a match.
type match struct {
	Node   uint32
	Length int32
}

func run(c *benchmarks.Context, w workload) error {
	text := letters(c, "reference", w.reference)
	t := newTree(append(text, '$'))
	queries, offsets := reads(c, w, text)
	perQuery := w.letters - w.least + 1

	dtree := host.Upload(c.Device, "tree", t.packed())
	dreference := host.Upload(c.Device, "reference", t.text)
	dqueries := host.Upload(c.Device, "queries", queries)
	doffsets := host.Upload(c.Device, "offsets", offsets)
	dmatches := c.Alloc("matches", 8*w.queries*perQuery)
	err := c.Launch("mummergpuKernel", benchmarks.Dim(benchmarks.CeilDiv(w.queries, threads)), benchmarks.Dim(threads),
		host.U64(dtree), host.U64(dreference), host.U64(dqueries), host.U64(doffsets), host.U64(dmatches),
		host.S32(int32(w.queries)), host.S32(width), host.S32(int32(w.least)), host.S32(int32(perQuery)))
	if err != nil {
		return err
	}
	want := make([]match, w.queries*perQuery)
	for q := range w.queries {
		query := queries[offsets[q]:offsets[q+1]]
		for i := 0; i+w.least <= len(query); i++ {
			node, length := t.find(query[i:])
			want[q*perQuery+i] = match{address(node), int32(length)}
		}
	}
	return benchmarks.Equal("matches", host.Read[match](c.Device, dmatches, len(want)), want)
}

func letters(c *benchmarks.Context, buffer string, n int) []byte {
	r := c.Rand(buffer)
	out := make([]byte, n)
	for i := range out {
		out[i] = "ACGT"[r.IntN(4)]
	}
	return out
}

// reads returns pieces of the text with one letter in twenty changed, most of them of full length and some shorter.
func reads(c *benchmarks.Context, w workload, text []byte) (queries []byte, offsets []int32) {
	r := c.Rand("reads")
	for range w.queries {
		offsets = append(offsets, int32(len(queries)))
		n := w.letters
		if r.IntN(8) == 0 {
			n -= r.IntN(3)
		}
		at := r.IntN(len(text) - n)
		for _, letter := range text[at : at+n] {
			if r.IntN(20) == 0 {
				letter = "ACGT"[r.IntN(4)]
			}
			queries = append(queries, letter)
		}
	}
	return queries, append(offsets, int32(len(queries)))
}
