package ptx

import "kumiko/kernel/ir"

const allLanes = 0xffffffff

// split splits d|p; either may be a sink.
func split(o *operand) (first, second *operand) {
	if o.kind != opPair {
		return o, nil
	}
	first, second = &o.elems[0], &o.elems[1]
	if second.kind == opSink {
		second = nil
	}
	return first, second
}

// buildSetp builds setp p{|q}, a, b{, {!}c}.
func buildSetp(d *decoder) {
	n := 3
	if d.out.Mods.Bool != ir.BoolNone {
		n = 4
	}
	if !d.need(n, n) {
		return
	}
	p, q := split(&d.in.ops[0])
	var dst ir.Operand
	ok := true
	if p.kind == opSink {
		dst = ir.P(d.e.newPred())
	} else {
		dst, ok = d.dst(p, ir.PredType)
	}
	d.out.Dst = []ir.Operand{dst}
	if q != nil {
		r, good := d.dst(q, ir.PredType)
		ok = ok && good
		d.out.Dst = append(d.out.Dst, r)
	}
	for i := 1; i < n; i++ {
		t := d.out.Type
		if i == 3 {
			t = ir.PredType
		}
		v, good := d.src(&d.in.ops[i], t)
		ok = ok && good
		d.out.Src = append(d.out.Src, v)
	}
	if ok {
		d.e.add(d.out)
	}
}

// buildShfl builds shfl{.sync} d{|p}, a, b, c{, membermask}.
func buildShfl(d *decoder) {
	n := 4
	if d.out.Mods.Sync {
		n = 5
	}
	if !d.need(n, n) {
		return
	}
	r, p := split(&d.in.ops[0])
	dst, ok := d.dst(r, ir.B32)
	d.out.Dst = []ir.Operand{dst}
	if p != nil {
		v, good := d.dst(p, ir.PredType)
		ok = ok && good
		d.out.Dst = append(d.out.Dst, v)
	}
	d.finishWarp(ok, 1, n, ir.B32)
}

// finishWarp resolves the operands from first to last. It supplies the member mask of the forms without one.
func (d *decoder) finishWarp(ok bool, first, last int, t ir.Type) {
	for i := first; i < last; i++ {
		if i > first {
			t = ir.B32
		}
		v, good := d.src(&d.in.ops[i], t)
		ok = ok && good
		d.out.Src = append(d.out.Src, v)
	}
	if !d.out.Mods.Sync {
		d.out.Src = append(d.out.Src, ir.Imm(allLanes, 1))
	}
	if ok {
		d.e.add(d.out)
	}
}

// buildVote builds vote{.sync}.mode d, {!}a{, membermask}.
func buildVote(d *decoder) {
	n := 2
	if d.out.Mods.Sync {
		n = 3
	}
	if ballot := d.out.Mods.Vote == ir.VoteBallot; ballot != (d.out.Type == ir.B32) {
		d.errorf(d.in.pos, "found %s, expected .ballot.b32 or a mode with .pred", d.in.full())
		return
	}
	if !d.need(n, n) {
		return
	}
	dst, ok := d.dst(&d.in.ops[0], d.out.Type)
	d.out.Dst = []ir.Operand{dst}
	d.finishWarp(ok, 1, n, ir.PredType)
}

// buildMatch builds match.any.sync d, a, mask and match.all.sync d{|p}, a, mask.
func buildMatch(d *decoder) {
	if !d.need(3, 3) {
		return
	}
	if !d.out.Mods.Sync {
		d.errorf(d.in.pos, "found %s, expected .sync", d.in.full())
		return
	}
	r, p := split(&d.in.ops[0])
	dst, ok := d.dst(r, ir.B32)
	d.out.Dst = []ir.Operand{dst}
	if p != nil {
		v, good := d.dst(p, ir.PredType)
		ok = ok && good
		d.out.Dst = append(d.out.Dst, v)
	}
	d.finishWarp(ok, 1, 3, d.out.Type)
}

// maxThreads is the largest number of threads of a CTA (CUDA C Programming Guide, technical specifications per
// compute capability, 2.0 and later).
const maxThreads = 1024

// buildBar builds the forms of bar and barrier (PTX ISA section 9.7.13.1):
// sync a{, b}; arrive a, b; red.popc d, a{, b}, {!}c; red.and p, ...; warp.sync mask.
// b is a number of threads, a multiple of the warp size.
func buildBar(d *decoder) {
	if d.out.Op == ir.OpBarWarp {
		d.row = &row{ops: "su"}
		d.generic()
		return
	}
	ops := d.in.ops
	red := d.out.Mods.Bar >= ir.BarRedPopc
	sync := d.out.Mods.Sync
	d.out.Mods.Sync = false
	ok := true
	switch {
	case red:
		if !d.need(3, 4) {
			return
		}
		t := ir.PredType
		if d.out.Mods.Bar == ir.BarRedPopc {
			t = ir.U32
		}
		r, good := d.dst(&ops[0], t)
		ok, d.out.Dst, ops = good, []ir.Operand{r}, ops[1:]
	case d.out.Mods.Bar == ir.BarArrive:
		if !d.need(2, 2) {
			return
		}
	case !sync:
		d.errorf(d.in.pos, "found %s, expected .sync, .arrive, .red or .warp.sync", d.in.full())
		return
	default:
		if !d.need(1, 2) {
			return
		}
	}
	numbers := ops
	if red {
		numbers = ops[:len(ops)-1]
	}
	for i := range numbers {
		v, good := d.src(&numbers[i], ir.U32)
		ok = good && d.barNumber(i, &v, numbers[i].pos) && ok
		d.out.Src = append(d.out.Src, v)
	}
	if red {
		if len(numbers) == 1 {
			d.out.Src = append(d.out.Src, ir.Operand{})
		}
		c, good := d.src(&ops[len(ops)-1], ir.PredType)
		ok = ok && good
		d.out.Src = append(d.out.Src, c)
	}
	d.out.Type = ir.TypeNone
	if ok {
		d.e.add(d.out)
	}
}

// barNumber refuses an impossible constant as operand i of a barrier: its number or, behind it, its thread count.
func (d *decoder) barNumber(i int, v *ir.Operand, at pos) bool {
	switch {
	case v.Kind != ir.KindImm:
	case i == 0 && v.Imm > 15:
		d.errorf(at, "found barrier %d, expected 0 to 15", v.Imm)
		return false
	case i == 1 && (v.Imm == 0 || v.Imm > maxThreads || v.Imm%32 != 0):
		d.errorf(at, "found a barrier of %d threads, expected a multiple of 32 up to %d", v.Imm, maxThreads)
		return false
	}
	return true
}
