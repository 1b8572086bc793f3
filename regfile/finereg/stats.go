package finereg

import "kumiko/components/stats"

type counters struct {
	out, in, late, dropped    uint64
	asks, refusals, liveAsked uint64
	unnoted                   uint64
	occupied                  uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	reg.Count("regfile.finereg.registers_out", stats.Registers, "live warp registers moved from the ACRF to the PCRF",
		block, &c.out)
	reg.Count("regfile.finereg.registers_in", stats.Registers, "warp registers moved from the PCRF to the ACRF", block,
		&c.in)
	reg.Count("regfile.finereg.late_results", stats.Registers,
		"results written to the PCRF because their registers were there", block, &c.late)
	reg.Count("regfile.finereg.dropped_results", stats.Registers,
		"results for registers that were not live when their CTA was moved", block, &c.dropped)
	reg.Count("regfile.finereg.asked", stats.Events, "CTAs that stalled and could be moved if the PCRF had room",
		block, &c.asks)
	reg.Count("regfile.finereg.refused", stats.Events,
		"CTAs that stalled and could not be moved because the PCRF had no room", block, &c.refusals)
	reg.Count("regfile.finereg.unnoted", stats.Events,
		"CTAs that got their slots back because the table of awaited results had no room; refused counts them "+
			"too", block, &c.unnoted)
	reg.Count("regfile.finereg.live_asked", stats.Registers,
		"live warp registers of CTAs that stalled and could be moved if the PCRF had room", block, &c.liveAsked)
	reg.Count("regfile.finereg.pcrf_occupied", stats.Cycles,
		"occupied entries of the PCRF, summed over cycles up to the last change", block, &c.occupied)
}

// asked counts an answer.
func (c *counters) asked(live int, refused bool) {
	c.asks++
	c.liveAsked += uint64(live)
	if refused {
		c.refusals++
	}
}
