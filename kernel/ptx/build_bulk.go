package ptx

import "kumiko/kernel/ir"

// bulkBytes is the number of bytes moved by a step of a bulk copy: sizes are multiples of it.
const bulkBytes = 16

// buildBulk builds the bulk copies (PTX ISA section 9.7.9.25.4). The simulated SM has no separate copy unit, so the
// executing thread does the copy, bulkBytes at a time, before it continues. Groups then have nothing to wait for.
func buildBulk(d *decoder) {
	switch {
	case d.in.has("commit_group"), d.in.has("wait_group"), d.in.has("prefetch"):
		return
	case d.in.has("multicast::cluster"):
		d.e.unsupported(d.in, family{"copies to several CTAs of a cluster", isa{8, 0}, "let each CTA copy for itself"})
		return
	}
	d.hinted()
	object := d.in.has("mbarrier::complete_tx::bytes")
	if object == d.in.has("bulk_group") {
		d.errorf(d.in.pos, "found %s, expected .mbarrier::complete_tx::bytes or .bulk_group", d.in.full())
		return
	}
	n := map[bool]int{false: 3, true: 4}[object]
	if !d.need(n, n) {
		return
	}
	from, to := ir.Global, ir.Shared
	if !object {
		from, to = ir.Shared, ir.Global
	} else if !d.in.has("global") {
		from = ir.Shared
	}
	size, ok := d.src(&d.in.ops[2], ir.U32)
	if ok && size.Kind == ir.KindImm && (size.Imm == 0 || size.Imm%bulkBytes != 0) {
		d.errorf(d.in.ops[2].pos, "found a size of %d bytes, expected a multiple of %d", size.Imm, bulkBytes)
		return
	}
	end := d.skipOthers()
	dst, good := d.cursor(&d.in.ops[0], to)
	src, fine := d.cursor(&d.in.ops[1], from)
	if !ok || !good || !fine {
		return
	}
	d.copyLoop(dst, src, to, from, size)
	if object {
		d.out.Space = ir.Shared
		if !d.object(&d.in.ops[3]) {
			return
		}
		if bytes, ok := d.number(&d.in.ops[2], ir.MbarrierTxBit); ok {
			d.transaction(bytes, true)
		}
	}
	d.e.place(end)
}

// skipOthers appends a branch of the lanes outside the guard to the returned label.
func (d *decoder) skipOthers() *label {
	end := &label{}
	if g := d.guard; g.Kind != ir.KindNone {
		g.Neg = !g.Neg
		d.e.jump(d.in.pos, g, end, false)
	}
	d.guard, d.out.Guard = ir.Operand{}, ir.Operand{}
	return end
}

// cursor returns an address in a register of its own.
func (d *decoder) cursor(o *operand, s ir.Space) (ir.Operand, bool) {
	d.out.Space = s
	p, ok := d.memory(o)
	if !ok {
		return ir.Operand{}, false
	}
	base, t := p.addr.Base, ir.U64
	if base.Kind == ir.KindNone {
		return d.result(ir.OpMov, t, ir.Imm(uint64(p.addr.Offset), 2)), true
	}
	if base.Words == 1 {
		t = ir.U32
	}
	return d.result(ir.OpAdd, t, base, ir.Imm(uint64(p.addr.Offset), int(base.Words))), true
}

// copyLoop copies size bytes, a multiple of bulkBytes; any remainder is not copied.
func (d *decoder) copyLoop(dst, src ir.Operand, to, from ir.Space, size ir.Operand) {
	left := d.result(ir.OpMov, ir.U32, size)
	var parts []ir.Operand
	for range bulkBytes / 4 {
		parts = append(parts, d.e.temp(4))
	}
	head, end := &label{}, &label{}
	d.e.place(head)
	short := ir.P(d.e.newPred())
	d.compare(short, ir.LT, left, bulkBytes)
	d.e.jump(d.in.pos, short, end, false)
	ld := d.plain(ir.OpLd)
	ld.Type, ld.Space, ld.Addr, ld.Dst = ir.B32, from, ir.Addr{Base: src}, parts
	d.e.add(ld)
	st := d.plain(ir.OpSt)
	st.Type, st.Space, st.Addr, st.Src = ir.B32, to, ir.Addr{Base: dst}, parts
	d.e.add(st)
	for _, r := range []ir.Operand{src, dst} {
		t := map[uint8]ir.Type{1: ir.U32, 2: ir.U64}[r.Words]
		d.step(ir.OpAdd, t, r, r, ir.Imm(bulkBytes, int(r.Words)))
	}
	d.step(ir.OpSub, ir.U32, left, left, ir.Imm(bulkBytes, 1))
	d.e.jump(d.in.pos, ir.Operand{}, head, false)
	d.e.place(end)
}
