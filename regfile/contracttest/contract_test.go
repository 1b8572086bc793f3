package contracttest

import (
	"testing"

	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	_ "kumiko/regfile/designs"
	"kumiko/regfile/finereg"
	"kumiko/regfile/ltrf"
	"kumiko/regfile/shrf"
)

// swaps lets a design move registers: of three warps one has them in the file.
func swaps(_ *regfile.Settings, c *Config) {
	c.InFile = max(1, c.Warps/3)
	c.Plan = func([]intervals.Set) any { return &regfile.Launch{Registers: c.Registers} }
}

// tunes adapts programs to designs unable to run them as they are.
var tunes = map[string]func(s *regfile.Settings, c *Config){
	"ltrf": func(_ *regfile.Settings, c *Config) {
		c.Regions = 16
		c.Plan = func(sets []intervals.Set) any { return &ltrf.Plan{Sets: sets} }
	},
	"reg-dram": swaps,
	"finereg": func(s *regfile.Settings, c *Config) {
		swaps(s, c)
		x := regfile.SpecOf[finereg.Spec](s)
		x.Vector = max(x.Vector, c.Registers/8)
		c.Plan = func([]intervals.Set) any {
			return &finereg.Plan{Launch: &regfile.Launch{Registers: c.Registers}, Entries: finereg.Default().PCRF}
		}
	},
	"shrf": func(_ *regfile.Settings, c *Config) {
		c.Regions = 16
		c.Plan = func(sets []intervals.Set) any { return &shrf.Plan{Strands: make([]shrf.Strand, len(sets))} }
	},
}

// elsewhere lists designs with registers coming back from a memory, absent here. Their packages test the contract
// with a memory.
var elsewhere = map[string]bool{"cerf": true}

func TestEveryDesignKeepsTheContract(t *testing.T) {
	names := regfile.Names()
	if len(names) == 0 {
		t.Fatal("no design is registered")
	}
	for _, n := range names {
		if elsewhere[n] {
			continue
		}
		k, err := regfile.Find(n)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(n, func(t *testing.T) { Contract(t, k, tunes[n]) })
	}
}
