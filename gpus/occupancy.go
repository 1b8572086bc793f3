package gpus

import "kumiko/sm/occupancy"

// sharer is the settings of a register file whose CTAs share registers in pairs.
type sharer interface {
	// SharingThreshold is the part of a CTA's registers that is its own.
	SharingThreshold() float64
}

// CTAs is how many CTAs an SM of this GPU holds with its register file, without
// running anything.
func (c *Config) CTAs(cta occupancy.CTA) (occupancy.Result, error) {
	if s, ok := c.RegFile.Settings().(sharer); ok {
		return c.Occupancy.OfShared(c.Capacity(), cta, s.SharingThreshold())
	}
	return c.Occupancy.Of(c.Capacity(), cta)
}
