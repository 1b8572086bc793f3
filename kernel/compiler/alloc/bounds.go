package alloc

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/maxnreg"
	"kumiko/kernel/ir"
)

// bound is a range of program points [from, to) at which a warp has only the given number of registers. The allocator
// treats the registers above as occupied there.
type bound struct{ from, to, registers int }

// boundsOf returns the bounds of a kernel that changes its registers, nil for any other. An instruction has two
// program points, the reads and then the writes. A change of the registers lies between the two.
func boundsOf(k *ir.Kernel, g *cfg.Graph) (out []bound) {
	l := maxnreg.Of(k, g)
	if l == nil {
		return nil
	}
	add := func(at, n int) {
		if last := len(out) - 1; last >= 0 && out[last].to == at && out[last].registers == n {
			out[last].to++
			return
		}
		out = append(out, bound{at, at + 1, n})
	}
	for b := range g.Blocks {
		l.Each(b, func(pc, before, after int) {
			add(2*pc, before)
			add(2*pc+1, after)
		})
	}
	return out
}
