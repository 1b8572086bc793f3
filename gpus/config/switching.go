package config

import (
	"slices"

	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/switching"
)

// switches refuses a value of cta.switching that is unknown, or does not fit the residency, or needs CTAs without
// scheduler slots beside a kind of register file unable to hold them.
func (c *Config) switches() error {
	way, r := c.SM.Switch.Switching, &c.RegFile
	outer := kind(r.Outer())
	if all := append([]string{switching.None}, ways()...); !slices.Contains(all, way) {
		return spec.OneOf(ctaSwitching, way, all...)
	}
	switch {
	case outer.Switching != "" && way != outer.Switching:
		return spec.Errorf(ctaSwitching, way, "%s, with %s = %s", outer.Switching, residencyKey, outer.Name)
	case outer.Switching != "" || !c.SM.Switch.On():
		return nil
	case way != switching.VirtualThread:
		return spec.Errorf(ctaSwitching, way, "%s or %s with %s = %s", switching.None, switching.VirtualThread,
			residencyKey, r.Residency)
	}
	for _, name := range r.kinds() {
		if why := kind(name).Why(regfile.Switching); why != "" && name != r.base() {
			return spec.Errorf(ctaSwitching, way, "%s, with %s: %s", switching.None, r.axes(), why)
		}
	}
	return nil
}

// ways lists the values of cta.switching other than none: the built-in one, which leaves registers in place, and
// one for each kind with its own (Kind.Switching).
func ways() []string {
	all := []string{switching.VirtualThread}
	for _, name := range regfile.Names() {
		if w := kind(name).Switching; w != "" {
			all = append(all, w)
		}
	}
	return all
}

// beyondSlots returns the resources of an SM for CTAs, without the limit of scheduler slots.
func (c *Config) beyondSlots() occupancy.SM {
	out := c.Capacity()
	out.Warps, out.Threads, out.CTAs = c.SM.WarpContexts(), c.SM.WarpContexts()*warpSize, c.SM.CTAContexts()
	return out
}

// Room returns the resources of an SM that the CTAs of all launches together have.
func (c *Config) Room() occupancy.SM {
	if c.SM.Switch.On() {
		return c.beyondSlots()
	}
	return c.Capacity()
}

// admitSwitched sets how many CTAs an SM with CTA switching holds, and how many of them have scheduler slots
// at once.
func (c *Config) admitSwitched(a *regfile.Admission, cta occupancy.CTA) error {
	fit, err := c.Occupancy.Of(c.beyondSlots(), cta)
	if err != nil {
		return err
	}
	a.Residency = regfile.Residency{Resident: fit.CTAs, Active: min(a.Active, fit.CTAs)}
	a.Limit, a.Used = fit.Limit, c.SM.Registers-fit.RegistersUnused
	a.Figures = append(a.Figures, activeFigure(a.Active))
	return nil
}

// activeFigure returns the figure of CTAs with scheduler slots at once.
func activeFigure(n int) regfile.Figure {
	return regfile.Figure{Name: "active_ctas_per_sm", Doc: "active CTAs per SM", Value: n}
}
