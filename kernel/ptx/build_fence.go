package ptx

import "kumiko/kernel/ir"

// fences returns the fences of PTX ISA section 9.7.13.4: at the scope of a CTA or wider, and between ways of access.
func fences() map[string][]row {
	ways := flag(ignore, "alias", "async", "async::generic", "tensormap::generic")
	restriction := flag(ignore, "sync_restrict::shared::cta", "sync_restrict::shared::cluster")
	space := flag(ignore, "global", "shared", "shared::cta", "shared::cluster")
	return map[string][]row{
		"fence": {{op: ir.OpMembar, groups: []*group{flag(ignore, "proxy", "mbarrier_init"), ways, gOrder, restriction,
			gFence, space}, build: buildFence}},
		"membar": {{op: ir.OpMembar, groups: []*group{gFence, flag(ignore, "proxy"), ways}}},
	}
}

// buildFence builds a fence. The one that acquires a tensor map names it, with its size of 128 bytes.
func buildFence(d *decoder) {
	if !d.in.has("tensormap::generic") || !d.in.has("acquire") {
		if d.need(0, 0) {
			d.e.add(d.out)
		}
		return
	}
	if d.need(2, 2) && d.sizeIs(&d.in.ops[1], 128) {
		if _, ok := d.memory(&d.in.ops[0]); ok {
			d.e.add(d.out)
		}
	}
}

// sizeIs reports whether an operand is the only size of an instruction.
func (d *decoder) sizeIs(o *operand, size uint64) bool {
	if o.kind == opConst && o.value.kind == tokInt && o.value.bits == size {
		return true
	}
	d.errorf(o.pos, "found %s as the size of %s, expected %d", o.describe(), d.in.full(), size)
	return false
}

// buildNothing builds an instruction without operands and without an effect.
func buildNothing(d *decoder) { d.need(0, 0) }

// buildNanosleep builds nanosleep t, which suspends a thread for about as long, or not at all.
func buildNanosleep(d *decoder) {
	if d.need(1, 1) {
		d.src(&d.in.ops[0], ir.U32)
	}
}

// buildPmevent builds pmevent, which has an effect outside the GPU only: of event 0 to 15, or of a mask of them.
func buildPmevent(d *decoder) {
	most := uint64(15)
	if d.in.has("mask") {
		most = 0xffff
	}
	if !d.need(1, 1) {
		return
	}
	if o := &d.in.ops[0]; o.kind != opConst || o.value.kind != tokInt || o.value.bits > most {
		d.errorf(o.pos, "found %s in %s, expected a number from 0 to %d", o.describe(), d.in.full(), most)
	}
}
