package ptx

import (
	"fmt"
	"maps"
	"slices"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// linkage is to whom a name of module scope is known (PTX ISA section 11.6). If a module declares a name several times,
// the greatest linkage wins.
type linkage uint8

const (
	private linkage = iota // this module alone
	common                 // one variable of all modules with the name, as large as the largest
	weak                   // all modules, if none has it .visible; of several, the first is taken
	visible                // all modules
)

var linkages = map[string]linkage{"common": common, "weak": weak, "visible": visible}

// systemFunctions are the functions without a body that calls execute themselves.
var systemFunctions = map[string]bool{"vprintf": true, "__assertfail": true, "__assert_fail": true}

// definition is the meaning of a name in a module.
type definition struct {
	m    *module
	name string
	sym  *symbol
}

func (d definition) pos() pos {
	if d.sym.kind == symFunc {
		return d.sym.fn.pos
	}
	return d.sym.v.pos
}

func (d definition) linkage() linkage {
	if l, ok := d.m.aliasLinkage[d.name]; ok {
		return l
	}
	if d.sym.kind == symFunc {
		return d.sym.fn.linkage
	}
	return d.sym.v.linkage
}

func (d definition) describe() shown {
	return shown(fmt.Sprintf("%s:%d", excerpt.Printable(d.m.file), d.pos().line))
}

// defines reports whether a symbol of module scope has its definition in its module.
func (s *symbol) defines() bool {
	switch s.kind {
	case symFunc:
		return s.fn.body != nil
	case symVar:
		return !s.v.extern
	}
	return false
}

// undefined reports whether a name is declared but, in this module and those linked with it, nowhere defined.
func (m *module) undefined(name string) bool {
	s := m.syms[name]
	return s != nil && !s.defines()
}

// findWants lists the names to be defined by other modules. Shared memory without a size is the launch's.
func (m *module) findWants() {
	for _, name := range slices.Sorted(maps.Keys(m.syms)) {
		s := m.syms[name]
		switch {
		case s.kind == symFunc && (s.fn.body != nil || s.fn.kernel || systemFunctions[name]):
		case s.kind == symVar && s.v.linkage != common && (!s.v.extern || s.v.space == ir.Shared && s.v.open):
		default:
			m.wants = append(m.wants, name)
		}
	}
	for _, v := range m.inner {
		if v.space == ir.Global || v.space == ir.Const {
			m.wants = append(m.wants, v.name)
		}
	}
}

// markUnknown marks the variables with the address of something undefined in their initial values, directly or by way
// of others.
func (m *module) markUnknown() {
	var names func(in *initial) string
	names = func(in *initial) string {
		if in.leaf {
			switch s := m.syms[in.sym]; {
			case s == nil || s.kind != symVar && s.defines():
			case !s.defines():
				return in.sym
			default:
				return s.v.unknown
			}
			return ""
		}
		for i := range in.list {
			if n := names(&in.list[i]); n != "" {
				return n
			}
		}
		return ""
	}
	for more := true; more; {
		more = false
		for _, v := range m.vars {
			if v.init != nil && v.unknown == "" {
				v.unknown = names(v.init)
				more = more || v.unknown != ""
			}
		}
	}
}

// whereDefined returns the end of a message about an undefined name, with the remedy.
func (m *module) whereDefined(name string) shown {
	for _, p := range m.peers {
		if s := p.syms[name]; s != nil && s.defines() {
			return "; " + definition{p, name, s}.describe() +
				" has it without .visible, which makes it known to other modules"
		}
	}
	return "; expected a definition here, or a .visible one in one of the modules of the launch file"
}

// Link builds modules again as one program: a name declared by .extern is the one defined by another module, and
// constants, textures and addresses of functions are numbered through all of them. The modules get their global memory
// in the order of list, from base on. A kernel with a name that nothing defines is refused, as Parse refuses it.
func Link(list []*ir.Module, base uint64, lim Limits) (out []*ir.Module, err error) {
	var trees []*module
	current := 0
	defer func() {
		if p := recover(); p != nil {
			var m *module
			if current < len(trees) {
				m = trees[current]
			}
			out, err = nil, m.internal(list[min(current, len(list)-1)].File, p)
		}
	}()
	errs := &errors{}
	for _, m := range list {
		errs.file = m.Source.File
		trees = append(trees, read(m.Source.File, m.Source.Text, lim, errs))
		current++
	}
	if err := errs.err(); err != nil {
		return nil, err
	}
	if join(trees, errs); len(errs.list) > 0 {
		return nil, errs.err()
	}
	at := &places{global: base}
	for _, m := range trees {
		errs.file = m.file
		m.layout(at, errs)
	}
	for i, m := range trees {
		m.places = *at
		m.markUnknown()
		errs.file = m.file
		u := m.ir(list[i].Source.Text, errs)
		u.Source = list[i].Source
		out = append(out, u)
	}
	for current = range trees {
		trees[current].kernels(out[current], errs)
		if place := list[current].Source.Place; place != nil {
			place(out[current])
		}
		out[current].Linked = out
	}
	return out, errs.err()
}

// join resolves the names of modules among each other.
func join(trees []*module, errs *errors) {
	known := map[string][]definition{}
	recursive := map[*function]bool{}
	for _, m := range trees {
		m.peers, m.recursive, m.known = trees, recursive, map[string]*symbol{}
		if errs.file = m.file; m.addrSize != trees[0].addrSize {
			errs.add(pos{1, 1}, "found addresses of %d bits, expected %d as in %s", 8*m.addrSize, 8*trees[0].addrSize,
				trees[0].file)
		}
		for _, name := range slices.Sorted(maps.Keys(m.syms)) {
			if d := (definition{m, name, m.syms[name]}); d.sym.defines() && d.linkage() != private {
				known[name] = append(known[name], d)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		chosen := choose(name, known[name], errs)
		for _, d := range known[name] {
			if d != chosen {
				d.yield(chosen, errs)
			}
		}
		for _, m := range trees {
			if s := m.syms[name]; s != nil && !s.defines() {
				definition{m, name, s}.bind(chosen, errs)
			}
			m.known[name] = chosen.sym
		}
	}
}

// choose returns the definition for all modules: the .visible one, else the first weak one, else the largest common
// one.
func choose(name string, list []definition, errs *errors) definition {
	best := list[0]
	for _, d := range list[1:] {
		switch l := d.linkage(); {
		case l == visible && best.linkage() == visible:
			errs.file = d.m.file
			errs.add(d.pos(), "found a second definition of %s, the first is in %s; expected one of them .weak, or "+
				"without .visible", name, best.describe())
		case l > best.linkage(),
			l == common && best.linkage() == common && d.sym.v.size > best.sym.v.size:
			best = d
		}
	}
	return best
}

// yield gives up a definition for the chosen one.
func (d definition) yield(chosen definition, errs *errors) {
	switch {
	case d.sym.kind == symFunc && d.sym.fn.name == d.name:
		d.sym.fn.body = nil
	case d.sym.kind == symVar:
		if d.linkage() == common && d.sym.v.init != nil && chosen.linkage() == common {
			if errs.file = d.m.file; chosen.sym.v.init != nil {
				errs.add(d.pos(), "found a second initial value of %s, the first is in %s; expected one", d.name,
					chosen.describe())
			} else {
				errs.add(d.pos(), "found an initial value of %s, which is larger in %s; expected it there",
					d.name, chosen.describe())
			}
		}
		d.sym.v.extern = true
	}
	d.bind(chosen, errs)
}

// bind makes a declaration stand for a definition of another module.
func (d definition) bind(def definition, errs *errors) {
	errs.file = d.m.file
	switch {
	case d.sym.kind != def.sym.kind:
		errs.add(d.pos(), "found %s declared as a function here or in %s, and as a variable in the other",
			d.name, def.describe())
	case d.sym.kind == symFunc && !d.sym.fn.matches(def.sym.fn):
		errs.add(d.pos(), "found other parameters or results of %s than in %s, expected the same", d.name,
			def.describe())
	case d.sym.kind == symVar && d.sym.v.space != def.sym.v.space:
		errs.add(d.pos(), "found %s in .%s space, expected .%s as in %s", d.name, d.sym.v.space,
			def.sym.v.space, def.describe())
	case d.sym.kind == symVar && !d.sym.v.open && d.sym.v.size > def.sym.v.size && d.linkage() != weak:
		errs.add(d.pos(), "found %d bytes of %s, expected at most %d as in %s", d.sym.v.size, d.name,
			def.sym.v.size, def.describe())
	default:
		d.m.syms[d.name] = def.sym
	}
}

// into enters the body of a function: names are looked up in the function's module, and site is the place given to its
// instructions if they have none of their own (siteOf). The returned function leaves the body.
func (e *emitter) into(f *function, site pos) (leave func()) {
	m, file, at := e.m, e.errs.file, e.site
	e.m, e.errs.file, e.site = f.home, f.home.file, site
	return func() { e.m, e.errs.file, e.site = m, file, at }
}

// siteOf returns the place for the instructions of a function that is called at a place of the current module's file.
// It is the place of the call if the function is of another module than the kernel, or of this package. Otherwise it is
// zero, and the instructions keep their own places.
func (e *emitter) siteOf(f *function, call pos) pos {
	switch {
	case f.home == e.home && !f.system:
		return pos{}
	case e.site.line > 0:
		return e.site
	}
	return call
}
