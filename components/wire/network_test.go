package wire_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// This file describes networks of routers for both the kernel and the naive model of naive_test.go. They must
// behave the same in both.

// token is the message of test networks.
type token struct {
	id   uint64
	hops int
}

// linkSpec joins node from to node to.
type linkSpec struct{ from, to, latency, capacity int }

// nodeSpec is a router: it accepts up to budget tokens in a cycle from its inputs, in turn, and sends each to an
// output chosen by the token. A token ends at a node without outputs, or after enough hops.
type nodeSpec struct {
	domain int
	budget int
	moody  bool     // takes nothing in some cycles
	inject []uint64 // cycles in which the node makes a token of its own, rising
}

type netSpec struct {
	hz    []uint64 // of the clock domains
	nodes []nodeSpec
	links []linkSpec
	// leader is the domain whose partition is followed by that of a domain.
	leader map[int]int
}

// near reports whether a link between two domains behaves as one within a domain.
func (s *netSpec) near(a, b int) bool {
	if s.hz[a] != s.hz[b] {
		return false
	}
	of := func(x, leader int) bool {
		l, follows := s.leader[x]
		return follows && l == leader
	}
	return of(a, b) || of(b, a)
}

// ends are the ports of one node: links are numbered by the network.
func (s *netSpec) ends(node int) (ins, outs []int) {
	for i, l := range s.links {
		if l.to == node {
			ins = append(ins, i)
		}
		if l.from == node {
			outs = append(outs, i)
		}
	}
	return ins, outs
}

const maxHops = 12

func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	return x
}

// take is an entry of a node's log: the token taken from a link, or made
// (link -1), and when.
type take struct {
	cycle uint64
	link  int
	id    uint64
}

// fabric is the surroundings of a router.
type fabric interface {
	head(link int) *token
	pop(link int)
	canPut(link int) bool
	put(link int, t token)
}

// router is the behaviour of a node on any fabric.
type router struct {
	spec      nodeSpec
	index     int
	ins, outs []int
	turn      int
	injected  int
	log       []take
}

// tick does one cycle. It returns true if there is work in the next cycle for which no port will wake the router.
func (r *router) tick(now uint64, f fabric) (again bool) {
	again = r.makeTokens(now, f)
	if r.spec.moody && mix(now/3*31+uint64(r.index))%3 == 0 {
		for _, in := range r.ins {
			again = again || f.head(in) != nil
		}
		return again
	}
	budget := r.spec.budget
	for i := range r.ins {
		in := r.ins[(r.turn+i)%len(r.ins)]
		for {
			t := f.head(in)
			if t == nil {
				break
			}
			if budget == 0 {
				again = true
				break
			}
			if !r.pass(now, in, *t, f) {
				break
			}
			budget--
		}
	}
	if budget < r.spec.budget {
		r.turn++
	}
	return again
}

// pass takes one token from a link and sends it on; false when there is no room.
func (r *router) pass(now uint64, in int, t token, f fabric) bool {
	if len(r.outs) > 0 && t.hops < maxHops {
		out := r.outs[mix(t.id+uint64(r.index))%uint64(len(r.outs))]
		if !f.canPut(out) {
			return false
		}
		f.put(out, token{mix(t.id + 1), t.hops + 1})
	}
	f.pop(in)
	r.log = append(r.log, take{now, in, t.id})
	return true
}

// makeTokens makes at most one token in a cycle.
func (r *router) makeTokens(now uint64, f fabric) (again bool) {
	if r.injected == len(r.spec.inject) || len(r.outs) == 0 || r.spec.inject[r.injected] > now {
		return false
	}
	out := r.outs[r.injected%len(r.outs)]
	if !f.canPut(out) {
		return false
	}
	id := mix(uint64(r.index)<<32 | uint64(r.injected))
	f.put(out, token{id: id})
	r.injected++
	r.log = append(r.log, take{now, -1, id})
	return r.injected < len(r.spec.inject) && r.spec.inject[r.injected] <= now+1
}

