package sm

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/memsys/constant"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// joinFrontEnd joins residency, fetch, schedulers and the barrier unit.
func (m *SM) joinFrontEnd() {
	wire.Connect(&m.Residency.ToFetch, &m.fetch.Start, 1)
	wire.Connect(&m.Residency.ToBar, &m.barrier.Start, 1)
	if m.l1i != nil {
		wire.Connect(&m.fetch.ToL1, &m.l1i.In, m.spec.Fetch.L0.Latency)
		wire.Connect(&m.l1i.Out, &m.fetch.FromL1, m.spec.Fetch.L0.Latency)
	}
	for i, s := range m.schedulers {
		wire.Connect(&m.Residency.ToScheds[i], &s.Start, 1)
		wire.Connect(&m.fetch.Out[i], &s.Fetched, m.spec.Fetch.Latency)
		wire.Connect(&s.Notes, &m.fetch.Notes[i], 1)
		wire.Connect(&s.Arrivals, &m.barrier.Arrivals[i], 1)
		wire.Connect(&m.barrier.Release[i], &s.Released, 1+m.spec.Barrier.Latency)
		wire.Connect(&s.Ended, &m.Residency.Ended[i], 1)
	}
}

// joinBackEnd joins the register file to schedulers, units and writeback.
func (m *SM) joinBackEnd(places []unitPlace) {
	ports := m.Regfile.DataPorts()
	for i, s := range m.schedulers {
		wire.Connect(&s.Issue, ports.Issue[i], 1)
		wire.Connect(ports.Done[i], &s.Done[0], 1)
		wire.Connect(ports.Read[i], &s.Read, 1)
		if len(ports.Early) > 0 {
			wire.Connect(ports.Early[i], &s.Done[1], 1)
		}
		if len(ports.Taken) > 0 {
			wire.Connect(ports.Taken[i], &s.Taken, 1)
		}
		wire.Connect(&m.LSU.Stores[i], &s.Stores, 1)
	}
	next := make([]int, len(m.writebacks)) // free input of each writeback stage
	into := func(c int, out *wire.OutPort[op.Result]) {
		wire.Connect(out, &m.writebacks[c].In[next[c]], 1)
		next[c]++
	}
	branch := 0
	for i, p := range places {
		outs, in := m.unitPorts(i, &p)
		if p.branch {
			u := m.units[i]
			u.ResolveBranches()
			wire.Connect(&u.Branches, &m.fetch.Resolved[branch], 1)
			branch++
		}
		wire.Connect(ports.Ready[i], in, 1)
		for c, out := range outs {
			to := c
			if p.Sched != regfile.Shared {
				to = ports.SubCore(p.Sched)
			}
			into(to, out)
		}
	}
	for c, w := range m.writebacks {
		for k := range w.Out {
			wire.Connect(&w.Out[k], ports.Result[c*m.spec.Writeback+k], 1)
		}
	}
}

// unitPorts returns the result outputs of the i-th execution unit, and its input. With memory queues it returns
// the ports of a queue in place of the load/store unit's.
func (m *SM) unitPorts(i int, p *unitPlace) (outs []*wire.OutPort[op.Result], in *wire.InPort[op.Op]) {
	var list []wire.OutPort[op.Result]
	switch u := m.units[i]; {
	case u != nil:
		list, in = u.Out, &u.In
	case m.queues != nil:
		return m.joinQueue(p.Sched)
	default:
		list, in = m.LSU.Out, &m.LSU.In
	}
	for c := range list {
		outs = append(outs, &list[c])
	}
	return outs, in
}

// joinQueue joins a sub-core's memory queue to the load/store unit and the scheduler, and returns
// the queue's remaining ports.
func (m *SM) joinQueue(sched int) (outs []*wire.OutPort[op.Result], in *wire.InPort[op.Op]) {
	q, s := m.queues[sched], m.schedulers[sched]
	wire.Connect(&q.Out, &m.grants.In[sched], 1)
	wire.Connect(&m.grants.Left[sched], &s.Queue.Left, 1)
	wire.Connect(&q.Read, &s.Queue.Read, 1)
	wire.Connect(&q.Done, &s.Queue.Done, 1)
	wire.Connect(&m.LSU.Out[sched], &q.Back, 1)
	if sched == 0 {
		wire.Connect(&m.grants.Out, &m.LSU.In, 1)
	}
	return []*wire.OutPort[op.Result]{&q.Result}, &q.In
}

// ConnectMemory joins the load/store unit to the SM's memory side.
func (m *SM) ConnectMemory(in *wire.InPort[req.Access], out *wire.OutPort[req.Reply]) {
	wire.Connect(&m.LSU.ToMem, in, 1)
	wire.Connect(out, &m.LSU.Reply, 1)
}

// ConnectConstants joins the sub-cores' caches of constants, if there are any, to the SM's memory side.
func (m *SM) ConnectConstants(in []*wire.InPort[constant.Line], out []*wire.OutPort[constant.Line]) {
	there := m.spec.Constants.Latency / 2
	for i, s := range m.schedulers {
		if c := s.Constants; c != nil {
			wire.Connect(&c.Missing, in[i], there)
			wire.Connect(out[i], &c.Arrived, m.spec.Constants.Latency-there)
		}
	}
}

// ConnectInstructions joins an imperfect instruction cache to the
// SM's memory side.
func (m *SM) ConnectInstructions(in *wire.InPort[req.Packet], out *wire.OutPort[req.Packet]) {
	switch {
	case m.l1i != nil:
		wire.Connect(&m.l1i.ToMem, in, 1)
		wire.Connect(out, &m.l1i.FromMem, 1)
	case m.fetch.Asks():
		wire.Connect(&m.fetch.ToMem, in, 1)
		wire.Connect(out, &m.fetch.FromMem, 1)
	}
}
