package emu

import "kumiko/kernel/ir"

// decodeAlloca decodes alloca, the growth of the stack, PTX ISA section 9.7.18.3.
func decodeAlloca(p *decoder) {
	words, t := 2, ir.U64 // of a constant, possibly moved to a register by the compiler
	if o := p.src(1); o.Kind != ir.KindImm {
		words, t = max(int(o.Words), 1), ir.U32
	}
	p.out.a, p.out.b = p.source(p.src(0), ir.U32, 1), p.source(p.src(1), t, words)
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		end := uint64(w.eng.l.localBytes())
		size := w.pair(in.b)
		for m := exec; m != 0; m &= m - 1 {
			l := lowest(m)
			n := uint64(size[0][l])
			if words == 2 {
				n = lane64(size, l)
			}
			from := uint64(w.rows[in.a][l])
			if from > end || n > end-from {
				stack := w.eng.l.Limits.StackBytes
				w.fail("thread %s: an allocation of %d bytes on the stack, expected at most the %d that are left of "+
					"its %d bytes (--max-stack-bytes %d)", w.thread(l), n, end-min(from, end), stack, stack)
				return
			}
			w.rows[in.d][l] = uint32(from + n)
		}
	}
}
