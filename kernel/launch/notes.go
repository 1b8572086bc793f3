package launch

import (
	"fmt"

	"kumiko/kernel/ir"
)

// Notes returns what the launches do otherwise than a reader of the file may expect: variables that nothing sets, and
// clusters whose CTAs are launched one by one. Each note has its place.
func (p *Program) Notes() []string {
	var out []string
	clusters := false
	told := map[*ir.Var]bool{}
	for _, l := range p.launches {
		k := l.host.Module.Kernel(l.host.Kernel)
		if k == nil {
			continue
		}
		if l.clusters && !clusters {
			clusters = true
			out = append(out, fmt.Sprintf("note: %s: the CTAs of a cluster of %s are launched one by one, each where "+
				"an SM has room, and not at once on the SMs of one GPC", l.pos, Shown(k.Name)))
		}
		for i := range l.host.Module.Vars {
			v := &l.host.Module.Vars[i]
			if !told[v] && p.unset(l.host.Module, k, v) {
				told[v] = true
				space := "global"
				if v.Space == ir.Const {
					space = "constant"
				}
				out = append(out, fmt.Sprintf("warning: %s: %s reads the %s variable %s of %s, which nothing sets: "+
					"it is zero; set it by a buffer with symbol = %q", l.pos, Shown(k.Name), space, Shown(v.Name),
					l.host.Module.File, v.Name))
			}
		}
	}
	return out
}

// unset reports whether a kernel reads a variable that has no initial value and that nothing sets: no buffer of the
// launch file stands for it, and no launched kernel can write it. Kernels cannot write variables in constant space. A
// variable in global space counts as written if a launched kernel of any module names it other than as the address of a
// load, because a store through that address cannot be ruled out.
func (p *Program) unset(m *ir.Module, k *ir.Kernel, v *ir.Var) bool {
	if _, named := k.Named[v.Name]; !named || v.Init != nil {
		return false
	}
	for _, b := range p.order {
		if b.module == m && b.symbol == v.Name {
			return false
		}
	}
	if v.Space == ir.Const {
		return true
	}
	for _, l := range p.launches {
		if other := l.host.Module.Kernel(l.host.Kernel); other != nil && other.Named[v.Name] {
			return false
		}
	}
	return true
}
