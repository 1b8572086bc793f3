package maxwell

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// unit is what a sub-core knows of an execution unit where control words say when instructions
// issue. They count on fixed latencies: an instruction must not wait in front of a unit behind
// those of other warps, nor its result behind theirs.
type unit struct {
	times *op.Times  // nil: whoever needs its results is told
	free  wire.Cycle // when the next operation may be handed over
	// ends has a bit for each of the cycles from since on in which a result leaves the unit, which
	// lets one go in a cycle.
	ends  [mostLatency / 64]uint64
	since wire.Cycle
}

// mostLatency bounds the latencies whose results are kept apart.
const mostLatency = 256

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

// later reports whether an operation would have to wait if it were handed over in a cycle.
func (u *unit) later(o *op.Op, at wire.Cycle) bool {
	if u.times == nil {
		return false
	}
	if at < u.free {
		return true
	}
	i, on := u.end(o, at)
	return on && u.ends[i/64]>>(i%64)&1 != 0
}

// take notes that an operation is handed over.
func (u *unit) take(o *op.Op, now wire.Cycle) {
	if u.times == nil {
		return
	}
	u.free = now + wire.Cycle(u.times[o.Inst.T.Class].Initiation)
	if i, on := u.end(o, now); on {
		u.ends[i/64] |= 1 << (i % 64)
	}
}

// end is the bit of the cycle in which the result of an operation leaves the unit, in a ring, if it
// has a result.
func (u *unit) end(o *op.Op, at wire.Cycle) (i uint64, on bool) {
	for ; u.since < at; u.since++ {
		if at-u.since > mostLatency {
			u.since, u.ends = at, [mostLatency / 64]uint64{}
			break
		}
		i := u.since % mostLatency
		u.ends[i/64] &^= 1 << (i % 64)
	}
	latency := wire.Cycle(u.times[o.Inst.T.Class].Latency)
	return (at + latency) % mostLatency, latency < mostLatency && o.Inst.T.Result()
}
