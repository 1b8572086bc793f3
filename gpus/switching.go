package gpus

import (
	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/switching"
)

// switches refuses the switching of CTAs with a kind of register file that knows of no
// CTA without scheduler slots.
func (c *Config) switches() error {
	k, err := regfile.Find(c.RegFile.Kind)
	if err != nil || k.Parks || !c.CTA.On() {
		return nil // an unknown kind the section says itself
	}
	return spec.Errorf("cta.switching", c.CTA.Switching, "%s, with regfile.kind = %s", switching.None, k.Name)
}

// beyondSlots is what an SM has for CTAs that need no slots of the schedulers.
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
	a.Figures = append(a.Figures, regfile.Figure{Name: "active_ctas_per_sm", Doc: "active CTAs per SM", Value: a.Active})
	return nil
}
