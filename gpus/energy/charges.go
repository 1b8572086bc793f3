package energy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// Model is a way to charge the runs of a machine.
type Model interface {
	// Charges returns the rows on a machine with these values of its parameters. An error says why the model does
	// not fit the machine.
	Charges(config map[string]any) (*Charges, error)
}

// Charges are the rows of a model on one machine.
type Charges struct {
	Table, Source string
	Notes         []string
	Clock         string // name of the parameter that has the frequency of a result's cycles, in MHz
	Components    []Component
	Leaks         []Leak

	clockAt tomldoc.Pos
}

// Check returns an error for each row that charges a statistic twice, and for each row with a pattern that no statistic
// of the machine matches. The pattern of an optional row need only match a statistic of some machine; known lists the
// statistics of all machines.
func (c *Charges) Check(machine []string, known func() ([]string, error)) error {
	var errs []error
	all := machine
	for i := range c.Components {
		row := &c.Components[i]
		charged := map[string]string{}
		for _, pattern := range row.Stats {
			found := matching(pattern, machine)
			if len(found) == 0 {
				var err error
				if row.Optional && row.pos.File == "" {
					continue // a row of a built-in table: a test holds its patterns to the statistics of all machines
				}
				if row.Optional && len(all) == len(machine) {
					if all, err = known(); err != nil {
						return err
					}
				}
				if !row.Optional || len(matching(pattern, all)) == 0 {
					errs = append(errs, row.unknown(pattern, all))
				}
			}
			for _, name := range found {
				if first, ok := charged[name]; ok {
					errs = append(errs, row.errorf("%s: found the statistic %s by %q and by %q, expected it once",
						row.Name, name, first, pattern))
					break
				}
				charged[name] = pattern
			}
		}
	}
	return tomldoc.Join(c.Table, errs)
}

// unknown returns the error of a pattern without a statistic.
func (c *Component) unknown(pattern string, names []string) error {
	remedy := "expected one of kumiko list stats with the --gpu and the --design of the run"
	if n := nearest.Of(pattern, names, 3); n != "" && !c.Optional {
		remedy = "did you mean " + n + "?"
	} else if !c.Optional {
		remedy += ", or optional = true in a row of a block that this machine lacks"
	}
	what := "this machine has"
	if c.Optional {
		what = "any machine has"
	}
	return c.errorf("%s: found %q, which is no statistic that %s; %s", c.Name, pattern, what, remedy)
}

func (c *Component) errorf(format string, args ...any) error {
	if c.pos.File == "" {
		return fmt.Errorf(format, args...)
	}
	return tomldoc.Errorf(c.pos, format, args...)
}

func matching(pattern string, names []string) (out []string) {
	for _, n := range names {
		if n == pattern || strings.Contains(pattern, "*") && matches(pattern, n) {
			out = append(out, n)
		}
	}
	return out
}

// Of returns the energy of a run on the machine of the charges.
func (c *Charges) Of(r *result.Result) (*result.Energy, error) {
	out := &result.Energy{Table: c.Table, Source: c.Source, Rows: []result.EnergyRow{}, Blocks: []result.EnergyBlock{},
		Notes: append([]string{}, c.Notes...)}
	stats := r.Total.Stats
	names := slices.Sorted(maps.Keys(stats))
	charged := map[string]bool{}
	for i := range c.Components {
		x := &c.Components[i]
		row := result.EnergyRow{Block: x.Name, What: x.What, Source: x.Source, Statistics: []string{},
			Events: x.count(stats), AccessesPerEvent: x.Times, PJPerAccess: x.PJ, PJ: x.energy(stats)}
		for _, pattern := range x.Stats {
			row.Statistics = append(row.Statistics, matching(pattern, names)...)
		}
		if len(row.Statistics) == 0 {
			continue // the machine lacks the block
		}
		for _, name := range row.Statistics {
			charged[group(name)] = true
		}
		out.Rows = append(out.Rows, row)
	}
	if err := c.leaks(r, out); err != nil {
		return nil, err
	}
	for _, name := range names {
		if g := group(name); strings.HasPrefix(g, "regfile.") && stats[name] > 0 && !charged[g] &&
			!slices.Contains(out.Uncharged, g) {
			out.Uncharged = append(out.Uncharged, g)
		}
	}
	out.Finish(r.Total.WarpInstructions)
	return out, nil
}

// leaks adds the rows of the leakage.
func (c *Charges) leaks(r *result.Result, out *result.Energy) error {
	if len(c.Leaks) == 0 {
		return nil
	}
	mhz := number(r.Config[c.Clock])
	if mhz <= 0 {
		return placed(c.clockAt, "clock: the run's parameter %s is %v, expected a number above 0", c.Clock,
			r.Config[c.Clock])
	}
	microseconds := float64(r.Total.Cycles) / mhz
	for i := range c.Leaks {
		l := &c.Leaks[i]
		arrays, err := l.arrays(r.Config)
		if err != nil {
			return err
		}
		out.Rows = append(out.Rows, result.EnergyRow{Block: l.Name, What: l.What, Source: l.Source,
			Statistics: []string{}, PowerMW: l.MW * float64(l.Banks) * arrays, Microseconds: microseconds,
			PJ: l.energy(arrays, microseconds)})
	}
	return nil
}

// arrays returns the number of the arrays that leak.
func (l *Leak) arrays(config map[string]any) (float64, error) {
	if l.Per == "" {
		return 1, nil
	}
	if n := number(config[l.Per]); n > 0 {
		return n, nil
	}
	return 0, placed(l.pos, "the run's parameter %s is %v, expected a number above 0", l.Per, config[l.Per])
}

func placed(at tomldoc.Pos, format string, args ...any) error {
	if at.File == "" {
		return fmt.Errorf(format, args...)
	}
	return tomldoc.Errorf(at, format, args...)
}

// group returns the first two parts of the name of a statistic, which name a block.
func group(name string) string {
	parts := strings.SplitN(name, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}
