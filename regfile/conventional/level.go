package conventional

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Level has the ports of a level of storage between the collectors and the banks of a sub-core, such as a cache.
// Requests and results go to the level, and on to the banks unless the level serves them. The collectors receive
// operands held by the level from the level.
//
//	Request     bank.Request: reads of the collectors
//	Result      bank.Access: results
//	Read        bank.Request: reads to be served by the banks
//	Write       bank.Access: writes of the banks
//	Operand     bank.Value: operands held by the level, to the collectors
//	Fill        bank.Value: values sent by the banks to collectors
//	Notices[s]  regfile.WarpNotice: of scheduler s of the sub-core; none without entries
type Level struct {
	Request wire.InPort[bank.Request]
	Result  wire.InPort[bank.Access]
	Read    wire.OutPort[bank.Request]
	Write   wire.OutPort[bank.Access]
	Operand wire.OutPort[bank.Value]
	Fill    wire.InPort[bank.Value]
	Notices []wire.InPort[regfile.WarpNotice]
}

// InitPorts makes the ports of a level with or without entries. fills is the most values outstanding from the
// banks.
func (l *Level) InitPorts(c *wire.Comp, p *Part, fills int, entries bool) {
	l.Request.Init(c, "Request", p.RequestRoom)
	l.Result.Init(c, "Result", p.WriteRoom)
	l.Read.Init(c, "Read")
	l.Write.Init(c, "Write")
	l.Operand.Init(c, "Operand").SetOptional() // without entries there are no operands
	l.Fill.Init(c, "Fill", fills)              // a collector never waits
	if !entries {
		return
	}
	l.Notices = make([]wire.InPort[regfile.WarpNotice], p.Schedulers)
	// All warps may begin and become active in one cycle.
	room := 2 * (p.Env.Warps + p.Env.Schedulers - 1) / p.Env.Schedulers
	for i := range l.Notices {
		l.Notices[i].Init(c, fmt.Sprintf("Notices[%d]", i), room+4)
	}
}

// levelLatency is the time of a hit from the request's arrival at the level to the operand's arrival at the
// collector: a cycle for the lookup, one for the data.
const levelLatency = 2

// Before joins the level to the collectors and the arbiter. operands is the most operands sent by the level to the
// collectors per cycle; 0: it has no entries.
func (l *Level) Before(operands int) *Extension {
	x := &Extension{Request: &l.Request, Result: &l.Result, Read: &l.Read, Write: &l.Write, Stages: 1}
	if operands > 0 {
		x.Operand, x.Operands, x.Latency = &l.Operand, operands, levelLatency
	}
	return x
}
