package ptx

import "kumiko/kernel/ir"

// narrowTypes are the types used only in conversions, not in declarations of registers.
var narrowTypes = map[string]ir.Type{"tf32": ir.TF32, "e4m3x2": ir.E4M3x2, "e5m2x2": ir.E5M2x2}

// buildNarrow builds the conversions to tf32 and between pairs in 8 bits and others (PTX
// ISA section 9.7.9.21).
func buildNarrow(d *decoder) {
	var both []ir.Type // destination and source, as written
	for _, m := range d.in.mods {
		if t, ok := narrowTypes[m.text]; ok {
			both = append(both, t)
		} else if t, ok := typeNames[m.text]; ok {
			both = append(both, t)
		}
	}
	mode, finite := d.out.Mods.Round, d.out.Mods.Sat
	sources := 0
	if len(both) == 2 {
		switch to, from := both[0], both[1]; {
		case to == ir.TF32 && from == ir.F32 && (mode == ir.RNA || mode == ir.RN || mode == ir.RZ):
			sources = 1
		case to != ir.TF32 && to > ir.PredType && from == ir.F32 && mode == ir.RN && finite:
			sources = 2
		case to != ir.TF32 && to > ir.PredType && from == ir.F16x2 && mode == ir.RN && finite,
			to == ir.F16x2 && from != ir.TF32 && mode == ir.RN && !finite:
			sources = 1
		}
	}
	if sources == 0 {
		d.errorf(d.in.pos, "found %s, expected .rn, .rz or .rna and .tf32.f32, .rn.satfinite and .e4m3x2 or .e5m2x2 "+
			"from .f32 "+
			"or .f16x2, or .rn.f16x2 from one of these", d.in.full())
		return
	}
	if !d.need(1+sources, 1+sources) {
		return
	}
	d.out.Type, d.out.SrcType = both[0], both[1]
	dst, ok := d.dst(&d.in.ops[0], bitType(both[0]))
	d.out.Dst = []ir.Operand{dst}
	for i := range sources {
		v, good := d.src(&d.in.ops[1+i], bitType(both[1]))
		ok = ok && good
		d.out.Src = append(d.out.Src, v)
	}
	if ok {
		d.e.add(d.out)
	}
}
