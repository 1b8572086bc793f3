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
	// Route gives the direction for each To of a value: channel number Route[To], or Here for a requester of this
	// router.
	Route []int8

	BankWidth    int // most values sent by a bank input per cycle
	ChannelWidth int // most values carried by a channel per cycle
	OutputWidth  int // most values received by a requester per cycle
	Cycles       int // cycles per register on any of them
	BankRoom     int // capacity of an input from a bank in values, including those on the link
	ChannelRoom  int // likewise from a channel
}

// Here marks, in a route, a requester joined to the router itself.
const Here = -1

// Router is a router of an operand network: a crossbar with channels to other routers among its outputs.
type Router struct {
	wire.Comp
	Bank    []wire.InPort[bank.Value]
	From    []wire.InPort[bank.Value]  // channels from other routers
	To      []wire.OutPort[bank.Value] // channels to other routers
	Local   wire.OutPort[bank.Value]   // to all requesters joined to the router
	fabric  *fabric
	outs    []lanes // by requester
	chans   []lanes // by channel
	hops    uint64
	blocked uint64

	transfers uint64
	conflicts uint64
}

// NewRouter builds a router.
func NewRouter(name string, d *wire.Domain, s RouterSpec, reg *stats.Registry) *Router {
	r := &Router{
		Bank: make([]wire.InPort[bank.Value], s.Banks), From: make([]wire.InPort[bank.Value], s.Channels),
		To:   make([]wire.OutPort[bank.Value], s.Channels),
		outs: make([]lanes, len(s.Route)), chans: make([]lanes, s.Channels),
	}
	f := newFabric(fabricSpec{inputs: s.Banks + s.Channels, outputs: len(s.Route), lines: len(s.Route) + s.Channels,
		cycles: s.Cycles}, &r.conflicts)
	r.fabric = f
	r.Init(name, d, r)
	for i := range r.Bank {
		r.Bank[i].Init(&r.Comp, fmt.Sprintf("Bank[%d]", i), s.BankRoom)
		f.in[i] = input{port: &r.Bank[i], path: newLanes(s.BankWidth, s.Cycles), sent: wire.Never}
	}
	for i := range r.From {
		r.From[i].Init(&r.Comp, fmt.Sprintf("From[%d]", i), s.ChannelRoom)
		f.in[s.Banks+i] = input{port: &r.From[i], path: newLanes(s.ChannelWidth, s.Cycles), sent: wire.Never}
		r.To[i].Init(&r.Comp, fmt.Sprintf("To[%d]", i))
		r.chans[i] = newLanes(s.ChannelWidth, s.Cycles)
	}
	r.Local.Init(&r.Comp, "Local")
	for i, ch := range s.Route {
		r.outs[i] = newLanes(s.OutputWidth, s.Cycles)
		f.out[i] = outlet{port: &r.Local, common: true, path: &r.outs[i], line: i, carried: &r.transfers}
		if ch != Here {
			f.out[i] = outlet{port: &r.To[ch], path: &r.chans[ch], line: len(s.Route) + int(ch), carried: &r.hops,
				waits: &r.blocked}
		}
	}
	reg.Count("regfile.crossbar.transfers", stats.Registers, "register values carried by operand crossbars", name,
		&r.transfers)
	reg.Count("regfile.crossbar.conflicts", stats.Cycles,
		"conflict cycles of operand crossbars: value-cycles at the head of an input while a path is taken", name,
		&r.conflicts)
	reg.Count("regfile.network.hops", stats.Registers, "register values sent from router to router of operand networks",
		name, &r.hops)
	reg.Count("regfile.network.hop_conflicts", stats.Cycles,
		"conflict cycles of operand networks because the channel to another router is taken", name, &r.blocked)
	return r
}

// Tick starts the transfers that can start.
func (r *Router) Tick(now wire.Cycle) bool { return r.fabric.tick(now) }

// Waiting reports how many values wait to be carried.
func (r *Router) Waiting() string {
	n := 0
	for i := range r.fabric.in {
		n += r.fabric.in[i].port.Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d values wait to be carried", n)
}
