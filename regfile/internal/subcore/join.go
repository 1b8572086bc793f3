package subcore

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Part is the register file of one scheduler, as it is joined to the SM.
type Part struct {
	Issue   *wire.InPort[op.Op]
	Latches *Latches
	Results *Results
}

// Join offers the ports of an SM's sub-cores. A unit of one scheduler gets its sub-core's port, and
// one that all share that of an arbiter over the sub-cores.
func Join(env *regfile.Env, parts []Part, forward int) regfile.Ports {
	p := regfile.Ports{Ready: make([]*wire.OutPort[op.Op], len(env.Units)), SubCores: len(parts), Forward: forward}
	for i := range parts {
		c := &parts[i]
		p.Issue = append(p.Issue, c.Issue)
		p.Done = append(p.Done, &c.Results.Done)
		if env.ReadNotice {
			p.Read = append(p.Read, &c.Latches.Read)
		}
		for r := range c.Results.In {
			p.Result = append(p.Result, &c.Results.In[r])
		}
	}
	for u, unit := range env.Units {
		switch {
		case unit.Sched != regfile.Shared:
			p.Ready[u] = &parts[unit.Sched].Latches.Ready[u]
		case len(parts) == 1:
			p.Ready[u] = &parts[0].Latches.Ready[u]
		default:
			x := arbiter.NewRoundRobin[op.Op](fmt.Sprintf("%s.RegFile.Dispatch[%d]", env.Name, u), env.Domain,
				arbiter.FaninSpec{Inputs: len(parts), Capacity: 2, Stat: "regfile.dispatch"}, env.Stats)
			for i := range parts {
				wire.Connect(&parts[i].Latches.Ready[u], &x.In[i], 1)
			}
			p.Ready[u] = &x.Out
		}
	}
	return p
}
