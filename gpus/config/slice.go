package config

import (
	"math/bits"

	"kumiko/components/spec"
	"kumiko/memsys"
)

// Slice selects the simulated part of the chip.
type Slice struct {
	SMs int `toml:"sms" unit:"SMs" doc:"simulate so many SMs, with the L2 and the DRAM bandwidth scaled alike; 0: the whole chip"`
}

// slice reduces the configuration to the slice.
func (c *Config) slice() error {
	n := c.Slice.SMs
	if n == 0 {
		return nil
	}
	if n < 0 || n > c.SM.Count {
		return spec.Errorf("slice.sms", n, "0 (the whole chip) to sm.count (%d)", c.SM.Count)
	}
	// An inconsistent memory is left to its own check.
	if m := &c.Mem; m.Backing == "dram" && m.DRAM.Channels > 0 && m.L2.Slices%m.DRAM.Channels == 0 &&
		m.L2.Slices <= spec.MostBytes {
		scaleMemory(&c.Mem, n, c.SM.Count)
	}
	c.SM.Count = n
	return nil
}

// scaleMemory scales the L2 and the DRAM bandwidth by num/den. The number of channels is rounded up. The bandwidth
// of channels and L2 slices and the size of the slices are then lowered to keep the products exact.
func scaleMemory(m *memsys.Spec, num, den int) {
	perChannel := m.L2.Slices / m.DRAM.Channels
	want := m.DRAM.Channels * num // in parts of den
	channels := max(1, (want+den-1)/den)
	m.DRAM.Channels, m.L2.Slices = channels, perChannel*channels
	have := channels * den
	if want == have {
		return
	}
	scale := func(v *int) {
		if *v > 0 && *v <= spec.MostBytes { // an invalid value is left to its check
			*v = max(1, (2**v*want+have)/(2*have))
		}
	}
	scale(&m.L2.Port)
	scale(&m.L2.Tags.Sets)
	if m.L2.Tags.Index != "linear" && m.L2.Tags.Sets > 0 {
		m.L2.Tags.Sets = nearestPower(m.L2.Tags.Sets)
	}
	d := &m.DRAM
	scale(&d.Clock)
	// With a slower clock, the timing parameters in cycles shrink, to keep the nanoseconds of the cells.
	for _, t := range []*int{&d.RCD, &d.RAS, &d.RP, &d.RC, &d.CL, &d.WL, &d.RRD, &d.WR, &d.CDLR, &d.RTP, &d.REFI,
		&d.RFC} {
		scale(t)
	}
}

// nearestPower returns the power of two nearest to n, the smaller at equal distance.
func nearestPower(n int) int {
	low := 1 << (bits.Len(uint(n)) - 1)
	if n-low > 2*low-n {
		return 2 * low
	}
	return low
}
