package ptx

import (
	"maps"
	"slices"
	"strings"

	"kumiko/kernel/ir"
)

// Samplers of independent mode, PTX ISA section 5.3. A sampler has the properties of its initialiser. Fetches use
// the properties of the texture.

// samplerValues has txq's numbers for the names of modes.
var samplerValues = map[string]map[string]uint64{
	"filter_mode": {"nearest": 0, "linear": 1},
	"addr_mode_0": addressModes, "addr_mode_1": addressModes, "addr_mode_2": addressModes,
	"force_unnormalized_coords": nil,
}

var addressModes = map[string]uint64{"wrap": 0, "mirror": 1, "clamp_ogl": 2, "clamp_to_edge": 3, "clamp_to_border": 4}

// sampler reads the initialiser of a .samplerref: { filter_mode = linear, ... }.
func (p *parser) sampler(v *variable) {
	v.sampler = map[string]uint64{}
	p.expect("{", " before the properties of a sampler")
	for !p.accept("}") {
		if len(v.sampler) > 0 {
			p.expect(",", " or \"}\" in the initialiser")
		}
		name := p.ident("a property of a sampler")
		names, ok := samplerValues[name.text]
		if !ok {
			p.errs.add(name.pos, "found the property %s of a sampler, expected one of %s", name.text,
				strings.Join(slices.Sorted(maps.Keys(samplerValues)), ", "))
		}
		p.expect("=", " behind the property")
		if names == nil {
			v.sampler[name.text] = uint64(p.intConst("0 or 1"))
			continue
		}
		mode := p.ident("a mode")
		n, ok := names[mode.text]
		if !ok {
			p.errs.add(mode.pos, "found %s as the %s of a sampler, expected one of %s", mode.text, name.text,
				strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		}
		v.sampler[name.text] = n
	}
}

// samplerQueries has the sampler property of each query of txq.
var samplerQueries = map[ir.Query]string{ir.QueryFilter: "filter_mode", ir.QueryMode0: "addr_mode_0",
	ir.QueryMode1: "addr_mode_1", ir.QueryMode2: "addr_mode_2"}

// querySampler moves a property of a sampler to dst. A property absent from the initialiser is set by the host,
// unknown to this front end.
func (d *decoder) querySampler(dst ir.Operand, o *operand, v *variable) {
	name, ok := samplerQueries[d.out.Mods.Query]
	if d.in.has("force_unnormalized_coords") {
		name, ok = "force_unnormalized_coords", true
	}
	if !ok {
		d.errorf(d.in.pos, "found %s of the sampler %s, expected .filter_mode, .addr_mode_0, .addr_mode_1, "+
			".addr_mode_2 or .force_unnormalized_coords", d.in.full(), o.name)
		return
	}
	value, ok := v.sampler[name]
	if !ok {
		d.errorf(o.pos, "found no %s in the declaration of the sampler %s, expected an initialiser such as "+
			"{ %[1]s = %[3]s }", name, o.name, map[bool]string{true: "1", false: "..."}[samplerValues[name] == nil])
		return
	}
	d.step(ir.OpMov, ir.U32, dst, ir.Imm(value, 1))
}
