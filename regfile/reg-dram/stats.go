package regdram

import "kumiko/components/stats"

type counters struct{ out, in, late, lateBytes uint64 }

func (c *counters) register(block string, reg *stats.Registry) {
	reg.Count("regfile.reg-dram.registers_out", stats.Registers, "warp registers moved to memory", block, &c.out)
	reg.Count("regfile.reg-dram.registers_in", stats.Registers, "warp registers moved back from memory", block, &c.in)
	reg.Count("regfile.reg-dram.late_results", stats.Registers,
		"results written to memory because their registers were there", block, &c.late)
	reg.Count("regfile.reg-dram.late_bytes", stats.Bytes, "bytes of results written to memory because their "+
		"registers were there", block, &c.lateBytes)
}
