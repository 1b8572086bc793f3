package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// numBarriers is the number of named barriers of a CTA, PTX ISA section 9.7.13.1.
const numBarriers = 16

// barrier is a CTA barrier. It counts warps, not threads: a barrier executed by some of a warp's lanes counts for
// all of them, as the ISA defines the aligned forms.
type barrier struct {
	arrived  int // warps
	expected int // warps, 0: all not yet ended
	waiting  []*warp
	popc     uint32
	all, any bool
}

// barrierWait is a warp's wait at a barrier.
type barrierWait struct {
	in   *inst
	exec uint32
	num  int
	// beside has the lanes that came to the barrier on paths of their own. They pass it with the warp. votes has those
	// of them with a true predicate.
	beside, votes uint32
}

func (b *barrier) reset() {
	*b = barrier{waiting: b.waiting[:0], all: true}
}

func decodeBar(p *decoder) {
	out := p.out
	out.a = p.source(p.src(0), ir.U32, 1)
	out.b = -1
	if p.src(1).Kind != ir.KindNone {
		out.b = p.source(p.src(1), ir.U32, 1)
	} else if p.in.Mods.Bar == ir.BarArrive {
		p.fail("bar.arrive without a thread count")
	}
	switch p.in.Mods.Bar {
	case ir.BarRedPopc:
		out.d = p.dest(0, 1)
		out.r, out.rInv = p.predSource(p.src(2))
	case ir.BarRedAnd, ir.BarRedOr:
		out.p = p.predDest(0)
		out.r, out.rInv = p.predSource(p.src(2))
	}
	out.ctl = barArrive
}

func barArrive(w *warp, in *inst, exec uint32) outcome {
	w.pc = in.pc + 1
	if exec == 0 {
		return running
	}
	w.wait = barrierWait{}
	if w.mask != w.live {
		var come bool
		if exec, come = w.gather(in, exec); !come {
			return w.state // running on another path, or failed
		}
		w.pc = in.pc + 1
	} else { // those that were waited for have exited
		w.apart.gathered, w.apart.whole = 0, false
	}
	lane := bits.TrailingZeros32(exec) & 31
	num := w.rows[in.a][lane]
	if num >= numBarriers {
		w.fail("barrier %d: a CTA has %d", num, numBarriers)
		return failed
	}
	b := &w.cta.bars[num]
	want := 0
	if in.b >= 0 {
		want = (int(w.rows[in.b][lane]) + 31) / 32
		if want == 0 {
			w.fail("barrier %d with a thread count of 0", num)
			return failed
		}
		if b.arrived > 0 && b.expected != want {
			w.fail("barrier %d with %d threads, after a warp that came with another count", num, want*32)
			return failed
		}
		b.expected = want
	}
	if in.access && w.rec.on {
		w.rec.regular(ir.Barriers, uint64(num), int32(want))
	}
	b.arrived++
	b.reduce(w, in, exec)
	if in.src.Mods.Bar == ir.BarArrive {
		w.cta.complete(int(num))
		return running
	}
	w.wait.in, w.wait.exec, w.wait.num = in, exec, int(num)
	b.waiting = append(b.waiting, w)
	w.state = waiting
	w.cta.complete(int(num))
	return w.state
}

// reduce adds a warp's predicates to those of the earlier warps.
func (b *barrier) reduce(w *warp, in *inst, exec uint32) {
	if in.src.Mods.Bar < ir.BarRedPopc {
		return
	}
	v := (w.preds[in.r]^in.rInv)&exec | w.wait.votes
	b.popc += uint32(bits.OnesCount32(v))
	b.all = b.all && v == exec|w.wait.beside
	b.any = b.any || v != 0
}

// complete releases a barrier's warps if all expected warps have arrived.
func (c *cta) complete(num int) {
	b := &c.bars[num]
	want := b.expected
	if want == 0 {
		want = c.left
	}
	if b.arrived == 0 || b.arrived < want {
		return
	}
	for _, w := range b.waiting {
		b.result(w)
		w.state = running
		w.spin.reset(w.executed())
	}
	b.reset()
}

func (b *barrier) result(w *warp) {
	in, exec := w.wait.in, w.wait.exec|w.wait.beside
	switch in.src.Mods.Bar {
	case ir.BarRedPopc:
		var v row
		v.fill(b.popc)
		blend(&w.rows[in.d], &v, exec)
	case ir.BarRedAnd:
		w.putPred(in.p, broadcast(b.all), exec)
	case ir.BarRedOr:
		w.putPred(in.p, broadcast(b.any), exec)
	}
}

// broadcast returns a predicate with the same value in every lane.
func broadcast(v bool) uint32 {
	if v {
		return ^uint32(0)
	}
	return 0
}

// putPred writes a predicate for the lanes of exec.
func (w *warp) putPred(p int32, v, exec uint32) {
	w.preds[p] = w.preds[p]&^exec | v&exec
}

// decodeNothing decodes instructions that order memory accesses or execution within a warp, such as fences. They have
// nothing to do, since one warp runs at a time and its lanes run in lock step.
func decodeNothing(p *decoder) {
	p.out.exec = func(*warp, *inst, uint32) {}
}
