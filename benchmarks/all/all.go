// Package all links every built-in application into the program that imports it.
package all

import (
	_ "kumiko/benchmarks/backprop"
	_ "kumiko/benchmarks/bfs"
	_ "kumiko/benchmarks/btree"
	_ "kumiko/benchmarks/fmaheavy"
	_ "kumiko/benchmarks/gaussian"
	_ "kumiko/benchmarks/hotspot"
	_ "kumiko/benchmarks/kmeans"
	_ "kumiko/benchmarks/lavamd"
	_ "kumiko/benchmarks/lud"
	_ "kumiko/benchmarks/nw"
	_ "kumiko/benchmarks/pathfinder"
	_ "kumiko/benchmarks/sgemm"
	_ "kumiko/benchmarks/srad"
	_ "kumiko/benchmarks/sradv2"
	_ "kumiko/benchmarks/streamcluster"
	_ "kumiko/benchmarks/transpose"
	_ "kumiko/benchmarks/vecadd"
)
