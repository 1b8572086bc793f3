package energy

import (
	"fmt"
	"sync"
)

// Technologies has the technologies of LTRF's table 2.
type Technologies struct {
	Source string       `toml:"source"`
	List   []Technology `toml:"technology"`
}

// Technology is a way to build the main register file, relative to the first.
type Technology struct {
	ID       int     `toml:"id"`
	Cell     string  `toml:"cell"`
	Banks    float64 `toml:"banks"` // number of them
	Bank     float64 `toml:"bank"`  // size of one
	Network  string  `toml:"network"`
	Capacity float64 `toml:"capacity"`
	Area     float64 `toml:"area"`
	Power    float64 `toml:"power"`
	Latency  float64 `toml:"latency"` // mean access in their simulator, queueing included, banks not pipelined
}

var technologies = sync.OnceValue(func() *Technologies { return builtin[Technologies]("ltrf") })

// OfLTRF returns the paper's technologies.
func OfLTRF() *Technologies { return technologies() }

// Find finds a technology by its number.
func (t *Technologies) Find(id int) (*Technology, error) {
	for i := range t.List {
		if t.List[i].ID == id {
			return &t.List[i], nil
		}
	}
	return nil, fmt.Errorf("%s has no configuration %d; expected 1 to %d", t.Source, id, len(t.List))
}

// Factor returns a column of the table by name.
func (t *Technology) Factor(name string) (float64, error) {
	switch name {
	case "banks":
		return t.Banks, nil
	case "bank":
		return t.Bank, nil
	case "capacity":
		return t.Capacity, nil
	case "area":
		return t.Area, nil
	case "power":
		return t.Power, nil
	case "latency":
		return t.Latency, nil
	case "capacity_per_area":
		return t.Capacity / t.Area, nil
	case "capacity_per_power":
		return t.Capacity / t.Power, nil
	}
	return 0, fmt.Errorf("technologies have no %q; expected banks, bank, capacity, area, power, latency, "+
		"capacity_per_area or capacity_per_power", name)
}

// PowerAt returns the power of the main file, relative to the first technology's without a cache. accesses is
// the number of accesses relative to a file without a cache. leakage is the share of leakage in the power
// without a cache; the rest is proportional to the accesses. The paper does not give this share, so it is a
// parameter and must be shown.
func (t *Technology) PowerAt(leakage, accesses float64) float64 {
	return t.Power * (leakage + (1-leakage)*accesses)
}

// Fitted solves for one of the two parameters of the power of LTRF's register file from two of the paper's
// numbers. On technology 1 and on technology 7 the main file has m1 and m7 times the accesses per cycle of a
// file without a cache, the cache k1 and k7 times as many, and the power is p1 and p7 times that file's power.
// leakage is the share of the main file's power independent of accesses. cache is the energy of an access to the
// cache, with everything belonging to the cache, over the power of the main file per access. Both may lie outside
// 0 to 1: then the two numbers do not fit this model.
func (t *Technologies) Fitted(parameter string, m1, k1, p1, m7, k7, p7 float64) (float64, error) {
	seventh, err := t.Find(7)
	if err != nil {
		return 0, err
	}
	// For each technology, power * (leakage + (1 - leakage) * m) + cache * k = p, where power is 1 for the first. So a
	// leakage + b cache = c.
	a1, b1, c1 := 1-m1, k1, p1-m1
	a7, b7, c7 := seventh.Power*(1-m7), k7, p7-seventh.Power*m7
	det := a1*b7 - a7*b1
	if det == 0 {
		return 0, fmt.Errorf("the two numbers do not determine leakage and cache: accesses %v, %v and %v, %v", m1, k1,
			m7, k7)
	}
	switch parameter {
	case "leakage":
		return (c1*b7 - c7*b1) / det, nil
	case "cache":
		return (a1*c7 - a7*c1) / det, nil
	}
	return 0, fmt.Errorf("found the parameter %q, expected leakage or cache", parameter)
}
