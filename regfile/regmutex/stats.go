package regmutex

import "kumiko/components/stats"

func (x *Sections) register(block string, reg *stats.Registry) {
	reg.Count("regfile.regmutex.requests", stats.Events, "warps that asked for a section of the shared pool", block,
		&x.requests)
	reg.Count("regfile.regmutex.grants", stats.Events, "warps that were given a section", block, &x.grants)
	reg.Count("regfile.regmutex.at_once", stats.Events, "warps that were given a section without waiting", block,
		&x.atOnce)
	reg.Count("regfile.regmutex.wait_cycles", stats.Cycles, "from a request to its grant, summed over grants", block,
		&x.waits)
	reg.Count("regfile.regmutex.releases", stats.Events, "sections that warps gave up", block, &x.releases)
	reg.Count("regfile.regmutex.kept", stats.Events,
		"sections that warps were about to give up, and kept because they needed them again", block, &x.kept)
	reg.Count("regfile.regmutex.held", stats.Cycles,
		"sections held by warps, summed over cycles up to the last change", block, &x.busy)
}
