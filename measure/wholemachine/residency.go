package wholemachine

import (
	"kumiko/gpus/config"
	"kumiko/sm/occupancy"
)

// residency is how many CTAs an SM holds, and of what it has no more.
func residency(c *config.Config, block [3]int, registers, shared int) (limit string, ctas int, err error) {
	s := &c.SM
	r, err := c.Occupancy.Of(occupancy.SM{Registers: s.Registers, SharedBytes: s.SharedBytes, Threads: s.Threads,
		Warps: s.Warps,
		CTAs:  s.CTAs, CTAShared: s.CTAShared, MaxRegisters: s.MaxRegs},
		occupancy.CTA{Threads: block[0] * block[1] * block[2], Registers: registers, SharedBytes: shared})
	return r.Limit, r.CTAs, err
}
