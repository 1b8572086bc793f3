package regpool

import (
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// counts are the statistics of a pool.
type counts struct {
	requests, grants, atOnce, failures, waits, released, gained uint64
	waiting                                                     uint64
	seen                                                        wire.Cycle
}

// count adds up the cycles since the last change.
func (x *Pool) count(now wire.Cycle) {
	x.waiting += uint64(len(x.queue)) * (now - x.seen)
	x.seen = now
}

func (x *Pool) register(block string, reg *stats.Registry) {
	reg.Count("regfile.regpool.requests", stats.Events, "requests of warps for more registers", block, &x.requests)
	reg.Count("regfile.regpool.grants", stats.Events, "requests that were granted", block, &x.grants)
	reg.Count("regfile.regpool.at_once", stats.Events, "requests that were granted without waiting", block, &x.atOnce)
	reg.Count("regfile.regpool.failures", stats.Events,
		"tries that found too few registers, where requests fail", block, &x.failures)
	reg.Count("regfile.regpool.wait_cycles", stats.Cycles, "from a request to its grant, summed over grants", block,
		&x.waits)
	reg.Count("regfile.regpool.waiting", stats.Cycles,
		"warps waiting for registers, summed over cycles up to the last change", block, &x.waiting)
	reg.Count("regfile.regpool.released", stats.Events, "blocks of registers that warps gave up while they ran", block,
		&x.released)
	reg.Count("regfile.regpool.gained", stats.Events, "blocks of registers that warps were given while they ran", block,
		&x.gained)
}

// State returns the storage of the block, in bits: a bit for each block of registers, a place for each possible
// block of a warp, and the blocks of each warp and of each pool.
func (x *Pool) State() []regfile.State {
	s := x.spec
	entries, place, number := len(x.warps)*s.most(), width(s.Blocks-1), width(s.most())
	row := func(what string, entries, width int) regfile.State {
		return regfile.State{Block: "Registers", What: what, Count: 1, Bits: entries * width, Ports: "1rw",
			Kind: storage.FlipFlop, Width: width}
	}
	return []regfile.State{
		row("blocks in use", s.Blocks, 1), row("places of blocks", entries, place),
		row("blocks of each warp", len(x.warps), number), row("blocks in the pools", len(x.free), width(s.Blocks))}
}

// width returns the bits of a number up to n.
func width(n int) int {
	bits := 0
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}
