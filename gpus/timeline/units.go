package timeline

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/sm/execute"
	"kumiko/sm/lsu"
)

// unitLanes draws operations from their entry into a unit to their result.
type unitLanes struct {
	r    *recorder
	l    lanes
	open map[uint32]inUnit
}

type inUnit struct {
	o     *operation
	k     track
	lane  int
	since uint64
}

func (r *recorder) newUnit(name string) *unitLanes {
	u := &unitLanes{r: r, l: lanes{w: r.w, group: "Execution units", name: name}, open: map[uint32]inUnit{}}
	r.atEnd = append(r.atEnd, func() {
		for _, id := range sortedKeys(u.open) {
			u.leave(id, u.r.to)
		}
	})
	return u
}

func (u *unitLanes) enter(id uint32, o *operation, now uint64) {
	k, lane := u.l.freeTrack(now, open)
	u.open[id] = inUnit{o, k, lane, now}
	u.r.konata.enter(o.tag, stageExecute, now)
}

func (u *unitLanes) leave(id uint32, now uint64) {
	x, ok := u.open[id]
	if !ok {
		return
	}
	delete(u.open, id)
	end := max(min(now, u.r.to), x.since+1)
	u.l.free[x.lane] = end
	u.r.konata.enter(x.o.tag, stageExecute, end-1)
	u.r.w.slice(x.k, "unit", x.o.inst.Op.String(), x.since, end).about(x.o).num("cycles", end-x.since).end()
	u.r.w.flow("t", "operation", uint64(x.o.tag), x.k, x.since)
}

// watchUnit draws an execution unit. Operations with a result occupy the unit until they send the result, others
// for one cycle.
func (r *recorder) watchUnit(x *execute.Unit) {
	u := r.newUnit(r.short(x.Name()))
	wire.OnPop(&x.In, func(now uint64, m *op.Op) {
		o := r.ops.find(m.Tag)
		if o == nil || !r.draws(now) {
			return
		}
		u.enter(m.Tag, o, now)
		if !m.Inst.T.Result() {
			u.leave(m.Tag, now+1)
		}
	})
	for i := range x.Out {
		wire.OnPut(&x.Out[i], func(now, _ uint64, m *op.Result) { u.leave(m.Tag, now+1) })
	}
}

// watchLSU draws the load/store unit: memory operations from their entry to the reply of the memory side.
func (r *recorder) watchLSU(x *lsu.Unit) {
	u := r.newUnit(r.short(x.Name()))
	last := uint32(0) // the memory side's number of the entering operation
	wire.OnPut(&x.ToMem, func(_, _ uint64, a *req.Access) { last = a.Tag })
	wire.OnPop(&x.In, func(now uint64, m *op.Op) {
		if o := r.ops.find(m.Tag); o != nil && r.draws(now) {
			u.enter(last, o, now)
			r.memory().ops[last] = o
		}
	})
	wire.OnPop(&x.Reply, func(now uint64, m *req.Reply) {
		u.leave(m.Tag, now+1)
		delete(r.memory().ops, m.Tag)
	})
}
