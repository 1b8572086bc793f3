package alloc

import (
	"math"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// spread assigns the registers again by the bank policy and returns the number of registers used. It uses no more
// than first-free did, with two exceptions: it tries up to four more if the policy finds no assignment, and Apart
// uses all registers.
func (p *problem) spread(k *ir.Kernel, opt Options, used int) int {
	if opt.Policy == FirstFree {
		return used
	}
	keep := p.w.bases()
	first, last := used, min(opt.Limit, used+4)
	if opt.Policy == Apart {
		first, last = opt.Limit, opt.Limit
	}
	for limit := first; limit <= last; limit++ {
		for _, ord := range orders {
			pick := rotate()
			if opt.Policy == LeastConflict {
				pick = leastConflict(p.neighbours(k), opt.Banks)
			}
			if failed, u := p.w.color(p.points, limit, ord, pick); len(failed) == 0 {
				return u
			}
		}
	}
	p.w.restore(keep)
	return used
}

// rotate starts each search behind the last assigned register.
func rotate() picker {
	next := 0
	return func(f *file, n *node, limit int) int {
		slots := limit - n.words + 1
		for i := range slots {
			b := (next + i) % slots
			if b%n.align == 0 && f.fits(n, b) {
				next = b + n.words
				return b
			}
		}
		return -1
	}
}

// neighbour is a word of another node read by the same instruction.
type neighbour struct {
	n           *node
	mine, their int
	weight      float64
}

func (p *problem) neighbours(k *ir.Kernel) map[*node][]neighbour {
	out := map[*node][]neighbour{}
	for pc := range k.Insts {
		weight := math.Pow(10, float64(min(p.depth(pc), 6)))
		var read []place
		code.Uses(&k.Insts[pc], func(o *ir.Operand) {
			for i := range code.Words(o) {
				if at := p.w.places[int(o.Reg)+i]; at.n != nil {
					read = append(read, at)
				}
			}
		})
		for _, a := range read {
			for _, b := range read {
				if a.n != b.n {
					out[a.n] = append(out[a.n], neighbour{b.n, a.word, b.word, weight})
				}
			}
		}
	}
	return out
}

// leastConflict picks the free register with the fewest bank conflicts with already placed operands of the same
// instructions, the lowest among equals.
func leastConflict(with map[*node][]neighbour, banks int) picker {
	return func(f *file, n *node, limit int) int {
		best, least := -1, math.Inf(1)
		for b := 0; b+n.words <= limit; b += n.align {
			cost := 0.0
			for _, o := range with[n] {
				if o.n.base >= 0 && (b+o.mine)%banks == (o.n.base+o.their)%banks {
					cost += o.weight
				}
			}
			if cost < least && f.fits(n, b) {
				best, least = b, cost
			}
			if least == 0 {
				break
			}
		}
		return best
	}
}
