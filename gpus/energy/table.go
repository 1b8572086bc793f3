package energy

import (
	"cmp"
	"path"
	"strings"

	"kumiko/internal/tomldoc"
)

// Table is a table of energies. Its rows charge events or time.
type Table struct {
	Source     string      `toml:"source"`  // of the energies of rows without a source of their own
	Extends    string      `toml:"extends"` // built-in table with the rows before these; "": none
	Clock      string      `toml:"clock"`   // name of the parameter with the frequency, in MHz; "": that of the SMs
	Note       string      `toml:"note"`    // for the reader of a result
	Components []Component `toml:"component"`
	Leaks      []Leak      `toml:"leak"`

	name string
	at   tomldoc.Pos // of the clock
}

// Component charges the events counted by some statistics.
type Component struct {
	Name   string   `toml:"name"` // energies of one name are added up
	What   string   `toml:"what"`
	Source string   `toml:"source"` // of the energy
	Stats  []string `toml:"stats"`  // names, * standing for any part of one
	Times  float64  `toml:"times"`  // accesses of an array per event
	PJ     float64  `toml:"pj"`     // per access
	// Optional is set if a machine may lack the block of the statistics.
	Optional bool `toml:"optional"`

	pos tomldoc.Pos // without a file: of a built-in table
}

// Leak is a power over the time of the run.
type Leak struct {
	Name   string  `toml:"name"`
	What   string  `toml:"what"`
	Source string  `toml:"source"`
	Banks  int     `toml:"banks"`
	Per    string  `toml:"per"` // parameter of the machine: how many such arrays there are; "": one
	MW     float64 `toml:"mw"`  // of a bank

	pos tomldoc.Pos
}

// clock is the parameter of the frequency of core cycles.
const clock = "sm.clock_mhz"

// Charges returns the rows, behind the rows of the table that this one extends.
func (t *Table) Charges(config map[string]any) (*Charges, error) {
	out := &Charges{Source: t.Source, Clock: clock}
	if t.Extends != "" {
		base, err := named(t.Extends)
		if err == nil {
			out, err = base.Charges(config)
		}
		if err != nil {
			return nil, tomldoc.Errorf(t.at, "extends: %v", err)
		}
		out.Source += "; " + t.Source
	}
	out.Table = t.name
	if t.Clock != "" {
		out.Clock, out.clockAt = t.Clock, t.at
	}
	if t.Note != "" {
		out.Notes = append(out.Notes, t.Note)
	}
	for _, c := range t.Components {
		c.Source = cmp.Or(c.Source, t.Source)
		out.Components = append(out.Components, c)
	}
	for _, l := range t.Leaks {
		l.Source = cmp.Or(l.Source, t.Source)
		out.Leaks = append(out.Leaks, l)
	}
	return out, nil
}

// dynamic returns the energy of events by component, in pJ.
func dynamic(components []Component, stats map[string]uint64) map[string]float64 {
	out := map[string]float64{}
	for i := range components {
		c := &components[i]
		out[c.Name] += c.energy(stats)
	}
	return out
}

// energy returns the energy of the row's events, in pJ.
func (c *Component) energy(stats map[string]uint64) float64 {
	return float64(c.count(stats)) * c.Times * c.PJ
}

func (c *Component) count(stats map[string]uint64) (n uint64) {
	for _, pattern := range c.Stats {
		if !strings.Contains(pattern, "*") {
			n += stats[pattern]
			continue
		}
		for name, v := range stats {
			if matches(pattern, name) {
				n += v
			}
		}
	}
	return n
}

// matches reports whether a pattern is the name of a statistic, * standing for any part of one.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// energy returns the energy over a time in microseconds, in pJ. arrays is the number of the arrays.
func (l *Leak) energy(arrays, microseconds float64) float64 {
	return l.MW * float64(l.Banks) * arrays * microseconds * 1e3 // mW x us = nJ
}

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}
