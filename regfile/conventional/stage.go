package conventional

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/wire"
)

// stage is a pipeline stage between collectors and write-back on the one side and the arbiter on the other.
// Requests and writes pass it in one cycle. Writes go before reads: a waiting write also delays the reads behind
// it.
type stage struct {
	wire.Comp
	Request wire.InPort[bank.Request]
	Result  wire.InPort[bank.Access]
	Read    wire.OutPort[bank.Request]
	Write   wire.OutPort[bank.Access]
}

func newStage(name string, p *Part) *stage {
	x := &stage{}
	x.Init(name, p.Env.Domain, x)
	x.init(p)
	return x
}

// init makes the ports of a stage.
func (x *stage) init(p *Part) {
	x.Request.Init(&x.Comp, "Request", p.RequestRoom)
	x.Result.Init(&x.Comp, "Result", p.WriteRoom)
	x.Read.Init(&x.Comp, "Read")
	x.Write.Init(&x.Comp, "Write")
}

// Tick passes messages on until an output is full.
func (x *stage) Tick(wire.Cycle) bool {
	for a := x.Result.Head(); a != nil; a = x.Result.Head() {
		if !x.Write.CanPut() {
			return false // woken when there is room
		}
		*x.Write.Slot() = *a
		x.Write.PutSlot()
		x.Result.Pop()
	}
	for r := x.Request.Head(); r != nil; r = x.Request.Head() {
		if !x.Read.CanPut() {
			return false // woken when there is room
		}
		*x.Read.Slot() = *r
		x.Read.PutSlot()
		x.Request.Pop()
	}
	return false
}

// Waiting reports the number of messages waiting to pass.
func (x *stage) Waiting() string {
	if n := x.Request.Len() + x.Result.Len(); n > 0 {
		return fmt.Sprintf("%d requests and writes wait to pass", n)
	}
	return ""
}
