package mem

import (
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

// module has the state of a translation unit's variables in a memory.
type module struct {
	loaded   bool
	consts   []byte
	textures []*texture.Texture // of Module.Textures; nil: not bound
}

func (m *Memory) module(u *ir.Module) *module {
	if m.modules == nil {
		m.modules = make(map[*ir.Module]*module)
	}
	s := m.modules[u]
	if s == nil {
		s = &module{}
		m.modules[u] = s
	}
	return s
}

// shared returns the state that linked modules have in common: their constants and textures.
func (m *Memory) shared(u *ir.Module) *module {
	if len(u.Linked) > 0 {
		u = u.Linked[0]
	}
	return m.module(u)
}

// End returns the first address available for the variables of global space of another module behind those of u: a
// multiple of Align, or base if u has no such variables.
func End(u *ir.Module, base uint64) uint64 {
	for i := range u.Vars {
		if v := &u.Vars[i]; v.Space == ir.Global {
			base = max(base, (v.Address+uint64(v.Size)+Gap+Align-1)/Align*Align)
		}
	}
	return base
}

// LoadModule maps a module's variables of global space, at their given addresses, and initialises them. It does so
// once; loading a module again changes nothing. A module with such variables must be loaded before anything else is
// allocated at their addresses.
func (m *Memory) LoadModule(u *ir.Module) error {
	s := m.module(u)
	if s.loaded {
		return nil
	}
	for i := range u.Vars {
		v := &u.Vars[i]
		if v.Space != ir.Global {
			continue
		}
		if err := m.Place(v.Name, v.Address, v.Size); err != nil {
			return fmt.Errorf("variable %w: load the module before allocating buffers", err)
		}
		if len(v.Init) > v.Size {
			return fmt.Errorf("variable %s: %d bytes of initial value for %d", v.Name, len(v.Init), v.Size)
		}
		copy(m.regions[len(m.regions)-1].Data, v.Init)
	}
	s.loaded = true
	return nil
}

// ConstBank returns the constant bank of the module, or of its linked program, created and initialised at the first
// call. The host may write to it between launches.
func (m *Memory) ConstBank(u *ir.Module) []byte {
	s := m.shared(u)
	if s.consts != nil {
		return s.consts
	}
	list := u.Linked
	if list == nil {
		list = []*ir.Module{u}
	}
	size := uint64(0)
	for _, u := range list {
		for i := range u.Vars {
			if v := &u.Vars[i]; v.Space == ir.Const {
				size = max(size, v.Address+uint64(v.Size))
			}
		}
	}
	s.consts = make([]byte, size)
	for _, u := range list {
		for i := range u.Vars {
			if v := &u.Vars[i]; v.Space == ir.Const {
				copy(s.consts[v.Address:v.Address+uint64(v.Size)], v.Init)
			}
		}
	}
	return s.consts
}

// Symbol returns the memory of a module's variable, or an error if the module has no such variable.
func (m *Memory) Symbol(u *ir.Module, name string) ([]byte, error) {
	for i := range u.Vars {
		v := &u.Vars[i]
		if v.Name != name {
			continue
		}
		switch v.Space {
		case ir.Const:
			return m.ConstBank(u)[v.Address : v.Address+uint64(v.Size)], nil
		case ir.Global:
			if err := m.LoadModule(u); err != nil {
				return nil, err
			}
			return m.Bytes(v.Address, v.Size)
		}
	}
	return nil, fmt.Errorf("%s has no variable %q in global or constant space", u.File, name)
}
