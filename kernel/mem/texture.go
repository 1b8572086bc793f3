package mem

import (
	"fmt"
	"slices"

	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

// BindTexture binds a module's texture reference: its fetches read t until it
// is bound again.
func (m *Memory) BindTexture(u *ir.Module, name string, t texture.Texture) error {
	if !slices.Contains(u.Textures, name) {
		return fmt.Errorf("%s has no texture reference %q; it has %q", u.File, name, u.Textures)
	}
	if err := m.checkTexture(&t); err != nil {
		return fmt.Errorf("texture %q: %w", name, err)
	}
	s := m.shared(u)
	if s.textures == nil {
		s.textures = make([]*texture.Texture, len(u.Textures))
	}
	for i, n := range u.Textures {
		if n == name { // linked modules may each have one
			s.textures[i] = &t
		}
	}
	return nil
}

// NewTexture makes a texture object and returns its handle, a kernel argument
// of 64 bits.
func (m *Memory) NewTexture(t texture.Texture) (uint64, error) {
	if err := m.checkTexture(&t); err != nil {
		return 0, fmt.Errorf("texture object: %w", err)
	}
	m.objects = append(m.objects, &t)
	return ir.TextureObjects + uint64(len(m.objects)-1), nil
}

// Texture returns the texture of a handle in kernels of module u (which may be nil), or nil.
func (m *Memory) Texture(u *ir.Module, handle uint64) *texture.Texture {
	if i := handle - ir.TextureObjects; i < uint64(len(m.objects)) {
		return m.objects[i]
	}
	if u == nil {
		return nil
	}
	if len(u.Linked) > 0 {
		u = u.Linked[0]
	}
	if m.modules[u] == nil {
		return nil
	}
	if list := m.modules[u].textures; handle-ir.TextureBase < uint64(len(list)) {
		return list[handle-ir.TextureBase]
	}
	return nil
}

func (m *Memory) checkTexture(t *texture.Texture) error {
	if err := t.Check(); err != nil {
		return err
	}
	_, err := m.Bytes(t.Addr, t.Bytes())
	return err
}
