package config

import (
	"math/bits"

	"kumiko/components/spec"
	"kumiko/memsys"
)

// Slice is the part of the chip that is simulated.
type Slice struct {
	SMs int `toml:"sms" unit:"SMs" doc:"simulate so many SMs, with the L2 and the DRAM bandwidth scaled alike; 0: the whole chip"`
}

// slice makes the configuration that of a slice.
func (c *Config) slice() error {
	n := c.Slice.SMs
	if n == 0 {
		return nil
	}
	if n < 0 || n > c.SM.Count {
		return spec.Errorf("slice.sms", n, "0 (the whole chip) to sm.count (%d)", c.SM.Count)
	}
	// A memory that does not add up is left for its own check to refuse.
	if m := &c.Mem; m.Backing == "dram" && m.DRAM.Channels > 0 && m.L2.Slices%m.DRAM.Channels == 0 &&
		m.L2.Slices <= spec.MostBytes {
		scaleMemory(&c.Mem, n, c.SM.Count)
	}
	c.SM.Count = n
	return nil
}

// scaleMemory leaves the part num/den of the L2 and of the DRAM bandwidth.
// Channels are whole: when the part is not, one more is kept, and the bandwidth
// of channels and L2 slices and the size of the slices are lowered to make the
// product right.
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
		if *v > 0 && *v <= spec.MostBytes { // what is nonsense stays so
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
	// A slower clock must not lengthen what the cells take in nanoseconds.
	for _, t := range []*int{&d.RCD, &d.RAS, &d.RP, &d.RC, &d.CL, &d.WL, &d.RRD, &d.WR, &d.CDLR, &d.RTP, &d.REFI,
		&d.RFC} {
		scale(t)
	}
}

// nearestPower is the power of two nearest to n, the smaller of two.
func nearestPower(n int) int {
	low := 1 << (bits.Len(uint(n)) - 1)
	if n-low > 2*low-n {
		return 2 * low
	}
	return low
}
