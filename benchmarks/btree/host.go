// Package btree is Rodinia's batch of range queries on a B+ tree: a thread per
// key slot of a node, level after level through global memory.
package btree

import (
	"cmp"
	_ "embed"
	"math"
	"sort"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name  = "b+tree"
	order = 508
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"btree", "findRangeK"},
		Suite:   "Rodinia",
		Summary: "Range queries on a B+ tree of order 508: a CTA per query compares all keys of a node at once and " +
			"follows the child.",
		Papers:  map[string]string{"sharing": "set-1 (registers)", "ltrf": "register-insensitive"},
		Kernels: []benchmarks.KernelInfo{{Name: "findRangeK", Block: benchmarks.Dim(order), PaperRegisters: 24}},
		Outputs: []string{"first", "count"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the number of keys in the tree, of keys per leaf and children per inner node, and of queries. At the
// smaller sizes nodes are less than half full, to give the tree some height.
type workload struct{ keys, fill, queries int }

var sizes = benchmarks.Sizes[workload]{
	Test:  workload{1000, 100, 5},
	Small: workload{10_000, 60, 96},
	Study: workload{16_000, 80, 400},
	Paper: &workload{1_000_000, 400, 6000},
}

// node is the kernel's layout of a node: keys, then children.
type node struct {
	Keys     [order + 1]int32
	Children [order + 1]int32
}

func run(c *benchmarks.Context, w workload) error {
	keys := risingKeys(c, w.keys)
	nodes, root, height := build(keys, w.fill)
	r := c.Rand("queries")
	from, to := make([]int32, w.queries), make([]int32, w.queries)
	for i := range from {
		lo, hi := r.IntN(w.keys), r.IntN(w.keys)
		from[i], to[i] = keys[min(lo, hi)], keys[max(lo, hi)]
	}

	roots := make([]int32, w.queries)
	for i := range roots {
		roots[i] = root
	}
	dnodes := host.Upload(c.Device, "nodes", nodes)
	dlower := host.Upload(c.Device, "lower", roots)
	dlowerNext := c.Alloc("lower next", 4*w.queries)
	dupper := host.Upload(c.Device, "upper", roots)
	dupperNext := c.Alloc("upper next", 4*w.queries)
	dfrom := host.Upload(c.Device, "from", from)
	dto := host.Upload(c.Device, "to", to)
	dfirst := c.Alloc("first", 4*w.queries)
	dcount := c.Alloc("count", 4*w.queries)
	err := c.Launch("findRangeK", benchmarks.Dim(w.queries), benchmarks.Dim(order), host.S32(int32(height)),
		host.U64(dnodes),
		host.U64(dlower), host.U64(dlowerNext), host.U64(dupper), host.U64(dupperNext), host.U64(dfrom), host.U64(dto),
		host.U64(dfirst), host.U64(dcount))
	if err != nil {
		return err
	}

	first, count := make([]int32, w.queries), make([]int32, w.queries)
	for i := range first {
		lo := sort.Search(len(keys), func(k int) bool { return keys[k] >= from[i] })
		hi := sort.Search(len(keys), func(k int) bool { return keys[k] > to[i] })
		first[i], count[i] = int32(lo), int32(hi-lo)
	}
	return cmp.Or(benchmarks.Equal("first", host.Read[int32](c.Device, dfirst, w.queries), first),
		benchmarks.Equal("count", host.Read[int32](c.Device, dcount, w.queries), count))
}

// risingKeys makes n distinct keys in rising order.
func risingKeys(c *benchmarks.Context, n int) []int32 {
	r := c.Rand("keys")
	keys := make([]int32, n)
	at := int32(0)
	for i := range keys {
		at += 1 + r.Int32N(100)
		keys[i] = at
	}
	return keys
}

// build packs sorted keys into leaves of `fill` keys, and the leaves into inner nodes until one is left. The
// position of a key is its record number. height counts the inner levels.
func build(keys []int32, fill int) (nodes []node, root int32, height int) {
	level := make([]int32, len(keys)) // children of the level to come
	least := append([]int32(nil), keys...)
	for i := range level {
		level[i] = int32(i)
	}
	for leaf := true; leaf || len(level) > 1; leaf = false {
		if !leaf {
			height++
		}
		var next, nextLeast []int32
		for i := 0; i < len(level); i += fill {
			end := min(i+fill, len(level))
			next = append(next, int32(len(nodes)))
			nextLeast = append(nextLeast, least[i])
			nodes = append(nodes, pack(level[i:end], least[i:end], leaf))
		}
		level, least = next, nextLeast
	}
	return nodes, level[0], height
}

func pack(children, least []int32, leaf bool) node {
	var n node
	for i := range n.Keys {
		n.Keys[i], n.Children[i] = math.MaxInt32, -1
	}
	copy(n.Keys[:], least)
	copy(n.Children[:], children)
	if !leaf {
		n.Keys[0] = math.MinInt32
	}
	return n
}
