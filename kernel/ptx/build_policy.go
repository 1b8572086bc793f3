package ptx

import "kumiko/kernel/ir"

// buildPolicy builds createpolicy (PTX ISA section 9.7.9.19). A policy is a hint to the L2 cache, ignored here: it
// is 0.
func buildPolicy(d *decoder) {
	if !d.need(1, 4) {
		return
	}
	if dst, ok := d.dst(&d.in.ops[0], ir.B64); ok {
		d.step(ir.OpMov, ir.B64, dst, ir.Imm(0, 2))
	}
}

// buildPriority builds applypriority and discard [a], 128 (PTX ISA sections 9.7.9.17 and 9.7.9.18): hints without
// an effect. Memory contents after discard are undefined.
func buildPriority(d *decoder) {
	if !d.need(2, 2) || !d.sizeIs(&d.in.ops[1], 128) {
		return
	}
	if _, ok := d.memory(&d.in.ops[0]); ok {
		d.out.Space = ir.SpaceNone
		d.e.add(d.out)
	}
}

// policies returns the hints of PTX ISA sections 9.7.9.17 to 9.7.9.19.
func policies() map[string][]row {
	all, normal := flag(ignore, "L2"), flag(ignore, "L2::evict_normal")
	primary := flag(ignore, "L2::evict_last", "L2::evict_normal", "L2")
	return map[string][]row{
		"createpolicy": {{op: ir.OpMov, types: types(ir.B64), groups: []*group{flag(ignore, "fractional", "range",
			"cvt"),
			flag(ignore, "global"), primary, flag(ignore, "L2::evict_unchanged", "L2::evict_first")},
			build: buildPolicy}},
		"discard": {{op: ir.OpNop, groups: []*group{gSpace, all}, need: []*group{all}, build: buildPriority}},
		"applypriority": {{op: ir.OpNop, groups: []*group{gSpace, normal}, need: []*group{normal},
			build: buildPriority}},
	}
}

// hinted drops the cache policy, if any, behind the operands of an instruction.
func (d *decoder) hinted() {
	if n := len(d.in.ops); n > 0 && d.in.has("L2::cache_hint") {
		d.in.ops = d.in.ops[:n-1]
	}
}
