package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// LongLatency reports whether a two-level scheduler suspends a warp for the result of in. This is so for "global
// loads and texture fetches" (Gebhart et al., ISCA 2011, section 3.2), and here also for local memory, as distant
// as global memory, and for atomics with a result.
func LongLatency(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpLd:
		return in.Space == ir.Global || in.Space == ir.Generic || in.Space == ir.Local
	case ir.OpAtom:
		return in.Space != ir.Shared && len(in.Dst) > 0
	case ir.OpTex:
		return true
	}
	return false
}

// written is the set of registers written by an operation. Operations writing the same registers share a number: to
// wait for one is to wait for all.
type written struct {
	regs [ir.NumDests]ir.RegID
	n    uint8
}

// LongConsumers sets LongConsumer of the instructions that, on some path, are the first to touch a register written
// by a long-latency operation. If the operation writes several registers, only the first instruction to touch any of
// them counts, because it waits for the whole operation.
func LongConsumers(k *ir.Kernel) {
	g := cfg.Build(k.Insts)
	number := make([]int, len(k.Insts))
	numbers := map[written]int{}
	writers := map[ir.RegID][]int{}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		in.T.LongConsumer = false
		if !LongLatency(in) {
			continue
		}
		key := written{in.T.Dst, in.T.NDst}
		n, ok := numbers[key]
		if !ok {
			n = len(numbers)
			numbers[key] = n
			for _, r := range in.T.Dst[:in.T.NDst] {
				writers[r] = append(writers[r], n)
			}
		}
		number[pc] = n
	}
	state := make([]bitset.Set, len(g.Blocks))
	for b := range state {
		state[b] = bitset.New(len(numbers))
	}
	work := make([]int, 0, len(state))
	for b := len(state) - 1; b >= 0; b-- {
		work = append(work, b)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		pending := state[b].Clone()
		for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
			in := &k.Insts[pc]
			if touch(&in.T, pending, writers) {
				in.T.LongConsumer = true
			}
			if LongLatency(in) {
				pending.Add(number[pc])
			}
		}
		for _, s := range g.Blocks[b].Succs {
			if state[s].Or(pending) {
				work = append(work, s)
			}
		}
	}
}

// touch removes from pending the operations t waits for, and reports whether there were any.
func touch(t *ir.Timing, pending bitset.Set, writers map[ir.RegID][]int) bool {
	found := false
	one := func(r ir.RegID) {
		for _, n := range writers[r] {
			if pending.Has(n) {
				pending.Remove(n)
				found = true
			}
		}
	}
	for _, r := range t.Src[:t.NSrc] {
		one(r)
	}
	for _, r := range t.Dst[:t.NDst] {
		one(r)
	}
	return found
}