// block is a router as a component.
type block struct {
	wire.Comp
	router
	in  map[int]*wire.InPort[token]
	out map[int]*wire.OutPort[token]
}

func (b *block) head(l int) *token    { return b.in[l].Head() }
func (b *block) pop(l int)            { b.in[l].Pop() }
func (b *block) canPut(l int) bool    { return b.out[l].CanPut() }
func (b *block) put(l int, t token)   { b.out[l].Put(t) }
func (b *block) Tick(now uint64) bool { return b.tickAndPlan(now) }

func (b *block) tickAndPlan(now uint64) bool {
	again := b.tick(now, b)
	if b.injected < len(b.spec.inject) {
		if t := b.spec.inject[b.injected]; t > now {
			b.WakeAt(t)
		}
	}
	return again
}

// layout says how a network is laid out on an engine.
type layout struct {
	partition []int // of each domain
	workers   int
	window    int // cycles of domain 0; 0: automatic
	shuffle   func(n int) []int32
}

// network is a network on the kernel.
type network struct {
	engine  *wire.Engine
	domains []*wire.Domain
	blocks  []*block
}

func build(s *netSpec, lay layout) *network {
	n := &network{engine: wire.NewEngine()}
	n.engine.SetWorkers(max(lay.workers, 1))
	if lay.window > 0 {
		n.engine.SetWindow(lay.window, sim.Freq(s.hz[0]))
	}
	parts := map[int]*wire.Partition{}
	for i, hz := range s.hz {
		p := lay.partition[i]
		switch leader, follows := s.leader[i]; {
		case parts[p] != nil:
		case follows:
			parts[p] = parts[lay.partition[leader]].NewFollower(fmt.Sprintf("P[%d]", p))
		default:
			parts[p] = n.engine.NewPartition(fmt.Sprintf("P[%d]", p))
		}
		n.domains = append(n.domains, parts[p].NewDomain(fmt.Sprintf("D[%d]", i), sim.Freq(hz)))
	}
	for i, ns := range s.nodes {
		b := &block{in: map[int]*wire.InPort[token]{}, out: map[int]*wire.OutPort[token]{}}
		b.Init(fmt.Sprintf("N[%d]", i), n.domains[ns.domain], b)
		ins, outs := s.ends(i)
		b.router = router{spec: ns, index: i, ins: ins, outs: outs}
		for _, l := range ins {
			b.in[l] = &wire.InPort[token]{}
			b.in[l].Init(&b.Comp, fmt.Sprintf("In[%d]", l), s.links[l].capacity)
		}
		for _, l := range outs {
			b.out[l] = &wire.OutPort[token]{}
			b.out[l].Init(&b.Comp, fmt.Sprintf("Out[%d]", l))
		}
		n.blocks = append(n.blocks, b)
	}
	for i, l := range s.links {
		wire.Connect(n.blocks[l.from].out[i], n.blocks[l.to].in[i], l.latency)
	}
	if lay.shuffle != nil {
		for _, d := range n.domains {
			d.SetTickOrder(lay.shuffle(d.Len()))
		}
	}
	return n
}

// run runs to the given cycle of domain 0 and returns the logs.
func (n *network) run(limit uint64) [][]take {
	if _, err := n.engine.RunUntil(n.domains[0], limit); err != nil {
		panic(err)
	}
	return logs(len(n.blocks), func(i int) *router { return &n.blocks[i].router })
}

// runInSlices runs to the given cycle of domain 0, at most 13 cycles at a time.
func (n *network) runInSlices(limit uint64) [][]take {
	for at := uint64(13); at < limit; at += 13 {
		n.run(at)
	}
	return n.run(limit)
}

// hook attaches a hook to every port.
func (n *network) hook() *countingHook {
	h := &countingHook{}
	for _, b := range n.blocks {
		for _, p := range b.Ports() {
			p.AcceptHook(h)
		}
	}
	return h
}

func logs(n int, node func(i int) *router) [][]take {
	out := make([][]take, n)
	for i := range out {
		out[i] = node(i).log
	}
	return out
}
