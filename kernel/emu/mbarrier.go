package emu

import (
	"encoding/binary"
	"math/bits"

	"kumiko/kernel/ir"
)

// mbarrier counts the operations on an mbarrier object of a CTA. A warp instruction counts once, for the object of
// its lowest lane. If the lanes of a warp name several objects, the timing of the others does not wait for it.
type mbarrier struct {
	addr uint64 // in shared memory
	ops  int64  // warp instructions so far
	done int64  // of them, up to the end of the last complete phase
}

// suspension is a warp's wait at an mbarrier.
type suspension struct {
	version uint64 // of memory, when it was found not to be complete
	addr    uint64
	object  uint64
	resumed bool // it goes on whether the phase is complete or not
}

// tally returns the counts of the object at an address.
func (c *cta) tally(addr uint64) *mbarrier {
	for i := range c.mbars {
		if c.mbars[i].addr == addr {
			return &c.mbars[i]
		}
	}
	c.mbars = append(c.mbars, mbarrier{addr: addr})
	return &c.mbars[len(c.mbars)-1]
}

func (c *cta) operation(addr uint64) { c.tally(addr).ops++ }

func (c *cta) completed(addr uint64) {
	m := c.tally(addr)
	m.done = m.ops
}

// resume resumes a warp suspended at an mbarrier, if no warp of the CTA can continue otherwise: a wait may end
// before the phase is complete (PTX ISA section 9.7.13.15.16). It reports whether there is one.
func (c *cta) resume() bool {
	for i := range c.warps {
		if w := &c.warps[i]; w.state == suspended {
			w.state, w.susp.resumed = running, true
			return true
		}
	}
	return false
}

// atMbarrier checks that an access is to shared memory, the place of mbarrier objects.
func (w *warp) atMbarrier(exec uint32, a *access) bool {
	if a.space != ir.Shared || a.mixed {
		w.fail("thread %s: an mbarrier in %s space, expected shared memory", w.thread(lowest(exec)), a.space)
		return false
	}
	return true
}

func decodeMbarWait(p *decoder) {
	p.out.mem = p.decodeMem([]ir.Operand{{}}, false)
	p.out.p = p.predDest(0)
	p.out.a = p.source(p.src(0), p.in.SrcType, max(p.in.SrcType.Words(), 1))
	p.out.ctl = mbarWait
}

// mbarWait executes mbarrier.test_wait and mbarrier.try_wait. A warp with an incomplete phase in some lane is
// suspended: the others have their turns, and then it tests the phase again.
func mbarWait(w *warp, in *inst, exec uint32) outcome {
	w.pc = in.pc + 1
	if exec == 0 {
		return running
	}
	var a access
	w.addresses(in.mem, exec, &a)
	if a.space == ir.Generic {
		w.resolve(exec, &a)
	}
	if !w.atMbarrier(exec, &a) || !w.aligned(in, exec, &a) {
		return failed
	}
	data := w.locate(in, exec, &a)
	if data == nil {
		return failed
	}
	done := uint32(0)
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		object := binary.LittleEndian.Uint64(data[w.index1(&a, l):])
		phase := uint64(w.rows[in.a][l]) & 1
		if in.src.SrcType != ir.U32 {
			phase = ir.MbarrierParity(lane64(w.pair(in.a), l))
		}
		if ir.MbarrierParity(object) != phase {
			done |= 1 << l
		} else {
			w.susp.addr, w.susp.object = w.index1(&a, l), object
		}
	}
	if done != exec && !w.susp.resumed {
		return w.suspend(in, exec)
	}
	w.susp.resumed = false
	w.putPred(in.p, done, exec)
	w.recordWait(in, w.index1(&a, lowest(exec)), done == exec)
	if done == exec {
		w.spin.reset(w.executed())
	}
	return running
}

// suspend puts the warp back before the instruction, as if the test had not been executed.
func (w *warp) suspend(in *inst, exec uint32) outcome {
	w.pc = in.pc
	w.retract(in, exec)
	w.susp.version = w.eng.version
	return suspended
}

// retract takes back what has been counted and recorded of an instruction that is executed later.
func (w *warp) retract(in *inst, exec uint32) {
	if in.guarded {
		w.lanes -= uint64(bits.OnesCount32(exec))
	}
	if n := len(w.rec.masks); in.masked && n > 0 {
		w.rec.masks = w.rec.masks[:n-1]
	}
}

// recordWait adds the operations the wait is for to the stream. With its phase incomplete, the wait is for none.
func (w *warp) recordWait(in *inst, addr uint64, done bool) {
	if !in.access || !w.rec.on {
		return
	}
	had := int32(0)
	if done {
		had = int32(w.cta.tally(addr).done)
	}
	w.rec.regular(ir.Barriers, addr, had)
}
