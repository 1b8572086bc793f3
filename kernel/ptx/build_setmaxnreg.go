package ptx

import (
	"fmt"

	"kumiko/kernel/ir"
)

// The least and the most registers of a thread that setmaxnreg may name, and the unit of their number (PTX ISA
// section 9.7.19.5).
const (
	leastMaxnreg = 24
	mostMaxnreg  = 256
	maxnregUnit  = 8
)

// buildSetmaxnreg builds setmaxnreg.action.sync.aligned.u32 imm-reg-count. A guard is refused: all lanes of a warp
// execute it, and its place in the program divides the code by registers.
func buildSetmaxnreg(d *decoder) {
	if !d.need(1, 1) {
		return
	}
	o := &d.in.ops[0]
	found, n := o.describe(), o.value.bits
	number := o.kind == opConst && o.value.kind == tokInt
	if number {
		found = fmt.Sprint(int64(n))
	}
	switch {
	case !number || n < leastMaxnreg || n > mostMaxnreg || n%maxnregUnit != 0:
		d.errorf(o.pos, "found %s as the registers of %s, expected a constant from %d to %d, a multiple of %d", found,
			d.in.full(), leastMaxnreg, mostMaxnreg, maxnregUnit)
	case d.guard.Kind != ir.KindNone:
		d.errorf(d.in.pos, "found a guard before %s, expected none, since all lanes of a warp execute it together: "+
			"branch around it", d.in.full())
	default:
		d.out.Src = []ir.Operand{ir.Imm(n, 1)}
		d.e.add(d.out)
	}
}
