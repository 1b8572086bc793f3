package ptx

import "kumiko/kernel/ir"

// buildCpAsync builds cp.async dst, src, size: a load and a store in order, so
// that commit_group and wait_group have nothing to wait for.
func buildCpAsync(d *decoder) {
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
	if !d.need(3, 3) {
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
	st.Op, st.Space, st.Addr, st.Src = ir.OpSt, ir.Shared, to.addr, parts
	d.e.add(ld)
	d.e.add(st)
}
