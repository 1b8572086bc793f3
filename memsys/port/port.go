package port

import (
	"fmt"
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Clients of a port.
const (
	L1          = iota
	Texture     // texture cache
	Design      // the register-file design's own traffic: contexts, spills, live vectors
	Instruction // the instruction cache
	Constant    // the second cache of constants
	NumClients
)

// Port joins the memory blocks of an SM to the interconnect.
type Port struct {
	wire.Comp
	In      [NumClients]wire.InPort[req.Packet]
	Out     [NumClients]wire.OutPort[req.Packet]
	ToNet   wire.OutPort[req.Packet]
	FromNet wire.InPort[req.Packet]

	waiting [NumClients]waiting `part:"Client"`
	combine combiner            // of the L1
	sm      uint16
	flit    int
	sectors bool
	turn    int        // client to serve first
	atomic  int        // cycles for which the values of an atomic take the reply link
	free    wire.Cycle // from when the request link is free
	taken   wire.Cycle // from when the reply link is

	requests, replies uint64
	flits             uint64
}

// Spec has the SM of a port, the bytes of a flit, and the capacities of its
// queues, in packets.
type Spec struct {
	SM      int
	Flit    int
	Sectors bool            // requests with data pass sector by sector
	Atomic  int             // cycles for which the values of an atomic take the link of replies; 0: as other replies
	Combine int             // packets of the L1 among which stores of a line become one; 0: stores stand alone
	Miss    [NumClients]int // requests of each client
	Net     int             // replies, including the ones on the link
}

// New builds the port of an SM.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) *Port {
	p := &Port{sm: uint16(s.SM), flit: s.Flit, sectors: s.Sectors, atomic: s.Atomic}
	p.combine.init(s.Combine)
	p.Init(name, d, p)
	for i := range NumClients {
		p.In[i].Init(&p.Comp, fmt.Sprintf("In[%d]", i), s.Miss[i])
		p.Out[i].Init(&p.Comp, fmt.Sprintf("Out[%d]", i)).SetOptional() // a machine may lack the client
	}
	p.ToNet.Init(&p.Comp, "ToNet")
	p.FromNet.Init(&p.Comp, "FromNet", s.Net)
	r.Count("mem.port.requests", stats.Messages, "requests that SMs sent into the interconnect", name, &p.requests)
	r.Count("mem.port.request_flits", stats.Messages,
		"flits of the requests that SMs sent into the interconnect", name, &p.flits)
	r.Count("mem.port.replies", stats.Messages, "replies that came back", name, &p.replies)
	if p.combine.on() {
		r.Count("mem.port.joined_stores", stats.Accesses,
			"stores of a line that left in one request with an earlier one", name, &p.combine.count)
	}
	return p
}

// Tick hands a reply over and sends a request.
func (p *Port) Tick(now wire.Cycle) bool {
	more := p.deliver(now)
	return p.send(now) || more
}

// deliver passes a reply to its client: first a stored one, otherwise the oldest in FromNet with room at its
// client. The replies before it go into their clients' stores. So do all replies if FromNet is full, since a
// deliverable reply may wait behind the interconnect.
func (p *Port) deliver(now wire.Cycle) bool {
	if now < p.taken {
		p.WakeAt(p.taken)
		return false
	}
	if p.combine.rest != none && p.Out[L1].CanPut() {
		p.hand(p.combine.next(), now)
		return true
	}
	if p.deliverWaiting(now) {
		return true
	}
	for i := 0; ; i++ {
		r := wire.Behind(&p.FromNet, i)
		if r == nil {
			break
		}
		if p.waiting[r.Client].n() > 0 || !p.Out[r.Client].CanPut() {
			continue
		}
		p.hand(r, now)
		p.makeWait(i)
		p.FromNet.Pop()
		return p.FromNet.Head() != nil || p.combine.rest != none
	}
	if p.FromNet.Len() == p.FromNet.Capacity() {
		p.makeWait(p.FromNet.Len())
	}
	return false
}

// hand gives a reply to its client. The caller has checked for room.
func (p *Port) hand(r *req.Packet, now wire.Cycle) {
	if r.Kind == req.Atomic {
		p.taken = now + wire.Cycle(p.atomic)
	}
	if p.combine.begin(r) {
		r = p.combine.next()
	}
	p.Out[r.Client].Put(*r)
	p.replies++
}

