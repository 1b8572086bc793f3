package emu

import "kumiko/kernel/ir"

// lost is the content of registers given up by a warp. PTX gives such registers no value, and a program that reads
// them shows wrong results.
const lost = 0xdeadbeef

// decodeSetmaxnreg decodes setmaxnreg, section 9.7.19.5. If the number decreases, the registers from the new number on
// lose their contents. If it increases, nothing is to be done: the added registers have no contents until they are
// written, and still hold the mark of the loss.
func decodeSetmaxnreg(p *decoder) {
	if len(p.in.Src) != 1 || p.in.Src[0].Kind != ir.KindImm {
		p.fail("found no constant number of registers, expected one")
		return
	}
	from, grow := p.in.Src[0].Imm, p.in.Mods.Grow
	k := p.k
	p.out.exec = func(w *warp, _ *inst, exec uint32) {
		if all := w.live &^ w.leaving(); exec != all && exec != w.live {
			w.fail("the lanes %#x execute it, expected all of the warp, %#x", exec, all)
			return
		}
		if grow || k.Launched == 0 {
			return
		}
		for r := int(from); r < k.NumRegs; r++ {
			for l := range w.rows[r] {
				w.rows[r][l] = lost
			}
		}
	}
}
