package emu

import "kumiko/kernel/ir"

// Waits of machine code behind which lanes of different membermasks are apart: OpConverge with Mods.Exclusive, where
// the lanes of a membermask wait at one place, and OpCollective, where each waits at a place of its own.

// convergeApart executes OpConverge with Mods.Exclusive.
func convergeApart(w *warp, in *inst, exec uint32) outcome {
	g := w.members(exclusiveBarrier, in, exec)
	one := true
	for m := exec; m != 0; m &= m - 1 {
		one = one && g[lowest(m)] == g[lowest(exec)]
	}
	if one {
		return w.converge(in, exclusiveBarrier, exec)
	}
	w.pc = in.pc + 1
	return w.holdBack(exclusiveBarrier, exec)
}

func decodeCollective(p *decoder) {
	if !p.k.Converges {
		p.fail("a wait for lanes in a kernel with reconvergence at post-dominators")
	}
	p.out.a = p.source(p.src(0), ir.U32, 1)
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		w.members(collectiveBarrier, in, exec)
		for m := exec; m != 0; m &= m - 1 {
			w.conv.ends[lowest(m)] = in.target
		}
		w.pc = in.pc + 1
		return w.holdBack(collectiveBarrier, exec)
	}
}

// joinMembers makes one path of the lanes of each membermask at one place or, if it is anywhere, at the place of its
// first lane, on top of the stack.
func (w *warp) joinMembers(free uint32, members *row, anywhere bool) {
	for left := free; left != 0; {
		first := lowest(left)
		joined := path{pc: w.placeOf(first), reconv: -1}
		for m := left; m != 0; m &= m - 1 {
			if l := lowest(m); members[l] == members[first] && (anywhere || w.placeOf(l) == joined.pc) {
				joined.mask |= 1 << l
			}
		}
		left &^= joined.mask
		kept := w.stack[:0]
		for _, p := range w.stack {
			if p.mask &^= joined.mask; p.mask != 0 {
				kept = append(kept, p)
			}
		}
		w.stack = append(kept, joined)
	}
}

// placeOf returns where a lane on the stack goes on.
func (w *warp) placeOf(lane int) int32 {
	for i := range w.stack {
		if w.stack[i].mask>>lane&1 != 0 {
			return w.stack[i].pc
		}
	}
	return 0
}

// decodeCollectiveEnd lets each lane go on where its OpCollective says.
func decodeCollectiveEnd(p *decoder) {
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		next := in.pc + 1
		w.endRun(next, next)
		w.push(next, in.reconv, w.mask&^exec)
		for left := exec; left != 0; {
			to, same := w.conv.ends[lowest(left)], uint32(0)
			for m := left; m != 0; m &= m - 1 {
				if l := lowest(m); w.conv.ends[l] == to {
					same |= 1 << l
				}
			}
			left &^= same
			w.push(to, in.reconv, same)
		}
		w.mask = 0
		w.pop()
		w.runPC = w.pc
		return running
	}
}