// deliverWaiting passes on a stored reply with room at its client, and reports whether there
// was one.
func (p *Port) deliverWaiting(now wire.Cycle) bool {
	for c := range p.waiting {
		if a := &p.waiting[c]; a.n() > 0 && p.Out[c].CanPut() {
			p.hand(a.take(), now)
			return true
		}
	}
	return false
}

// makeWait moves n replies from FromNet into their clients' stores.
func (p *Port) makeWait(n int) {
	for range n {
		r := p.FromNet.Head()
		p.waiting[r.Client].add(r)
		p.FromNet.Pop()
	}
}

func (p *Port) send(now wire.Cycle) bool {
	if p.combine.on() {
		p.combine.fill(&p.In[L1])
	}
	c := p.next()
	if c < 0 {
		return false
	}
	if now < p.free {
		p.WakeAt(p.free)
		return false
	}
	if !p.ToNet.CanPut() {
		return false
	}
	q := *p.head(c)
	if c == L1 && p.combine.on() {
		p.combine.pop()
		p.combine.fill(&p.In[L1])
	} else {
		p.In[c].Pop()
	}
	q.SM, q.Client = p.sm, uint8(c)
	n := p.passes(&q)
	p.ToNet.Put(q)
	p.turn = (c + 1) % NumClients
	p.free = now + wire.Cycle(n)
	p.requests++
	p.flits += uint64(n)
	return p.next() >= 0
}

// next returns the next client with a request, in turn, or -1.
func (p *Port) next() int {
	for i := range NumClients {
		c := p.turn + i
		if c >= NumClients {
			c -= NumClients
		}
		if p.head(c) != nil {
			return c
		}
	}
	return -1
}

// head returns the oldest request of a client, or nil.
func (p *Port) head(c int) *req.Packet {
	if c == L1 && p.combine.on() {
		return p.combine.head()
	}
	return p.In[c].Head()
}

// Flits returns the number of flits of a packet.
func Flits(p *req.Packet, flit int) int { return (p.Size() + flit - 1) / flit }

// passes returns the cycles for which a request takes the link to the interconnect.
//
// Sector by sector, a request with data takes a cycle for each of its sectors. It takes one more for the mask of a
// sector that is written in part, or for the operation of an atomic. An atomic of a single word takes one cycle in
// all. Loops of stores and atomics on an H100 have these times (lab/docs/silicon.md).
func (p *Port) passes(q *req.Packet) int {
	if !p.sectors || q.Bytes == 0 {
		return Flits(q, p.flit)
	}
	n := bits.OnesCount8(q.Sectors)
	switch {
	case q.Kind == req.Write && q.Full == q.Sectors, q.Kind != req.Write && q.Bytes <= req.LaneBytes:
		return n
	}
	return n + 1
}

// Waiting describes the blocked side.
func (p *Port) Waiting() string {
	for c := range p.waiting {
		if n := p.waiting[c].n(); n > 0 {
			return fmt.Sprintf("%d replies that were put aside wait for %s", n, p.Out[c].Name())
		}
	}
	switch {
	case p.FromNet.Head() != nil:
		return "a reply waits for " + p.Out[p.FromNet.Head().Client].Name()
	case p.next() >= 0:
		return "a request waits for the interconnect"
	}
	return ""
}

// waiting is the store of a client: its replies overtaken by replies to other clients, in
// order. It holds at most as many as the client has requested.
type waiting struct {
	replies []req.Packet `bits:"type" room:"256"`
	first   int
}

func (a *waiting) n() int { return len(a.replies) - a.first }

func (a *waiting) add(r *req.Packet) {
	if a.first > 0 && len(a.replies) == cap(a.replies) {
		a.replies = a.replies[:copy(a.replies, a.replies[a.first:])]
		a.first = 0
	}
	a.replies = append(a.replies, *r)
}

// take removes and returns the oldest reply.
func (a *waiting) take() *req.Packet {
	r := &a.replies[a.first]
	if a.first++; a.first == len(a.replies) {
		a.replies, a.first = a.replies[:0], 0
	}
	return r
}
