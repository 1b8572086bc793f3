package dram

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Channel is a DRAM channel.
type Channel struct {
	wire.Comp
	In  []wire.InPort[req.MemRequest]
	Out []wire.OutPort[req.MemReply]

	spec  Spec
	clock clock
	queue queue
	banks banks
	// drain: writes go before reads.
	drain bool
	// next is the first command cycle in which another command may issue.
	next uint64
	// due is the command cycle in which the next refresh is due.
	due uint64
	// done are the reads whose data is on its way, in the order of their data.
	done  []reply // ring
	first int
	n     int
	turn  int // slice that is asked first

	c counters
}

// reply is a finished read; it leaves in core cycle due.
type reply struct {
	due  wire.Cycle
	msg  req.MemReply
	port uint8
}

// New builds a channel that serves the given number of slices, each with a
// miss queue of missQueue requests, in a domain that runs at coreMHz.
func New(name string, d *wire.Domain, s Spec, slices, missQueue, coreMHz int, r *stats.Registry) (*Channel, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Channel{
		In: make([]wire.InPort[req.MemRequest], slices), Out: make([]wire.OutPort[req.MemReply], slices),
		spec: s, clock: newClock(coreMHz, s.Clock), done: make([]reply, s.Return),
		due: s.firstRefresh(),
	}
	c.queue.init(&s)
	c.banks.init(&s)
	c.Init(name, d, c)
	for i := range slices {
		// What is on the link has its place besides the queue.
		c.In[i].Init(&c.Comp, fmt.Sprintf("In[%d]", i), s.Latency+missQueue)
		c.Out[i].Init(&c.Comp, fmt.Sprintf("Out[%d]", i))
	}
	c.register(r)
	return c, nil
}

// Tick sends replies, takes requests, and issues the commands of the command
// cycles that fall into this core cycle.
func (c *Channel) Tick(now wire.Cycle) bool {
	c.reply(now)
	c.accept(now)
	if c.queue.n == 0 {
		return false
	}
	t, last := max(c.next, c.clock.first(now)), c.clock.last(now)
	for t <= last && c.queue.n > 0 {
		t = c.step(t)
	}
	if c.queue.n > 0 && t != never {
		c.WakeAt(c.clock.core(t))
	}
	return c.waiting() // a request found the queue full and there is room now
}

// waiting tells whether a request could enter the queue in the next cycle.
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

// reply sends the reads that are due.
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
		if c.first++; c.first == len(c.done) {
			c.first = 0
		}
		c.n--
	}
}

// finish notes that the last data of a read is on the bus until command cycle
// end.
func (c *Channel) finish(e *entry, end uint64) {
	i := c.first + c.n
	if i >= len(c.done) {
		i -= len(c.done)
	}
	c.done[i] = reply{due: c.clock.core(end), msg: req.MemReply{Tag: e.tag, Sectors: e.sectors}, port: e.port}
	if c.n++; c.n == 1 {
		c.WakeAt(c.done[i].due)
	}
}

// accept takes at most one request of each slice into the queue, in turns where
// there is no place for all.
func (c *Channel) accept(now wire.Cycle) {
	i := c.turn
	for range c.In {
		if r := c.In[i].Head(); r != nil && !c.queue.full() {
			c.add(c.clock.first(now), r, uint8(i))
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

// Waiting says how many requests wait.
func (c *Channel) Waiting() string {
	if c.queue.n == 0 && c.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests queued, %d replies to leave", c.queue.n, c.n)
}
