package emu

import (
	"math/bits"
	"slices"

	"kumiko/kernel/ir"
)

// A barrier of the CTA counts warps, so lanes of a warp on several paths wait for each other in front of it. They
// arrive together, on one path where they have come by the same instruction. Lanes at a meeting place, where they wait
// for those at the barrier, are not expected, unless lanes have gone ahead or spin.

// gather suspends the current path in front of a barrier, if other lanes of the warp can still come to one. It
// reports whether all have come; then exec has the lanes of all paths joined to the current one.
func (w *warp) gather(in *inst, exec uint32) (joined uint32, come bool) {
	a := &w.apart
	w.endRun(in.pc, in.pc)
	w.retract(in, exec)
	a.gathered &^= w.mask
	if !a.whole && w.live&^(w.mask|a.gathered|w.leaving()) != 0 {
		a.active, a.gathered = true, a.gathered|w.mask
		w.stack = append(w.stack, path{pc: in.pc, reconv: w.reconv, mask: w.mask})
		w.pop()
		w.runPC = w.pc
		return 0, false
	}
	if !w.join(in) {
		return 0, false
	}
	exec = w.mask
	if in.guarded {
		exec &= w.preds[in.guard] ^ in.guardInv
		w.lanes += uint64(bits.OnesCount32(exec))
	}
	if in.masked {
		w.rec.mask(exec)
	}
	return exec, true
}

// join adds the paths gathered at a barrier instruction to the current path, which is there too. Paths at the same
// barrier, but at another instruction, pass the barrier with it, since the warp arrives but once. It fails if paths are
// at different barriers.
func (w *warp) join(in *inst) bool {
	gathered := w.apart.gathered
	w.apart.gathered, w.apart.whole = 0, false
	for i := len(w.stack) - 1; i >= 0 && gathered != 0; i-- {
		p := &w.stack[i]
		here := p.mask & w.live
		if here&gathered == 0 {
			continue
		}
		gathered &^= here
		at := &w.eng.prog.code[p.pc]
		switch l := lowest(here); {
		case p.pc == in.pc && p.reconv == w.reconv && w.siblings(i):
			w.mask |= here
			w.stack = slices.Delete(w.stack, i, i+1)
		case w.rows[at.a][l] != w.rows[in.a][lowest(w.mask)] || at.src.Mods.Bar != in.src.Mods.Bar || at.d != in.d ||
			at.p != in.p:
			w.fail("lanes %s have come to another barrier, at %s: lanes of one warp wait for each other", lanes(here),
				position(w.eng.prog.k, at.src))
			w.eng.err = &HangError{w.eng.err}
			return false
		default:
			w.wait.join(w, at, here)
			if p.pc++; p.pc == p.reconv {
				w.stack = slices.Delete(w.stack, i, i+1)
			}
		}
	}
	return true
}

// join adds lanes that are at the same barrier, but at another instruction than the current path. They pass the barrier
// with it, and get its result, because both instructions write the same registers.
func (t *barrierWait) join(w *warp, at *inst, here uint32) {
	if at.guarded {
		here &= w.preds[at.guard] ^ at.guardInv
	}
	t.beside |= here
	if at.src.Mods.Bar >= ir.BarRedPopc {
		t.votes |= (w.preds[at.r] ^ at.rInv) & here
	}
}

// siblings reports whether the current path and a stacked one lie within the same other paths: each of these shares
// lanes with both or with neither.
func (w *warp) siblings(i int) bool {
	mask := w.stack[i].mask & w.live
	for j := range w.stack {
		if q := w.stack[j].mask; j != i && (q&mask != 0) != (q&w.mask != 0) {
			return false
		}
	}
	return true
}
