// Package stats holds the counters of a simulated machine: plain integers owned and incremented by their blocks. A
// registry has the name, unit and description of each.
package stats

import (
	"fmt"
	"sort"
)

// Units of counters.
const (
	Cycles       = "cycles"
	Accesses     = "accesses"
	Instructions = "instructions"
	Bytes        = "bytes"
	Messages     = "messages"
	Registers    = "warp registers"
	Events       = "events"
	Slots        = "issue slots"
)

// Registry holds all counters of a machine. Counters of the same name, such as one per bank of every SM, are one
// statistic and add up.
type Registry struct {
	stats         []Stat
	index         map[string]int
	distributions []*Distribution
}

// Stat is one statistic.
type Stat struct {
	Name        string // dot-separated, lower case: "regfile.bank.reads"
	Unit        string
	Description string
	parts       []part
}

type part struct {
	instance string
	p        *uint64
}

// Count registers a counter owned by a block. instance names the block, such as "SM[3].Bank[0]". It panics if the
// name is already registered with another unit or description: this is a mistake in the model.
func (r *Registry) Count(name, unit, description, instance string, p *uint64) {
	if r == nil {
		return
	}
	if r.index == nil {
		r.index = map[string]int{}
	}
	i, ok := r.index[name]
	if !ok {
		i = len(r.stats)
		r.index[name] = i
		r.stats = append(r.stats, Stat{Name: name, Unit: unit, Description: description})
	}
	s := &r.stats[i]
	if s.Unit != unit || s.Description != description {
		panic(fmt.Sprintf("stats: %s registered as %q in %s and as %q in %s", name, s.Description, s.Unit, description,
			unit))
	}
	s.parts = append(s.parts, part{instance, p})
}

// Value returns the sum over the counters of the statistic.
func (s *Stat) Value() uint64 {
	var v uint64
	for _, p := range s.parts {
		v += *p.p
	}
	return v
}

// Instances calls f with every counter of the statistic.
func (s *Stat) Instances(f func(instance string, value uint64)) {
	for _, p := range s.parts {
		f(p.instance, *p.p)
	}
}

// Stats returns the statistics, sorted by name.
func (r *Registry) Stats() []Stat {
	out := append([]Stat(nil), r.stats...)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Snapshot returns the value of every statistic by name.
func (r *Registry) Snapshot() map[string]uint64 {
	out := make(map[string]uint64, len(r.stats))
	for i := range r.stats {
		out[r.stats[i].Name] = r.stats[i].Value()
	}
	return out
}
