package maxwell

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// unit is an execution unit of fixed latency under control words. Control words count on fixed latencies: an
// instruction must not wait before a unit behind those of other warps, nor its result behind theirs.
type unit struct {
	times *op.Times  // nil: not of fixed latency, or not under control words
	free  wire.Cycle // when the next operation may be handed over
}

// handOver is the number of cycles from the decision that an instruction leaves the last stage to its begin in its
// unit.
const handOver = 2

// newUnits returns the units as seen by a sub-core.
func newUnits(env *regfile.Env) []unit {
	out := make([]unit, len(env.Units))
	for i := range env.Units {
		if u := &env.Units[i]; u.Fixed && env.Controlled {
			out[i].times = u.Times
		}
	}
	return out
}

// later reports whether an operation would have to wait for the unit if it were dispatched in cycle at.
func (u *unit) later(at wire.Cycle) bool { return u.times != nil && at < u.free }

// take records the dispatch of an operation.
func (u *unit) take(o *op.Op, now wire.Cycle) {
	if u.times != nil {
		u.free = now + wire.Cycle(u.times.Of(o.Inst).Initiation)
	}
}

// promise enters the instructions in the last stage into the timetable, if they can leave in the next cycle and
// their results find their ways free. It reports whether they can.
func (x *SubCore) promise(now wire.Cycle) bool {
	s := &x.stages
	x.Table.Begin()
	for k := int(s.of[s.n-1]); k != none; k = s.pairedWith(k) {
		o := &s.all[k].o
		u := &x.units[o.Unit]
		if u.times == nil {
			continue
		}
		arrive := now + handOver + wire.Cycle(int(u.times.Class[o.Inst.T.Class].Latency)-x.spec.Forward)
		if !x.Table.Take(o, arrive) {
			x.Table.Undo()
			return false
		}
	}
	return true
}
