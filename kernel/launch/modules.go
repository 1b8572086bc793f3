package launch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/internal/excerpt"
	"kumiko/internal/infile"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// namedModule is one of a program's PTX files: the main one, or one listed in the key modules.
type namedModule struct {
	*ir.Module
	name string // its name in the launch file
}

// modules reads the further PTX files of a program. The variables of each are placed behind those of the earlier
// ones.
func (r *reader) modules(root *value) {
	v := root.get("modules")
	if v == nil || !r.is(v, kindList) {
		return
	}
	if len(v.list) > r.lim.Modules {
		r.errorf(v.place, "found %d modules, expected at most %d (--max-modules %d)", len(v.list), r.lim.Modules,
			r.lim.Modules)
		return
	}
	base := mem.End(r.p.modules[0].Module, ir.GlobalBase)
	for _, e := range v.list {
		if !r.is(e, kindString) {
			continue
		}
		name := filepath.Clean(e.str)
		if slices.ContainsFunc(r.p.modules, func(m namedModule) bool { return m.name == name }) {
			r.errorf(e.place, "found the module %q a second time, expected another file", e.str)
			continue
		}
		m, err := r.readModule(name, base)
		if err != nil {
			r.errorf(e.place, "found a module that cannot be read: %s", verbatim{err})
			m = &ir.Module{File: name} // its possible contents are not checked
			r.unread = true
		}
		base = mem.End(m, base)
		r.p.modules = append(r.p.modules, namedModule{m, name})
		r.mapped += variables(m)
	}
	r.link(v)
}

// link makes one program of the modules if one of them wants a name of another; otherwise each is by itself.
func (r *reader) link(v *value) {
	var list []*ir.Module
	wants := false
	for _, m := range r.p.modules {
		wants = wants || len(m.Wants) > 0
		list = append(list, m.Module)
	}
	if !wants || r.unread || slices.ContainsFunc(list, func(m *ir.Module) bool { return m.Source == nil }) {
		return
	}
	linked, err := ptx.Link(list, ir.GlobalBase, r.lim.PTX)
	if err != nil {
		r.errorf(v.place, "found modules that cannot be linked: %s", verbatim{err})
		r.unread, r.unlinked = true, true
		return
	}
	r.mapped = 0
	for i, m := range linked {
		r.p.modules[i].Module = m
		r.mapped += variables(m)
	}
}

func (r *reader) readModule(name string, base uint64) (*ir.Module, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	src, err := infile.Read(path)
	if err != nil {
		return nil, err
	}
	return ptx.ParseWithin(path, src, base, r.lim.PTX)
}

// candidates returns the possible modules of a table: the one named by its key module, or all; none after a refused
// key.
func (r *reader) candidates(v *value) []namedModule {
	e := v.get("module")
	if e == nil {
		return r.p.modules
	}
	if !r.is(e, kindString) {
		return nil
	}
	name := filepath.Clean(e.str)
	for i := range r.p.modules {
		if r.p.modules[i].name == name {
			return r.p.modules[i : i+1]
		}
	}
	r.errorf(e.place, "found the module %q, expected one of %s", e.str, moduleNames(r.p.modules))
	return nil
}

func moduleNames(of []namedModule) excerpt.List {
	var names []string
	for _, m := range of {
		names = append(names, m.name)
	}
	return names
}

// only returns the single module in fit. With several it reports an error at the name's place.
func (r *reader) only(fit []namedModule, at *value, what string) (namedModule, bool) {
	if len(fit) > 1 {
		r.errorf(at.place,
			"found the %s %q, which is in several modules, expected the key module beside it, one of: %s",
			what, at.str, moduleNames(fit))
	}
	if len(fit) != 1 {
		return namedModule{}, false
	}
	return fit[0], true
}

// kernel finds the kernel named by a table's key.
func (r *reader) kernel(v, name *value) (namedModule, *ir.Kernel) {
	among := r.candidates(v)
	var fit []namedModule
	found := ""
	for _, m := range among {
		one, several := kernelName(m.Module, name.str)
		if several != nil {
			r.errorf(name.place, "found the kernel %q, which is the name of several, expected one of: %s", name.str,
				several)
			return namedModule{}, nil
		}
		if one != "" {
			fit, found = append(fit, m), one
		}
	}
	if len(fit) == 0 && len(among) > 0 && !r.unread {
		r.errorf(name.place, "found the kernel %q, expected one of %s", name.str, kernelNames(among))
	}
	m, ok := r.only(fit, name, "kernel")
	if !ok {
		return m, nil
	}
	if err := m.Refusal(found); err != nil {
		if !r.unlinked {
			r.errorf(name.place, "found the kernel %q, which cannot be run: %s", name.str, verbatim{err})
		}
		return m, nil
	}
	return m, m.Kernel(found)
}

// kernelNames lists the kernels by module.
type kernelNames []namedModule

// String implements fmt.Stringer.
func (k kernelNames) String() string {
	var parts []string
	for _, m := range k {
		var names []string
		for _, k := range m.Kernels {
			names = append(names, k.Name)
		}
		parts = append(parts, fmt.Sprintf("%s: %s", excerpt.Of(m.File), listed(names)))
		if len(parts) == maxListed && len(k) > maxListed {
			parts = append(parts, fmt.Sprintf("and %d modules more", len(k)-maxListed))
			break
		}
	}
	return strings.Join(parts, "; ")
}

// maxListed bounds the number of modules whose kernels a message lists.
const maxListed = 3

// symbol binds a buffer to a variable of a module.
func (r *reader) symbol(b *buffer, v, s *value) {
	among := r.candidates(v)
	var fit []namedModule
	var size int
	for _, m := range among {
		for i := range m.Vars {
			if m.Vars[i].Name == s.str {
				fit, size = append(fit, m), m.Vars[i].Size
			}
		}
	}
	if len(fit) == 0 && len(among) > 0 && !r.unread {
		var files []string
		for _, m := range among {
			files = append(files, m.File)
		}
		r.errorf(s.place, "found the symbol %q, expected a variable of global or constant space of %s", s.str,
			excerpt.List(files))
	}
	m, ok := r.only(fit, s, "symbol")
	if !ok {
		return
	}
	b.module, b.symbol = m.Module, s.str
	if size < b.size() && !b.unsound {
		r.errorf(s.place, "found %d bytes for the variable %s, which has %d", b.size(), s.str, size)
	}
}

// constant reports whether a buffer is a variable of constant space.
func (b *buffer) constant() bool {
	v := b.variable()
	return v != nil && v.Space == ir.Const
}

// variable returns the module's variable of a buffer, or nil.
func (b *buffer) variable() *ir.Var {
	if b.symbol == "" {
		return nil
	}
	for i := range b.module.Vars {
		if v := &b.module.Vars[i]; v.Name == b.symbol {
			return v
		}
	}
	return nil
}
