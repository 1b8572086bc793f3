package ptx

import (
	"slices"

	"kumiko/kernel/ir"
)

// reach lists the functions possibly called by a function, itself first. A call through a register may reach every
// function with its address taken.
func (m *module) reach(f *function) []*function {
	list, seen := []*function{f}, map[*function]bool{f: true}
	visit := func(g *function) {
		if !seen[g] {
			seen[g] = true
			list = append(list, g)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, name := range list[i].calls {
			if s := list[i].home.syms[name]; s != nil && s.kind == symFunc {
				visit(s.fn)
				continue
			}
			for _, p := range m.peers {
				for _, g := range p.funcs {
					if g.taken {
						visit(g)
					}
				}
			}
		}
	}
	return list
}

// used lists the variables of a space and module scope named by one of the functions.
func (m *module) used(space ir.Space, funcs []*function) []*variable {
	var out []*variable
	for _, v := range m.vars {
		names := func(g *function) bool {
			s := g.home.syms[v.name]
			return g.refs[v.name] && s != nil && s.v == v
		}
		if v.space == space && slices.ContainsFunc(funcs, names) {
			out = append(out, v)
		}
	}
	return out
}

// layoutShared places the shared variables used by a kernel: static ones by their alignment, the dynamic ones
// (extern, or without a size) all behind them.
func (e *emitter) layoutShared(f *function) {
	e.shared = map[*variable]int64{}
	var vars []*variable
	funcs := e.m.reach(f)
	for _, m := range e.m.peers {
		vars = append(vars, m.used(ir.Shared, funcs)...)
	}
	for _, g := range funcs {
		if g.body != nil {
			vars = g.body.sharedVars(vars)
		}
	}
	size, align := 0, 0
	for _, v := range vars {
		if v.dynamic() {
			align = max(align, v.align)
			continue
		}
		size = alignUp(size, v.align)
		e.shared[v] = int64(size)
		size += v.size
	}
	if align > 0 {
		size = alignUp(size, max(align, 16))
	}
	for _, v := range vars {
		if v.dynamic() {
			e.shared[v] = int64(size)
		}
	}
	e.k.SharedBytes = size
}

func (v *variable) dynamic() bool { return v.extern || v.open }

func (b *block) sharedVars(list []*variable) []*variable {
	for i := range b.stmts {
		st := &b.stmts[i]
		if st.kind == stBlock {
			list = st.block.sharedVars(list)
		}
		for _, v := range st.vars {
			if v.space == ir.Shared {
				list = append(list, v)
			}
		}
	}
	return list
}
