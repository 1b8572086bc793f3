package crossbar

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// RouterSpec configures a router of an operand network.
type RouterSpec struct {
	Banks    int // inputs from banks
	Channels int // channels from other routers, and as many to them
	// Route says by a value's To where it goes: to channel number Route[To], or,
	// if that is Here, to the requester, who is joined to this router.
	Route []int8

	BankWidth    int // values that a bank input sends per cycle
	ChannelWidth int // values that a channel carries per cycle
	OutputWidth  int // values that a requester receives per cycle
	Cycles       int // cycles that one register takes on any of them
	BankRoom     int // values that an input from a bank holds, those on the link included
	ChannelRoom  int // likewise from a channel
}

// Here marks, in a route, a requester that is joined to the router itself.
const Here = -1

// Router is a router of an operand network: a crossbar some of whose outputs are
// channels to other routers.
type Router struct {
	wire.Comp
	Bank    []wire.InPort[bank.Value]
	From    []wire.InPort[bank.Value]  // channels from other routers
	To      []wire.OutPort[bank.Value] // channels to other routers
	Local   wire.OutPort[bank.Value]   // to all requesters joined to the router
	route   []int8
	in      []routerInput
	outs    []lanes // by requester
	chans   []lanes // by channel
	cycles  wire.Cycle
	first   int // input that goes first
	hops    uint64
	blocked uint64

	transfers uint64
	conflicts uint64
}

type routerInput struct {
	port *wire.InPort[bank.Value]
	path lanes
}

// NewRouter builds a router.
func NewRouter(name string, d *wire.Domain, s RouterSpec, reg *stats.Registry) *Router {
	r := &Router{
		Bank: make([]wire.InPort[bank.Value], s.Banks), From: make([]wire.InPort[bank.Value], s.Channels), To: make([]wire.OutPort[bank.Value], s.Channels),
		route: s.Route, outs: make([]lanes, len(s.Route)), chans: make([]lanes, s.Channels), cycles: wire.Cycle(s.Cycles),
	}
	r.Init(name, d, r)
	for i := range r.Bank {
		r.Bank[i].Init(&r.Comp, fmt.Sprintf("Bank[%d]", i), s.BankRoom)
		r.in = append(r.in, routerInput{&r.Bank[i], newLanes(s.BankWidth, s.Cycles)})
	}
	for i := range r.From {
		r.From[i].Init(&r.Comp, fmt.Sprintf("From[%d]", i), s.ChannelRoom)
		r.in = append(r.in, routerInput{&r.From[i], newLanes(s.ChannelWidth, s.Cycles)})
		r.To[i].Init(&r.Comp, fmt.Sprintf("To[%d]", i))
		r.chans[i] = newLanes(s.ChannelWidth, s.Cycles)
	}
	r.Local.Init(&r.Comp, "Local")
	for i := range r.outs {
		r.outs[i] = newLanes(s.OutputWidth, s.Cycles)
	}
	reg.Count("regfile.crossbar.transfers", stats.Registers, "register values carried by operand crossbars", name, &r.transfers)
	reg.Count("regfile.crossbar.conflicts", stats.Cycles, "conflict cycles of operand crossbars: value-cycles at the head of an input while a path is taken", name, &r.conflicts)
	reg.Count("regfile.network.hops", stats.Registers, "register values sent from router to router of operand networks", name, &r.hops)
	reg.Count("regfile.network.hop_conflicts", stats.Cycles, "conflict cycles of operand networks because the channel to another router is taken", name, &r.blocked)
	return r
}

// Tick starts the transfers that can start. Inputs take turns as those of a
// Crossbar do.
func (r *Router) Tick(now wire.Cycle) bool {
	again, lost := false, -1
	i := r.first
	for n := len(r.in); n > 0; n-- {
		in := &r.in[i]
		sent := false
		for v := in.port.Head(); v != nil; v = in.port.Head() {
			if !r.pass(in, v, now) {
				r.conflicts++
				again = true
				if lost < 0 && !sent {
					lost = i
				}
				break
			}
			sent = true
			in.port.Pop()
		}
		if i++; i == len(r.in) {
			i = 0
		}
	}
	if lost >= 0 {
		r.first = lost
	}
	return again
}

// pass starts the transfer of a value if input and output have a free path, and
// what is behind the output has room.
func (r *Router) pass(in *routerInput, v *bank.Value, now wire.Cycle) bool {
	out, path := &r.Local, &r.outs[v.To]
	ch := r.route[v.To]
	if ch != Here {
		out, path = &r.To[ch], &r.chans[ch]
	}
	if !in.path.free(now) {
		return false
	}
	if !path.free(now) || !out.CanPut() {
		if ch != Here {
			r.blocked++
		}
		return false
	}
	in.path.take(now, r.cycles)
	path.take(now, r.cycles)
	*out.Slot() = *v
	out.PutSlot()
	if ch == Here {
		r.transfers++
	} else {
		r.hops++
	}
	return true
}

// Waiting says how many values wait to be carried.
func (r *Router) Waiting() string {
	n := 0
	for i := range r.in {
		n += r.in[i].port.Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d values wait to be carried", n)
}
