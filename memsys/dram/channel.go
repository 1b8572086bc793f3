package dram

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Channel is a DRAM channel. Its clock is the command clock.
type Channel struct {
	wire.Comp
	In  []wire.InPort[req.MemRequest]
	Out []wire.OutPort[req.MemReply]

	spec  Spec
	fcfs  bool // as Spec.Policy says
	queue queue
	banks banks
	// drain: writes go before reads.
	drain bool
	// next is the first cycle in which another command may issue, unless
	// something arrives or leaves before.
	next uint64
	// due is the cycle of the next refresh.
	due uint64
	// done are the reads with data in flight, in the order of their data.
	done  []reply `bits:"type"` // ring
	first int
	n     int
	turn  int // slice to serve first

	counts counters       `soft:"statistics"`
	row    func(RowEvent) // nil: nobody follows the rows
}

// RowEvent is the opening of a row for a request, or a conflict: the request has to close another one.
type RowEvent struct {
	Bank     int
	Open     bool
	Read     bool
	Cause    req.Cause
	SM, Warp uint16 // of the request
}

// OnRow makes the channel call f with each event, on the goroutine that simulates the channel; nil: no longer. No cycle
// depends on it.
func (c *Channel) OnRow(f func(RowEvent)) { c.row = f }

// event returns the event of a request.
func (e *entry) event(open bool) RowEvent {
	return RowEvent{Bank: int(e.bank), Open: open, Read: !e.write, Cause: e.cause, SM: e.sm, Warp: e.warp}
}

// reply is a finished read; it leaves in the cycle after the last one of its
// data.
type reply struct {
	due  wire.Cycle
	msg  req.MemReply
	port uint8
}

// Clients describes the L2 slices of a channel: their number, and the requests held by the miss
// queue of each.
type Clients struct{ Slices, MissQueue int }

// New builds a channel in the domain of the command clock.
func New(name string, d *wire.Domain, s Spec, n Clients, r *stats.Registry) (*Channel, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Channel{
		In: make([]wire.InPort[req.MemRequest], n.Slices), Out: make([]wire.OutPort[req.MemReply], n.Slices),
		spec: s, fcfs: s.Policy == "fcfs", done: make([]reply, s.Return), due: s.firstRefresh(),
	}
	c.queue.init(&s)
	c.banks.init(&s)
	c.Init(name, d, c)
	for i := range n.Slices {
		// The capacity covers the queue, the requests on the link, and the credits
		// on their way back to the slice's clock.
		c.In[i].Init(&c.Comp, fmt.Sprintf("In[%d]", i), 2*s.Latency+n.MissQueue)
		c.Out[i].Init(&c.Comp, fmt.Sprintf("Out[%d]", i))
	}
	c.register(r)
	return c, nil
}

// Tick sends replies, accepts requests, and issues at most one command.
func (c *Channel) Tick(now wire.Cycle) bool {
	c.reply(now)
	c.accept(now)
	if c.queue.n > 0 && now >= c.next {
		if c.next = c.step(now); c.queue.n > 0 && c.next != never {
			c.WakeAt(c.next)
		}
	}
	return c.waiting() // behind another one, or until now before a full queue
}

// waiting reports whether a request could enter the queue in the next cycle.
func (c *Channel) waiting() bool {
	if c.queue.full() {
		return false
	}
	for i := range c.In {
		if c.In[i].Head() != nil {
			return true
		}
	}
	return false
}

// reply sends the due reads.
func (c *Channel) reply(now wire.Cycle) {
	for c.n > 0 {
		r := &c.done[c.first]
		if r.due > now {
			c.WakeAt(r.due)
			return
		}
		if !c.Out[r.port].CanPut() {
			return
		}
		c.Out[r.port].Put(r.msg)
		if c.n == len(c.done) {
			c.next = now // there is a place for the data of another read
		}
		if c.first++; c.first == len(c.done) {
			c.first = 0
		}
		c.n--
	}
}

// finish queues the reply to a read. The data of the read have left the bus at cycle end.
func (c *Channel) finish(e *entry, end uint64) {
	i := c.first + c.n
	if i >= len(c.done) {
		i -= len(c.done)
	}
	c.done[i] = reply{due: end, msg: req.MemReply{Tag: e.tag, Sectors: e.sectors}, port: e.port}
	if c.n++; c.n == 1 {
		c.WakeAt(c.done[i].due)
	}
}

// accept moves at most one request of each slice into the queue. If there is no room for all, the
// slices take turns.
func (c *Channel) accept(now wire.Cycle) {
	i := c.turn
	for range c.In {
		if r := c.In[i].Head(); r != nil && !c.queue.full() {
			c.add(now, r, uint8(i))
			c.next = now
			c.In[i].Pop()
			c.turn = i + 1
			if c.turn == len(c.In) {
				c.turn = 0
			}
		}
		if i++; i == len(c.In) {
			i = 0
		}
	}
}

// Waiting reports how many requests wait.
func (c *Channel) Waiting() string {
	if c.queue.n == 0 && c.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests queued, %d replies to leave", c.queue.n, c.n)
}
