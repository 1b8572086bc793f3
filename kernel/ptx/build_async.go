package ptx

import "kumiko/kernel/ir"

// buildCpAsync builds cp.async dst, src, size: a load and a store in order. So commit_group and wait_group have
// nothing to wait for.
func buildCpAsync(d *decoder) {
	if d.in.has("bulk") {
		buildBulk(d)
		return
	}
	if d.in.has("mbarrier") {
		buildCpArrive(d)
		return
	}
	copies := false
	for _, m := range d.in.mods {
		switch m.text {
		case "commit_group", "wait_group", "wait_all":
			return
		case "ca", "cg":
			copies = true
		}
	}
	if !copies {
		d.errorf(d.in.pos, "found %s, expected .ca, .cg, .commit_group, .wait_group or .wait_all", d.in.full())
		return
	}
	d.hinted()
	if !d.need(3, 4) {
		return
	}
	size := d.in.ops[2].value.bits
	if d.in.ops[2].kind != opConst || size != 4 && size != 8 && size != 16 {
		d.errorf(d.in.ops[2].pos, "found %s, expected a size of 4, 8 or 16 bytes", d.in.ops[2].describe())
		return
	}
	d.out.Type = ir.B32
	var parts []ir.Operand
	for range size / 4 {
		parts = append(parts, d.e.temp(4))
	}
	st := d.out
	d.out.Space = ir.Global
	from, ok := d.memory(&d.in.ops[1])
	d.out.Addr, d.out.Dst = from.addr, parts
	ld := d.out
	d.out.Space = ir.Shared
	to, good := d.memory(&d.in.ops[0])
	if !ok || !good {
		return
	}
	if len(d.in.ops) == 3 {
		d.e.add(ld)
	} else if !d.loadUpTo(ld, &d.in.ops[3], size) {
		return
	}
	st.Op, st.Space, st.Addr, st.Src = ir.OpSt, ir.Shared, to.addr, parts
	d.e.add(st)
}

// buildCpArrive builds cp.async.mbarrier.arrive (PTX ISA section 9.7.13.15.17): an arrival at the end of the
// thread's copies, already reached here. Without .noinc the phase expects one more arrival too, so nothing changes.
func buildCpArrive(d *decoder) {
	if d.in.has("shared") || d.in.has("shared::cta") {
		d.out.Space = ir.Shared
	}
	if !d.need(1, 1) || !d.object(&d.in.ops[0]) {
		return
	}
	if d.in.has("noinc") {
		d.arrival(nil, ir.Imm(1, 2))
	}
}

// loadUpTo loads the bytes given by the fourth operand of cp.async, src-size, and zeros for the others; with the
// predicate ignore-src as this operand, it loads none (PTX ISA section 9.7.9.25.3.1). The whole size, the usual
// case, is one load.
func (d *decoder) loadUpTo(ld ir.Inst, o *operand, size uint64) bool {
	for _, r := range ld.Dst {
		d.step(ir.OpMov, ir.B32, r, ir.Imm(0, 1))
	}
	if sym := d.e.lookup(d.s, o.name); o.kind == opName && sym != nil && sym.kind == symReg && sym.typ == ir.PredType {
		p, ok := d.predicate(o)
		p.Neg = !p.Neg
		d.guarded(ld, p)
		return ok
	}
	n, ok := d.src(o, ir.U32)
	if !ok {
		return false
	}
	whole := ir.P(d.e.newPred())
	d.compare(whole, ir.GE, n, size)
	d.guarded(ld, whole)
	end := &label{}
	d.e.jump(d.in.pos, whole, end, false)
	for i, r := range ld.Dst {
		some, word := ir.P(d.e.newPred()), ld
		d.compare(some, ir.GT, n, uint64(4*i))
		word.Dst = []ir.Operand{r}
		word.Addr.Offset += int64(4 * i)
		d.guarded(word, some)
		// The bytes from n on are cleared: the mask of a shift by 32 or more is zero.
		bits := d.result(ir.OpShl, ir.B32, d.result(ir.OpSub, ir.U32, n, ir.Imm(uint64(4*i), 1)), ir.Imm(3, 1))
		mask := d.result(ir.OpShl, ir.B32, ir.Imm(allLanes, 1), bits)
		d.step(ir.OpAnd, ir.B32, r, r, d.result(ir.OpNot, ir.B32, mask)).Guard = some
	}
	d.e.place(end)
	return true
}

func (d *decoder) compare(p ir.Operand, cmp ir.Cmp, v ir.Operand, with uint64) {
	d.step(ir.OpSetp, ir.U32, p, v, ir.Imm(with, 1)).Mods.Cmp = cmp
}

// guarded appends an instruction under predicate p and the guard of the decoded instruction.
func (d *decoder) guarded(in ir.Inst, p ir.Operand) {
	if d.guard.Kind != ir.KindNone {
		both := ir.P(d.e.newPred())
		d.step(ir.OpAnd, ir.PredType, both, p, d.guard).Guard = ir.Operand{}
		p = both
	}
	in.Guard = p
	d.e.add(in)
}
