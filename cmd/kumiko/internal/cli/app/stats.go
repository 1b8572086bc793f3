package app

import (
	"cmp"
	"slices"
	"strings"

	"kumiko/gpus"
	"kumiko/gpus/config"
)

// Stat is a statistic, or a key or term of a result that has a formula.
type Stat struct {
	Name        string `json:"name"`
	Unit        string `json:"unit"`
	Description string `json:"description"` // of a derived row: the formula
	Block       string `json:"block"`       // what counts it, or the subject of a derived row
	Derived     bool   `json:"derived,omitempty"`
}

// newStat returns the row of a statistic. Its block is the beginning of its name: mem.l1 of mem.l1.hits.load.
func newStat(name, unit, description string) Stat {
	parts := strings.Split(name, ".")
	return Stat{Name: name, Unit: unit, Description: description,
		Block: strings.Join(parts[:min(2, len(parts)-1)], ".")}
}

func (a *App) StatsOf(r config.Request) ([]Stat, error) {
	cfg, err := config.Load(r)
	if err != nil {
		return nil, err
	}
	m, err := a.New(cfg, gpus.Options{})
	if err != nil {
		return nil, err
	}
	out := []Stat{}
	for _, s := range m.Stats() {
		out = append(out, newStat(s.Name, s.Unit, s.Description))
	}
	return out, nil
}

// AllStats returns the statistics of every built-in GPU and of every design.
func (a *App) AllStats() ([]Stat, error) {
	designs, err := config.Designs()
	if err != nil {
		return nil, err
	}
	var requests []config.Request
	for _, n := range config.Names() {
		requests = append(requests, config.Request{GPU: n, Set: []string{"sm.count=2"}})
	}
	for _, d := range designs {
		requests = append(requests, having(d.Name))
	}
	requests = append(requests, config.Request{GPU: "gtx980", Set: []string{"sm.count=2", "sched.policy=two-level"}},
		config.Request{GPU: "gtx980", Set: []string{"sm.count=2", "account.reuse=true", "account.live_registers=true",
			"account.windows=true"}})
	seen := map[string]bool{}
	var all []Stat
	for _, r := range requests {
		rows, err := a.StatsOf(r)
		if err != nil {
			return nil, err
		}
		for _, s := range rows {
			if !seen[s.Name] {
				seen[s.Name] = true
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b Stat) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// having returns a GPU for a design: the GTX 980 or, if the design does not fit the GTX 980, the first fitting GPU.
func having(design string) config.Request {
	two := []string{"sm.count=2"}
	for _, n := range append([]string{"gtx980"}, config.Names()...) {
		r := config.Request{GPU: n, Design: design, Set: two}
		c, err := config.Load(r)
		if err == nil {
			_, err = gpus.New(c, gpus.Options{})
		}
		if err == nil {
			return r
		}
	}
	return config.Request{GPU: "gtx980", Design: design, Set: two} // loading it reports the error
}
