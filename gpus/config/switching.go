package config

import (
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/switching"
)

// switches refuses a way of switching CTAs that is none, or not that of the residency, or goes with kinds that know
// of no CTA without scheduler slots.
func (c *Config) switches() error {
	way, r := c.CTA.Switching, &c.RegFile
	outer := kind(r.Outer())
	if all := append([]string{switching.None}, ways()...); !slices.Contains(all, way) {
		return spec.Errorf(ctaSwitching, way, "%s", strings.Join(all, ", "))
	}
	switch {
	case outer.Switching != "" && way != outer.Switching:
		return spec.Errorf(ctaSwitching, way, "%s, with %s = %s", outer.Switching, residencyKey, outer.Name)
	case outer.Switching != "" || !c.CTA.On():
		return nil
	case way != switching.VirtualThread:
		return spec.Errorf(ctaSwitching, way, "%s or %s with %s = %s", switching.None, switching.VirtualThread,
			residencyKey, r.Residency)
	}
	for _, name := range r.kinds() {
		if why := kind(name).Why(regfile.Parking); why != "" && name != r.base() {
			return spec.Errorf(ctaSwitching, way, "%s, with %s: %s", switching.None, r.axes(), why)
		}
	}
	return nil
}

// ways returns the kinds of switching: one that moves nothing, and one for each register file with
// its own.
func ways() []string {
	all := []string{switching.VirtualThread}
	for _, name := range regfile.Names() {
		if w := kind(name).Switching; w != "" {
			all = append(all, w)
		}
	}
	return all
}

// beyondSlots returns the resources of an SM for CTAs without slots of the schedulers.
func (c *Config) beyondSlots() occupancy.SM {
	out := c.Capacity()
	out.Warps, out.Threads, out.CTAs = c.SM.WarpContexts(), c.SM.WarpContexts()*warpSize, c.SM.CTAContexts()
	return out
}

// admitSwitched is how many CTAs an SM holds that switches them, and how many of them
// have slots at once.
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

// activeFigure says how many CTAs have slots at once.
func activeFigure(n int) regfile.Figure {
	return regfile.Figure{Name: "active_ctas_per_sm", Doc: "active CTAs per SM", Value: n}
}
