package launch

import (
	"fmt"
	"slices"

	"kumiko/internal/excerpt"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

// boundTexture is one [textures.NAME]: a texture reference of the module by this name, or else a texture object
// named by arguments.
type boundTexture struct {
	place
	name   string
	tex    texture.Texture
	buffer *buffer
	refs   []*ir.Module // modules with a texture reference of its name
	used   bool
	handle uint64 // of a texture object, on the running device
}

// textures reads the tables of textures, after those of buffers.
func (r *reader) textures(root *value) {
	v := root.get("textures")
	if v == nil || !r.is(v, kindTable) {
		return
	}
	for _, e := range v.keys {
		if r.is(e.val, kindTable) {
			r.texture(e)
		}
	}
}

func (r *reader) texture(e *entry) {
	v := e.val
	r.keys(v, "buffer", "type", "channels", "width", "height", "depth", "layers", "filter", "address", "normalized",
		"read")
	t := &boundTexture{place: e.place, name: e.name}
	for _, m := range r.p.modules {
		if slices.Contains(m.Textures, e.name) {
			t.refs = append(t.refs, m.Module)
		}
	}
	r.p.textures = append(r.p.textures, t)
	before := len(r.errs)
	t.buffer = r.bufferOf(v)
	if t.buffer != nil {
		t.tex.Type = t.buffer.typ
	}
	if s := v.get("type"); s != nil && r.is(s, kindString) {
		typ, ok := scalarTypes[s.str]
		if !ok {
			r.errorf(s.place, "found the type %q, expected %s", s.str, elementTypes)
		}
		t.tex.Type = typ
	}
	t.tex.Channels = int(r.integer(v, "channels", 1, 1, 4))
	if v.get("width") == nil {
		r.errorf(e.place, "found no width, expected its size in texels")
	}
	size := func(name string) int { return int(r.integer(v, name, 1, 1, 1<<28)) }
	t.tex.Width, t.tex.Height, t.tex.Depth, t.tex.Layers = size("width"), size("height"), size("depth"), size("layers")
	t.tex.Filter = choice(r, v.get("filter"), map[string]texture.Filter{"point": texture.Point,
		"linear": texture.Linear}, "point or linear")
	t.tex.Normalized = r.flag(v, "normalized")
	t.tex.ReadNormalized = choice(r, v.get("read"), map[string]bool{"element": false, "normalized": true},
		"element or normalized")
	r.addressModes(v.get("address"), &t.tex)
	if len(r.errs) > before || t.buffer.unsound {
		return
	}
	if err := t.tex.Check(); err != nil {
		r.errorf(e.place, "found a texture with %v", err)
	} else if n, have := t.tex.Bytes(), t.buffer.size(); n > have {
		r.errorf(e.place, "found a texture of %d bytes, expected at most the %d of buffer %q", n, have, t.buffer.name)
	}
}

// choice returns the value of a string in a map, or the zero value if the string is missing.
func choice[T any](r *reader, v *value, of map[string]T, expected string) (out T) {
	if v == nil || !r.is(v, kindString) {
		return out
	}
	out, ok := of[v.str]
	if !ok {
		r.errorf(v.place, "found %q, expected %s", v.str, expected)
	}
	return out
}

func (r *reader) flag(v *value, name string) bool {
	e := v.get(name)
	return e != nil && r.is(e, kindBool) && e.b
}

// addressModes reads one mode for all dimensions, or a list.
func (r *reader) addressModes(v *value, t *texture.Texture) {
	if v == nil {
		return
	}
	mode := func(v *value) texture.Mode {
		return choice(r, v, map[string]texture.Mode{"clamp": texture.Clamp, "border": texture.Border,
			"wrap": texture.Wrap, "mirror": texture.Mirror},
			"clamp, border, wrap or mirror")
	}
	if v.kind != kindList {
		m := mode(v)
		t.Address = [3]texture.Mode{m, m, m}
		return
	}
	if len(v.list) < 1 || len(v.list) > 3 {
		r.errorf(v.place, "found %d address modes, expected one for each dimension", len(v.list))
		return
	}
	for i, e := range v.list {
		t.Address[i] = mode(e)
	}
}

// textureArg reads {texture = name}: the handle, for the kernels of a module; nil: the module is not known.
func (r *reader) textureArg(v *value, m *ir.Module) (a arg, ok bool) {
	r.keys(v, "texture")
	e := r.need(v, "texture", "the name of a texture", kindString)
	if e == nil {
		return a, false
	}
	for _, t := range r.p.textures {
		if t.name == e.str {
			if t.used = true; t.refs != nil && m != nil && !slices.Contains(t.refs, m) {
				r.errorf(e.place, "found the texture %q, a texture reference of %s, expected one of %s", e.str,
					t.refs[0].File, m.File)
				return a, false
			}
			return arg{bytes: make([]byte, 8), align: 8, pointers: []pointer{{texture: t, module: m}}}, true
		}
	}
	r.errorf(e.place, "found the texture %q, expected one of [textures]", e.str)
	return a, false
}

// idleTextures reports textures unreachable from every kernel.
func (r *reader) idleTextures() {
	var files, refs []string
	for _, m := range r.p.modules {
		files, refs = append(files, m.File), append(refs, m.Textures...)
	}
	for _, t := range r.p.textures {
		if t.refs == nil && !t.used && !r.unread {
			r.errorf(t.place, "found the texture %q, expected a texture reference of %s (%s) or one that an argument "+
				"names", t.name, excerpt.List(files), listed(refs))
		}
	}
}

// needsTextures checks that the texture references of a kernel are bound.
func (r *reader) needsTextures(k *ir.Kernel, at place) {
	for _, name := range k.Textures {
		if !slices.ContainsFunc(r.p.textures, func(t *boundTexture) bool { return t.name == name }) {
			r.errorf(at, "found no texture %q, which %s fetches from, expected [textures.%s]", name, k.Name, name)
		}
	}
}

// bind makes the texture known on a device, after its buffer has been created.
func (t *boundTexture) bind(d *host.Device) error {
	tex := t.tex
	tex.Addr = t.buffer.addr
	for _, m := range t.refs {
		if err := d.BindTexture(m, t.name, tex); err != nil {
			return err
		}
	}
	if t.refs != nil {
		return nil
	}
	h, err := d.NewTexture(tex)
	if err != nil {
		return fmt.Errorf("texture %q: %w", t.name, err)
	}
	t.handle = h
	return nil
}

// handleIn returns the texture's handle in the kernels of a module.
func (t *boundTexture) handleIn(m *ir.Module) uint64 {
	if t.refs != nil {
		return ir.TextureHandle(slices.Index(m.Textures, t.name))
	}
	return t.handle
}
