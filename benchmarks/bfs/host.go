// Package bfs is Rodinia's level-synchronous breadth-first search of a graph in compressed rows. It launches two
// kernels per level. After each level the host reads whether another level follows.
package bfs

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "bfs"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"BF"},
		Suite:   "Rodinia",
		Summary: "Breadth-first search of a random graph of mean degree six, a thread per node and two launches per " +
			"level.",
		Papers: map[string]string{"finereg": "type-S", "sharing": "set-2 (threads)", "cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "visit", Block: benchmarks.Dim(threads), PaperRegisters: 20},
			{Name: "update", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"cost"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the number of nodes at size paper: the 64K graph of Rodinia and ISPASS-2009.
var paper = 65536

var sizes = benchmarks.Sizes[int]{Test: 300, Small: 4096, Study: 50_000, Paper: &paper}

func run(c *benchmarks.Context, n int) error {
	rows, edges := graph(c, n)
	start := n / 3
	frontier, cost := make([]byte, n), make([]int32, n)
	for i := range cost {
		cost[i] = -1
	}
	frontier[start], cost[start] = 1, 0

	dnodes := host.Upload(c.Device, "nodes", rows)
	dedges := host.Upload(c.Device, "edges", edges)
	dfrontier := host.Upload(c.Device, "frontier", frontier)
	dupdating := c.Alloc("updating", n)
	dvisited := host.Upload(c.Device, "visited", frontier)
	dcost := host.Upload(c.Device, "cost", cost)
	dagain := c.Alloc("again", 1)

	grid, block := benchmarks.Dim(benchmarks.CeilDiv(n, threads)), benchmarks.Dim(threads)
	for again := true; again; {
		host.Write(c.Device, dagain, []byte{0})
		err := c.Launch("visit", grid, block, host.U64(dnodes), host.U64(dedges), host.U64(dfrontier),
			host.U64(dupdating), host.U64(dvisited), host.U64(dcost), host.S32(int32(n)))
		if err != nil {
			return err
		}
		err = c.Launch("update", grid, block, host.U64(dfrontier), host.U64(dupdating), host.U64(dvisited),
			host.U64(dagain), host.S32(int32(n)))
		if err != nil {
			return err
		}
		again = host.Read[byte](c.Device, dagain, 1)[0] != 0
	}
	return benchmarks.Equal("cost", host.Read[int32](c.Device, dcost, n), search(rows, edges, start))
}

// graph makes nodes {first edge, degree} of degrees 2 to 10 with random neighbours. A node in 64 has no incoming
// edge, so that some costs stay -1.
func graph(c *benchmarks.Context, n int) (rows [][2]int32, edges []int32) {
	r := c.Rand("graph")
	rows = make([][2]int32, n)
	for i := range rows {
		degree := 2 + r.Int32N(9)
		rows[i] = [2]int32{int32(len(edges)), degree}
		for range degree {
			to := r.Int32N(int32(n))
			if to%64 == 63 {
				to--
			}
			edges = append(edges, to)
		}
	}
	return rows, edges
}

// search is the textbook search with a queue.
func search(rows [][2]int32, edges []int32, start int) []int32 {
	cost := make([]int32, len(rows))
	for i := range cost {
		cost[i] = -1
	}
	cost[start] = 0
	for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		first, degree := rows[at][0], rows[at][1]
		for _, to := range edges[first : first+degree] {
			if cost[to] < 0 {
				cost[to] = cost[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return cost
}
