package maxwell

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// unit is what a sub-core knows of an execution unit where control words say when instructions
// issue. They count on fixed latencies: an instruction must not wait in front of a unit behind
// those of other warps.
type unit struct {
	times *op.Times  // nil: whoever needs its results is told
	free  wire.Cycle // when the next operation may be handed over
}

// newUnits are the units whose results have a fixed latency: those that execute what may use the
// reuse cache, for one sub-core alone.
func newUnits(list []regfile.Unit) []unit {
	out := make([]unit, len(list))
	for i := range list {
		if u := &list[i]; u.Sched != regfile.Shared && u.Times != nil && fixed(u.Times) {
			out[i].times = u.Times
		}
	}
	return out
}

// fixed reports whether a unit executes a class that may use the reuse cache.
func fixed(times *op.Times) bool {
	for c, yes := range reusing {
		if yes && times[c].Latency > 0 {
			return true
		}
	}
	return false
}

// take notes that an operation is handed over.
func (u *unit) take(o *op.Op, now wire.Cycle) {
	if u.times != nil {
		u.free = now + wire.Cycle(u.times[o.Inst.T.Class].Initiation)
	}
}
