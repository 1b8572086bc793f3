package chip

import (
	"kumiko/components/wire"
	"kumiko/memsys"
	"kumiko/regfile"
	"kumiko/sm"
)

// sideConfig returns the parameters of SM i for the SM's side of the memory system. For a design with memory
// traffic of its own, the receiver of replies may wait for that traffic.
func sideConfig(spec *sm.Spec, i int, name string, d regfile.Design) memsys.SMConfig {
	c := memsys.SMConfig{Name: name, SM: i, Warps: spec.WarpContexts(), NoteMisses: spec.Scheduler.WantsMisses()}
	if spec.Constants.Lines > 0 {
		c.Constants = spec.Schedulers
	}
	if x, ok := regfile.As[regfile.DataCache](d); ok {
		c.DesignL1, c.MissQueue, c.SinkReplies = true, x.Cache().MissQueue, true
	}
	if _, ok := regfile.As[regfile.MemoryUser](d); ok {
		c.SinkReplies = true
	}
	return c
}

// joinDesign connects a register file to the memory side of its SM.
func joinDesign(side *memsys.SMSide, d regfile.Design) {
	if x, ok := regfile.As[regfile.DataCache](d); ok {
		side.JoinL1(x.Cache())
	}
	if x, ok := regfile.As[regfile.MemoryUser](d); ok {
		requests, replies := x.Memory()
		wire.Connect(requests, side.DesignIn, 1)
		wire.Connect(side.DesignOut, replies, 1)
	}
}
