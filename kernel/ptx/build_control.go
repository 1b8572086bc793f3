package ptx

import "kumiko/kernel/ir"

// label resolves a label operand.
func (d *decoder) label(s *scope, o *operand) *label {
	if o.kind == opName && o.member == "" && o.offset == 0 {
		if l := s.target(o.name); l != nil {
			return l
		}
	}
	d.errorf(o.pos, "found %s, expected a label of this function", o.describe())
	return nil
}

func buildBra(d *decoder) {
	if !d.need(1, 1) {
		return
	}
	if l := d.label(d.s, &d.in.ops[0]); l != nil {
		d.e.jump(d.in.pos, d.guard, l, false)
	}
}

// buildBrx builds brx.idx index, list.
func buildBrx(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	index, ok := d.src(&d.in.ops[0], ir.U32)
	o := &d.in.ops[1]
	sym := d.e.lookup(d.s, o.name)
	if sym == nil || sym.kind != symTargets {
		d.errorf(o.pos, "found %s, expected the name of a .branchtargets list", o.describe())
		return
	}
	var list []*label
	for i := range sym.names {
		l := d.label(sym.scope, &sym.names[i])
		ok = ok && l != nil
		list = append(list, l)
	}
	if ok {
		d.out.Src = []ir.Operand{index}
		d.e.add(d.out).toList = list
	}
}

// buildRet builds ret: the exit of a kernel, a branch behind an inlined body.
func buildRet(d *decoder) {
	if !d.need(0, 0) {
		return
	}
	if d.e.frame.parent == nil {
		d.e.add(d.out)
		return
	}
	d.e.jump(d.in.pos, d.guard, d.e.frame.end, true)
}

// buildExit builds exit. It ends its lanes, also within functions.
func buildExit(d *decoder) {
	if d.need(0, 0) {
		d.out.Flow = ir.FlowQuit
		d.e.add(d.out)
	}
}
