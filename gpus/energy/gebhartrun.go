package energy

import (
	"fmt"

	"kumiko/gpus/result"
)

// Parameters of a machine with a register file cache.
const (
	fileKind    = "regfile.kind"
	policy      = "sched.policy"
	activeWarps = "sched.active"
)

// AccessesOf returns the accesses of a timed run, lane-gated.
func (g *Gebhart) AccessesOf(r *result.Result) Accesses {
	n := func(name string) float64 { return float64(r.Total.Stats[name]) }
	return Accesses{n(g.Timed.MainReads), n(g.Timed.MainWrites), n(g.Timed.CacheReads), n(g.Timed.CacheWrites)}
}

// Charges returns a row for the array and a row for the wires of each access.
func (g *Gebhart) Charges(config map[string]any) (*Charges, error) {
	out := &Charges{Table: "gebhart", Source: g.Source, Clock: clock}
	add := func(name, what, stat string, pj float64) {
		out.Components = append(out.Components, Component{Name: name, What: what, Source: g.Source,
			Stats: []string{stat}, Times: 1, PJ: pj})
	}
	mm := func(d float64) string { return fmt.Sprintf("over %v mm", d) }
	d := Distances{Main: g.Main.MM, Cache: g.CacheMM}
	one := g.Energy(Accesses{MainReads: 1}, nil, d)
	add("main_array", "128 bits read", g.Timed.MainReads, one.MainArray)
	add("main_wire", "128 bits read, "+mm(d.Main), g.Timed.MainReads, one.MainWire)
	one = g.Energy(Accesses{MainWrites: 1}, nil, d)
	add("main_array", "128 bits written", g.Timed.MainWrites, one.MainArray)
	add("main_wire", "128 bits written, "+mm(d.Main), g.Timed.MainWrites, one.MainWire)
	if config[fileKind] != g.Timed.Kind {
		return out, nil
	}
	if config[policy] != "two-level" {
		return nil, fmt.Errorf("gebhart: %s has register file caches of active warps, found one of all warps, "+
			"expected --set %s=two-level", g.Source, policy)
	}
	cache, err := g.Cache(int(number(config[g.Timed.Entries])), int(number(config[activeWarps])))
	if err != nil {
		return nil, fmt.Errorf("gebhart: %w; --set %s=6 and --set %s=8 are the paper's", err, g.Timed.Entries,
			activeWarps)
	}
	one = g.Energy(Accesses{CacheReads: 1}, cache, d)
	add("cache_array", "128 bits read", g.Timed.CacheReads, one.CacheArray)
	add("cache_wire", "128 bits read, "+mm(d.Cache), g.Timed.CacheReads, one.CacheWire)
	one = g.Energy(Accesses{CacheWrites: 1}, cache, d)
	add("cache_array", "128 bits written", g.Timed.CacheWrites, one.CacheArray)
	add("cache_wire", "128 bits written, "+mm(d.Cache), g.Timed.CacheWrites, one.CacheWire)
	return out, nil
}
