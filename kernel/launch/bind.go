package launch

import "kumiko/kernel/host"

// binding binds a texture reference to a texture from then on, as cudaBindTexture does.
type binding struct {
	place
	program *Program
	ref, to *boundTexture
}

// binding reads bind = {texture, to}. Without to, the reference is bound to the buffer that its own [textures] table
// names. Either way the buffer's address is read when the step runs.
func (r *reader) binding(v *value) step {
	r.keys(v, "bind")
	r.counted(v.place)
	what := v.get("bind")
	if !r.is(what, kindTable) {
		return nil
	}
	r.keys(what, "texture", "to")
	name := r.need(what, "texture", "the name of a texture reference", kindString)
	if name == nil {
		return nil
	}
	b := &binding{place: what.place, program: r.p, ref: r.textureNamed(name)}
	b.to = b.ref
	if to := what.get("to"); to != nil && r.is(to, kindString) {
		b.to = r.textureNamed(to)
	}
	if b.ref == nil || b.to == nil {
		return nil
	}
	if b.to.used = true; b.ref.refs == nil {
		r.errorf(name.place, "found the texture object %q, expected a texture reference, which launches look up by "+
			"its name",
			name.str)
		return nil
	}
	return b
}

// textureNamed finds a texture by its name; nil: there is none.
func (r *reader) textureNamed(v *value) *boundTexture {
	for _, t := range r.p.textures {
		if t.name == v.str {
			return t
		}
	}
	r.errorf(v.place, "found the texture %q, expected one of [textures]", v.str)
	return nil
}

func (b *binding) run(d *host.Device) error {
	b.program.joins = true
	tex := b.to.tex
	tex.Addr = b.to.buffer.addr
	for _, m := range b.ref.refs {
		if err := d.BindTexture(m, b.ref.name, tex); err != nil {
			return b.wrap(err)
		}
	}
	return nil
}
