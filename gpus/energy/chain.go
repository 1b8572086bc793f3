package energy

import (
	"fmt"
	"strings"
)

// Chip is the calculation from a chip's power to the possible savings of a register file.
type Chip struct {
	Watts   float64 `toml:"watts"`
	Leakage float64 `toml:"leakage"` // share
	SMs     float64 `toml:"sms"`
	SMShare float64 `toml:"sm_share"` // of the dynamic power
	RFShare float64 `toml:"rf_share"` // of an SM's dynamic power
	Saving  float64 `toml:"saving"`   // of the register file's
}

// Step is a link of the chain.
type Step struct {
	Name  string
	Value float64
	Unit  string
	How   string
}

// Chain calculates the chain for a saving of the register file's energy (Gebhart et al.,
// section 5.5). Nothing is rounded between the steps.
func (c *Chip) Chain(saving float64) []Step {
	dynamic := c.Watts * (1 - c.Leakage)
	sm := dynamic * c.SMShare / c.SMs
	rf := sm * c.RFShare
	saved := rf * saving
	chip := saved * c.SMs
	return []Step{
		{"chip", c.Watts, "W", "given"},
		{"dynamic", dynamic, "W", "chip less leakage"},
		{"sm", sm, "W", "the SMs' share of it, by their number"},
		{"rf", rf, "W", "the register file's share of an SM"},
		{"saved", saved, "W", "the saving times that, of one SM"},
		{"chip_saved", chip, "W", "of all SMs"},
		{"sm_share", saved / sm, "1", "saved, of an SM's dynamic power"},
		{"dynamic_share", chip / dynamic, "1", "saved, of the chip's dynamic power"},
	}
}

// Link returns a step of the chain by its name.
func (c *Chip) Link(name string, saving float64) (float64, error) {
	return link(c.Chain(saving), "the chain of chip power", name)
}

// Chain returns the calculation of the wire energy of an access of 128 bits, from a wire's capacitance and
// voltage to the printed energy, which is the one charged. far is the distance of the main file in mm.
func (w *Wire) Chain(far float64) []Step {
	return []Step{
		{"capacitance", w.Capacitance, "fF/mm", "given, of a wire"},
		{"voltage", w.Voltage, "V", "given"},
		{"transition", w.PerMM(1) / w.Bits, "pJ/mm", "half of capacitance x voltage^2, of a wire"},
		{"activity", w.Activity, "1", "transitions per bit: assumed"},
		{"computed", w.PerMM(w.Activity), "pJ/mm", "that for all wires of a register of a lane"},
		{"printed", w.Printed, "pJ/mm", "given, for the same"},
		{"access", w.Per128(), "pJ/mm", "the printed one for 128 bits"},
		{"distance", far, "mm", "given, of the main file"},
		{"main", w.Per128() * far, "pJ", "an access of the main file"},
	}
}

// Link returns a step of the chain of wires to the main file by its name.
func (g *Gebhart) Link(name string) (float64, error) {
	return link(g.Wire.Chain(g.Main.MM), "the chain of wires", name)
}

func link(steps []Step, what, name string) (float64, error) {
	var names []string
	for _, s := range steps {
		if s.Name == name {
			return s.Value, nil
		}
		names = append(names, s.Name)
	}
	return 0, fmt.Errorf("%s has no step %q; expected one of %s", what, name, strings.Join(names, ", "))
}
