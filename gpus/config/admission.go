package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"kumiko/kernel/compiler/tables"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// warpSize is the number of 32-bit registers of a warp register.
const warpSize = 32

// Admit returns how many CTAs of a kernel an SM of this GPU holds with its register file. Either the occupancy
// rules or the kind of register file decide. Nothing is simulated. t are the tables of the allocated kernel, or nil
// if only the resources of a CTA are known. If not even one CTA fits, the error gives the reason.
func (c *Config) Admit(t *tables.Tables, cta occupancy.CTA) (regfile.Admission, error) {
	a, err := c.admit(t, cta)
	if err == nil && c.OnChip.Memory == unified {
		err = c.OnChip.Unified.divide(&a, c.registersInPool(&a), c.Occupancy.CTAShared(cta.SharedBytes),
			c.Mem.L1.Tags.Ways)
	}
	return a, err
}

// registerBytes is the size of one thread's register.
const registerBytes = 4

func (c *Config) admit(t *tables.Tables, cta occupancy.CTA) (regfile.Admission, error) {
	rf, sm := c.RegFile.Settings(), c.Capacity()
	if rf.Admit == nil {
		fit, err := c.Occupancy.Of(sm, cta)
		a := regfile.Admission{Residency: regfile.Residency{Resident: fit.CTAs, Active: fit.CTAs}, Limit: fit.Limit,
			Used: sm.Registers - fit.RegistersUnused,
			Plan: c.launch(t, cta, occupancy.Result{CTAs: fit.CTAs, Limit: fit.Limit})}
		if err == nil && c.SM.Switch.On() {
			err = c.admitSwitched(&a, cta)
		}
		return a, err
	}
	slotted, err := c.Occupancy.Others(sm, cta)
	if err != nil {
		return regfile.Admission{}, err
	}
	others := slotted
	if c.SM.Switch.On() {
		if others, err = c.Occupancy.Others(c.beyondSlots(), cta); err != nil {
			return regfile.Admission{}, err
		}
	}
	l := c.launch(t, cta, others)
	l.Slotted = slotted.CTAs
	a, err := rf.Admit(l)
	if err != nil {
		return a, fmt.Errorf("register file %s: %w", rf.Kind.Name, err)
	}
	if a.Limit == "" {
		a.Limit = occupancy.ByRegisters
	}
	if c.SM.Switch.On() {
		a.Active = min(a.Active, l.Slotted)
	}
	if err := c.admissible(&a, others); err != nil || rf.Kind.Needs == nil {
		return a, err
	}
	return a, c.admitPath(&a, l)
}

// admitPath adds what the register file inside the residency's blocks decides about a launch. It leaves the number of
// resident CTAs alone, because that is the residency's decision.
func (c *Config) admitPath(a *regfile.Admission, l *regfile.Launch) error {
	a.Path = l
	k := c.RegFile.settings[c.RegFile.Kind]
	if k.Admit == nil {
		return nil
	}
	own := *l
	own.ByRegisters, own.Others, own.Slotted = a.Resident, a.Resident, a.Active
	b, err := k.Admit(&own)
	if err != nil {
		return fmt.Errorf("register file %s: %w", k.Kind.Name, err)
	}
	a.Insert, a.Path, a.Figures = b.Insert, b.Plan, append(a.Figures, b.Figures...)
	return nil
}

// launch describes a launch to a register file. others is the number of CTAs allowed by the other resources.
func (c *Config) launch(t *tables.Tables, cta occupancy.CTA, others occupancy.Result) *regfile.Launch {
	sm := c.Capacity()
	return &regfile.Launch{Tables: t, WarpsPerCTA: occupancy.Warps(cta.Threads),
		Registers:    c.Occupancy.WarpRegisters(cta.Registers),
		CTARegisters: c.Occupancy.CTARegisters(cta.Threads, cta.Registers), SharedBytes: cta.SharedBytes,
		Slotted: others.CTAs, Capacity: sm.Registers / warpSize,
		Warps: sm.Warps, Schedulers: c.SM.Schedulers, Active: c.SM.Active(), Others: others.CTAs,
		OthersLimit: others.Limit, ByRegisters: c.Occupancy.ByRegisters(sm.Registers, cta),
		Pool:          c.poolOf(cta.SharedBytes),
		ByRegistersOf: func(capacity int) int { return c.Occupancy.ByRegisters(capacity*warpSize, cta) }}
}

// admissible refuses an admission beyond the SM's abilities.
func (c *Config) admissible(a *regfile.Admission, others occupancy.Result) error {
	switch {
	case a.Resident < 1 || a.Resident > others.CTAs:
		return fmt.Errorf("internal error: register file %s admits %d CTAs to an SM that has room for 1 to %d (%s)",
			c.RegFile.Outer(), a.Resident, others.CTAs, others.Limit)
	case c.SM.Switch.On() && a.Active >= 1 && a.Active <= cmp.Or(a.Held, a.Resident) && a.Held <= a.Resident:
		a.Figures = append(a.Figures, activeFigure(a.Active))
	case a.Active != a.Resident:
		return fmt.Errorf("register file %s keeps %d of %d resident CTAs active: this GPU does not switch CTAs",
			c.RegFile.Outer(), a.Active, a.Resident)
	}
	return nil
}

// Occupancy is the number of CTAs of a kernel that an SM holds, with the limiting resource, as shown by
// `kumiko occupancy`.
type Occupancy struct {
	CTAs            int    `json:"ctas_per_sm"`
	Limit           string `json:"limit"`
	RegistersUnused int    `json:"registers_unused"` // 32-bit registers
	// Differences are the limits that are not those of the chip's compute capability.
	Differences []Difference `json:"differs_from_capability,omitempty"`
	// Figures are further numbers of the register file. In JSON each figure is a key.
	Figures []regfile.Figure `json:"-"`
}

// CTAs returns the occupancy of a CTA on this GPU.
func (c *Config) CTAs(cta occupancy.CTA) (Occupancy, error) {
	a, err := c.Admit(nil, cta)
	return Occupancy{CTAs: a.Resident, Limit: a.Limit, RegistersUnused: c.SM.Registers - a.Used,
			Differences: c.Differences(), Figures: a.Figures},
		err
}

// Figure returns the value of a figure, and whether the figure exists.
func (o *Occupancy) Figure(name string) (int, bool) {
	for _, f := range o.Figures {
		if f.Name == name {
			return f.Value, true
		}
	}
	return 0, false
}

// MarshalJSON writes the figures after the other keys.
func (o Occupancy) MarshalJSON() ([]byte, error) {
	type plain Occupancy
	out, err := json.Marshal(plain(o))
	for _, f := range o.Figures {
		out = append(bytes.TrimSuffix(out, []byte("}")), fmt.Sprintf(",%q:%d}", f.Name, f.Value)...)
	}
	return out, err
}
