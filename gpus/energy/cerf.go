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
	// Banks are the numbers of banks of the L1's data that one access may touch, as the paper can be read.
	Banks []int `toml:"l1_banks"`
	// Separate and Integrated are the arrays of a machine with an L1 and of a machine with registers
	// and lines in one memory; Behind are the arrays of both.
	Separate   Arrays `toml:"separate"`
	Integrated Arrays `toml:"integrated"`
	Behind     Arrays `toml:"behind"`
}

// Arrays are charged for events, and for the time.
type Arrays struct {
	Components []Array     `toml:"component"`
	Leaks      []LeakArray `toml:"leak"`
}

// Array is a Component. If Wide is set, an event is as many accesses as an access of the L1's data touches banks.
type Array struct {
	Component
	Wide bool `toml:"wide"`
}

// LeakArray is a Leak. If Wide is set, it has as many banks as an access of the L1's data touches.
type LeakArray struct {
	Leak
	Wide bool `toml:"wide"`
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
	all := Total(of)
	if all == 0 {
		return nil, fmt.Errorf("the baseline of the energy has no events")
	}
	out, err := c.energy(run, banks)
	for part := range out {
		out[part] /= all
	}
	return out, err
}

// Charges returns the rows under the first interpretation of how many of the L1's banks an access touches.
func (c *CERF) Charges(config map[string]any) (*Charges, error) {
	banks := c.Banks[0]
	out := c.rows(config, banks)
	out.Notes = []string{fmt.Sprintf("an access of the L1's data touches %d banks, one reading of the paper", banks)}
	return out, nil
}

// rows returns the rows if an access of the L1's data touches the given number of banks.
func (c *CERF) rows(config map[string]any, banks int) *Charges {
	near := &c.Separate
	if config[c.Memory] == "cerf" {
		near = &c.Integrated
	}
	out := &Charges{Table: "cerf", Source: c.Source, Clock: c.Clock}
	for _, a := range []*Arrays{near, &c.Behind} {
		for _, x := range a.Components {
			if x.Wide {
				x.Times = float64(banks)
			}
			x.Source, x.Optional = c.Source, true
			out.Components = append(out.Components, x.Component)
		}
		for _, l := range a.Leaks {
			if l.Wide {
				l.Banks = banks
			}
			l.Name, l.Source = leakage, c.Source
			out.Leaks = append(out.Leaks, l.Leak)
		}
	}
	return out
}

// energy returns the energy of a run by part, in pJ.
func (c *CERF) energy(r *result.Result, banks int) (map[string]float64, error) {
	rows := c.rows(r.Config, banks)
	out := dynamic(rows.Components, r.Total.Stats)
	mhz := number(r.Config[c.Clock])
	if mhz <= 0 {
		return nil, fmt.Errorf("the run's parameter %s is %v, expected a number above 0", c.Clock, r.Config[c.Clock])
	}
	for i := range rows.Leaks {
		l := &rows.Leaks[i]
		arrays, err := l.arrays(r.Config)
		if err != nil {
			return nil, err
		}
		out[leakage] += l.energy(arrays, float64(r.Total.Cycles)/mhz)
	}
	return out, nil
}
