package contracttest

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// unit executes operations: it accepts them at irregular intervals and finishes them after random latencies, so out
// of order.
type unit struct {
	wire.Comp
	in      wire.InPort[op.Op]
	out     []wire.OutPort[op.Result] // to the writeback stage of each sub-core
	arrived []wire.OutPort[op.Read]   // to each scheduler, in place of notices
	subOf   func(sched int) int

	index     int
	notice    bool
	latency   int
	interval  int
	quick     map[*ir.Inst]bool // one-cycle instructions
	free      wire.Cycle
	executing []timed
	log       *log
}

type timed struct {
	at wire.Cycle
	r  op.Result
}

// scatter maps a tag to a pseudorandom number below bound, the same in every run.
func scatter(tag uint32, bound int) wire.Cycle {
	h := tag * 2654435761
	return wire.Cycle(int(h>>16) % bound)
}

// Tick sends a due result and accepts an operation.
func (u *unit) Tick(now wire.Cycle) bool {
	u.send(now)
	for o := u.in.Head(); o != nil && now >= u.free; o = u.in.Head() {
		u.free = now + 1 + scatter(o.Tag, u.interval)
		u.log.arrived(now, u.index, o)
		if o.Inst.T.NSrc > 0 && !u.notice {
			u.arrived[o.Sched].Put(op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp})
		}
		if hasResult(o) {
			u.executing = append(u.executing, timed{now + 1 + u.extra(o), o.Result()})
		}
		u.in.Pop()
	}
	return len(u.executing) > 0 || u.in.Head() != nil
}

// extra returns the number of cycles of an operation beyond the first.
func (u *unit) extra(o *op.Op) wire.Cycle {
	if u.quick[o.Inst] {
		return 0
	}
	return scatter(o.Tag+7, u.latency)
}

func (u *unit) send(now wire.Cycle) {
	for i := range u.executing {
		x := &u.executing[i]
		out := &u.out[u.subOf(int(x.r.Sched))]
		if x.at <= now && out.CanPut() {
			out.Put(x.r)
			u.executing = append(u.executing[:i], u.executing[i+1:]...)
			return
		}
	}
}

// retire is the writeback stage of a sub-core: it passes results of any unit to the register file's ports.
type retire struct {
	wire.Comp
	in   []wire.InPort[op.Result]
	out  []wire.OutPort[op.Result]
	turn int
}

// Tick passes results on.
func (w *retire) Tick(wire.Cycle) bool {
	again := false
	port := 0
	for n := 0; n < len(w.in); n++ {
		i := (w.turn + n) % len(w.in)
		r := w.in[i].Head()
		if r == nil {
			continue
		}
		for port < len(w.out) && !w.out[port].CanPut() {
			port++
		}
		if port == len(w.out) {
			again = true
			break
		}
		w.out[port].Put(*r)
		w.in[i].Pop()
		port++
		again = true
	}
	if again {
		w.turn = (w.turn + 1) % len(w.in)
	}
	return again
}
