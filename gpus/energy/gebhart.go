package energy

import (
	"fmt"
	"sync"
)

// Gebhart is the energy model of the register file cache.
type Gebhart struct {
	Source string  `toml:"source"`
	Main   Bank    `toml:"main"`
	Wire   Wire    `toml:"wire"`
	Caches []Cache `toml:"cache"`
	Chip   Chip    `toml:"chip"`
	Timed  Timed   `toml:"timed"`
	// CacheMM is the distance of the cache of a run to the operand inputs.
	CacheMM float64 `toml:"cache_mm"`
}

// Bank is a bank of the main register file.
type Bank struct {
	Read  float64 `toml:"read"`  // pJ per 128 bits
	Write float64 `toml:"write"` // pJ per 128 bits
	Area  float64 `toml:"area"`  // um^2
	MM    float64 `toml:"mm"`    // to the operand inputs
}

// Wire is the energy of data per distance.
type Wire struct {
	Printed     float64 `toml:"printed"`     // pJ/mm per Bits
	Capacitance float64 `toml:"capacitance"` // fF/mm of one wire
	Voltage     float64 `toml:"voltage"`     // V
	Activity    float64 `toml:"activity"`    // transitions per bit
	Bits        float64 `toml:"bits"`
}

// Cache is a register file cache with a number of entries per thread, for a number of
// active warps.
type Cache struct {
	Entries int     `toml:"entries"`
	Active  int     `toml:"active"`
	Area    float64 `toml:"area"`  // um^2
	Read    float64 `toml:"read"`  // pJ per 128 bits
	Write   float64 `toml:"write"` // pJ per 128 bits
}

// Timed names the statistics of a timed run for each of Accesses, the kind of register file with the cache, and the
// parameter with the cache's entries.
type Timed struct {
	MainReads   string `toml:"main_reads"`
	MainWrites  string `toml:"main_writes"`
	CacheReads  string `toml:"cache_reads"`
	CacheWrites string `toml:"cache_writes"`
	Kind        string `toml:"cache_kind"`
	Entries     string `toml:"cache_entries"`
}

var gebhart = sync.OnceValue(func() *Gebhart { return builtin[Gebhart]("gebhart") })

// OfGebhart returns the model with the paper's tables.
func OfGebhart() *Gebhart { return gebhart() }

// PerMM returns the energy of 32 wires over 1 mm by capacitance and voltage, in pJ: at
// the given activity, half of C V^2 for each of the wires.
func (w *Wire) PerMM(activity float64) float64 {
	return activity * 0.5 * w.Capacitance * 1e-3 * w.Voltage * w.Voltage * w.Bits
}

// Per128 returns the energy of a 128-bit access over 1 mm in pJ, from the printed value.
func (w *Wire) Per128() float64 { return w.Printed * 128 / w.Bits }

// Cache finds an entry of table 2.
func (g *Gebhart) Cache(entries, active int) (*Cache, error) {
	for i := range g.Caches {
		if c := &g.Caches[i]; c.Entries == entries && c.Active == active {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s has no register file cache of %d entries for %d active warps; expected 4, 6 or 8 of "+
		"each", g.Source, entries, active)
}

// Access returns the energy of an access, the area or the distance, by its name.
func (b *Bank) Access(what string) (float64, error) {
	switch what {
	case "read":
		return b.Read, nil
	case "write":
		return b.Write, nil
	case "area":
		return b.Area, nil
	case "mm":
		return b.MM, nil
	}
	return 0, fmt.Errorf("a bank of the main file has no %q; expected read, write, area or mm", what)
}

// Accesses counts accesses of 128 bits. A written-back value is one read of the
// cache and one write of the main file.
type Accesses struct {
	MainReads, MainWrites, CacheReads, CacheWrites float64
}

// Distances are the distances from the arrays to the operand inputs, in mm.
type Distances struct{ Main, Cache float64 }

// Breakdown is energy by component, wire apart from arrays.
type Breakdown struct {
	MainArray, MainWire, CacheArray, CacheWire float64
}

// Total returns the sum.
func (b Breakdown) Total() float64 { return b.MainArray + b.MainWire + b.CacheArray + b.CacheWire }

// Over returns the breakdown as shares of another total.
func (b Breakdown) Over(total float64) Breakdown {
	return Breakdown{b.MainArray / total, b.MainWire / total, b.CacheArray / total, b.CacheWire / total}
}

// Energy returns the energy of accesses in pJ. An access of the main file pays for its array and the main
// distance, and an access of the cache for the cache's. cache may be nil without accesses of the cache.
func (g *Gebhart) Energy(a Accesses, cache *Cache, d Distances) Breakdown {
	b := Breakdown{
		MainArray: a.MainReads*g.Main.Read + a.MainWrites*g.Main.Write,
		MainWire:  (a.MainReads + a.MainWrites) * d.Main * g.Wire.Per128(),
		CacheWire: (a.CacheReads + a.CacheWrites) * d.Cache * g.Wire.Per128(),
	}
	if cache != nil {
		b.CacheArray = a.CacheReads*cache.Read + a.CacheWrites*cache.Write
	}
	return b
}

// Relative returns the energy of accesses, over what the given reads of operands and writes of results cost in the main
// file alone.
func (g *Gebhart) Relative(a Accesses, reads, writes float64, cache *Cache, d Distances) Breakdown {
	all := g.Energy(Accesses{MainReads: reads, MainWrites: writes}, nil, d)
	return g.Energy(a, cache, d).Over(all.Total())
}

// IdealSaving returns the saving if every access goes to the cache and wires cost
// nothing (section 5.4), for a number of reads per write.
func (g *Gebhart) IdealSaving(cache *Cache, readsPerWrite float64) float64 {
	b := g.Relative(Accesses{CacheReads: readsPerWrite, CacheWrites: 1}, readsPerWrite, 1, cache, Distances{})
	return 1 - b.Total()
}

// ReadsPerWrite returns the ratio n with an ideal saving of s: the solution of
// (1-s) (n read + write) = n cache.read + cache.write.
func (g *Gebhart) ReadsPerWrite(cache *Cache, saving float64) float64 {
	left := 1 - saving
	return (left*g.Main.Write - cache.Write) / (cache.Read - left*g.Main.Read)
}
