package energy

import (
	"fmt"

	"kumiko/gpus/energy"
	"kumiko/study/query"
)

func init() {
	for _, f := range []query.Function{
		{Name: "rfc_access", Args: "entries, active, what",
			Doc: "a value of Gebhart et al., table 2, for a register file cache with this many entries and active " +
				"warps: read or write, pJ per access of 128 bits, or area, um^2",
			Bind: func(*query.Context) any { return cacheAccess }},
		{Name: "main_access", Args: "what",
			Doc:  "a value of Gebhart et al. for a bank of the main file: read, write, area, or its distance mm",
			Bind: func(*query.Context) any { return energy.OfGebhart().Main.Access }},
		{Name: "wire_chain", Args: "step",
			Doc: "a step of the computation of the wire energy of an access: capacitance (fF/mm), voltage (V), " +
				"transition, activity, computed, printed (pJ/mm of 32 wires), access (pJ/mm of 128 bits), distance " +
				"(mm), main (pJ)",
			Bind: func(*query.Context) any { return wireChain }},
	} {
		query.Register(f)
	}
}

func cacheAccess(entries, active float64, what string) (float64, error) {
	c, err := cacheOf(entries, active)
	if err != nil {
		return 0, err
	}
	switch what {
	case "read":
		return c.Read, nil
	case "write":
		return c.Write, nil
	case "area":
		return c.Area, nil
	}
	return 0, fmt.Errorf("a register file cache has no %q; expected read, write or area", what)
}

func wireChain(step string) (float64, error) {
	return energy.OfGebhart().Link(step)
}
