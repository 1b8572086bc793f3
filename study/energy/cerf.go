package energy

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"kumiko/gpus/result"
)

// CERF is CERF's table III: the energy of register file, L1 and L2, and of the memory
// integrating the former two.
type CERF struct {
	Source string `toml:"source"`
	Clock  string `toml:"clock"`  // parameter of the machine: MHz
	Memory string `toml:"memory"` // parameter of the machine; "cerf": the arrays are integrated
	// Banks are the readings of how many banks of the L1's data one access touches.
	Banks []int `toml:"l1_banks"`
	// Separate and Integrated are the arrays of a machine with an L1 and of a machine with registers
	// and lines in one memory; Behind are the arrays of both.
	Separate   Arrays `toml:"separate"`
	Integrated Arrays `toml:"integrated"`
	Behind     Arrays `toml:"behind"`
}

// Arrays are charged for events, and for the time.
type Arrays struct {
	Components []Component `toml:"component"`
	Leaks      []Leak      `toml:"leak"`
}

// Leak is the leakage of an array.
type Leak struct {
	What  string  `toml:"what"`
	Banks int     `toml:"banks"`
	Wide  bool    `toml:"wide"` // as many banks as an access of the L1's data touches
	Per   string  `toml:"per"`  // parameter of the machine: how many such arrays there are
	MW    float64 `toml:"mw"`   // of a bank
}

// leakage is the part of the energy proportional to time.
const leakage = "leakage"

var cerf = sync.OnceValue(func() *CERF { return builtin[CERF]("cerf") })

// OfCERF charges register file, L1 and L2 with CERF's table III.
func OfCERF() *CERF { return cerf() }

// Parts names the parts of the energy.
func (c *CERF) Parts() []string { return []string{"data", "tag", "l2", leakage} }

// Relative returns the energy of a run over a baseline's, by part, if an access of the
// L1's data touches the given number of banks.
func (c *CERF) Relative(run, base *result.Result, banks int) (map[string]float64, error) {
	if !slices.Contains(c.Banks, banks) {
		return nil, fmt.Errorf("found %d banks of the L1, expected one of %s", banks,
			strings.Trim(fmt.Sprint(c.Banks), "[]"))
	}
	of, err := c.energy(base, banks)
	if err != nil {
		return nil, err
	}
	all := total(of)
	if all == 0 {
		return nil, fmt.Errorf("the baseline of the energy has no events")
	}
	out, err := c.energy(run, banks)
	for part := range out {
		out[part] /= all
	}
	return out, err
}

// energy returns the energy of a run by part, in pJ.
func (c *CERF) energy(r *result.Result, banks int) (map[string]float64, error) {
	mhz := number(r.Config[c.Clock])
	if mhz <= 0 {
		return nil, fmt.Errorf("the run's parameter %s is %v, expected a number above 0", c.Clock, r.Config[c.Clock])
	}
	microseconds := float64(r.Total.Cycles) / mhz
	near := &c.Separate
	if r.Config[c.Memory] == "cerf" {
		near = &c.Integrated
	}
	out := map[string]float64{}
	for _, a := range []*Arrays{near, &c.Behind} {
		for i := range a.Components {
			x := &a.Components[i]
			times := x.Times
			if x.Wide {
				times = float64(banks)
			}
			out[x.Name] += float64(x.count(r.Total.Stats)) * times * x.PJ
		}
		for _, l := range a.Leaks {
			arrays := number(r.Config[l.Per])
			if arrays <= 0 {
				return nil, fmt.Errorf("the run's parameter %s is %v, expected a number above 0", l.Per,
					r.Config[l.Per])
			}
			if l.Wide {
				l.Banks = banks
			}
			out[leakage] += l.MW * float64(l.Banks) * arrays * microseconds * 1e3 // mW x us = nJ
		}
	}
	return out, nil
}
