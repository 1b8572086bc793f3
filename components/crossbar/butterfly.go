package crossbar

import (
	"cmp"
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Mesh is the settings of a butterfly's routers and channels, likewise.
type Mesh struct {
	Rows         int `toml:"network_rows" unit:"rows" default:"2" range:"1 to 16" doc:"rows of routers in a sub-core's butterfly" when:"network=butterfly"`
	Columns      int `toml:"network_columns" unit:"columns" default:"2" range:"1 to 16" doc:"columns of routers in a sub-core's butterfly; banks and collectors are spread evenly over the routers" when:"network=butterfly"`
	ChannelWidth int `toml:"hop_width" unit:"registers per cycle" default:"1" range:"1 to 16" doc:"registers that a channel between two routers of a butterfly carries at once" when:"network=butterfly"`
	HopLatency   int `toml:"hop_latency" unit:"cycles" default:"1" range:"1 to 64" doc:"from one router of a butterfly to the next, for a full-width path" when:"network=butterfly"`
}

// ButterflySpec configures a flattened butterfly. Its routers form rows and columns; a channel joins each router to
// every other one of its row and of its column. Banks and requesters are spread evenly over the routers (the
// concentration).
type ButterflySpec struct {
	Paths
	Mesh
	Inputs     int // banks
	Outputs    int // requesters
	InputWidth int // most values sent by a bank per cycle
	InputRoom  int // capacity of an input in values, including those on the link
}

// Check refuses impossible settings of a flattened butterfly.
func (s *ButterflySpec) Check() error {
	if err := cmp.Or(spec.Ranges(&s.Mesh), spec.Ranges(&s.Paths)); err != nil {
		return err
	}
	if s.Width != 0 {
		return spec.Errorf("crossbar_width", s.Width, "0 with network = butterfly, whose channels are what limits it")
	}
	if n := s.Rows * s.Columns; s.Inputs < 1 || s.Inputs%n != 0 {
		return spec.Errorf("banks", s.Inputs, "a multiple of the %d routers, in each sub-core", n)
	}
	return cmp.Or(spec.InRange("collectors", s.Outputs, 1, 256), spec.InRange("crossbar_input", s.InputWidth, 1, 16))
}

// Butterfly is a flattened butterfly (Kim, Dally and Abts, ISCA 2007) used as operand network. A value first goes
// along its row to the column of its requester, then along the column: zero, one or two hops, each over one
// channel. Since every value goes along rows first, values cannot wait for each other in a ring. If a register
// takes several cycles, the first part of a value goes on while the others still arrive (cut-through). All paths
// have the same width, so no part waits for the next one, and Cycles are paid only once.
type Butterfly struct {
	In      []*wire.InPort[bank.Value] // by bank
	Routers []*Router                  // row by row
	spec    ButterflySpec
}

// RouterOf returns the router of requester o.
func (s *ButterflySpec) RouterOf(o int) int { return o * s.Rows * s.Columns / s.Outputs }

// LocalRoom returns the capacity, in values, needed at a port behind a router's Local for a continuous stream to
// all its requesters.
func (s *ButterflySpec) LocalRoom() int {
	each := (s.Outputs + s.Rows*s.Columns - 1) / (s.Rows * s.Columns)
	return (s.Latency + s.Cycles) * s.OutputWidth * each
}

// NewButterfly builds a flattened butterfly.
func NewButterfly(name string, d *wire.Domain, s ButterflySpec, reg *stats.Registry) (*Butterfly, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := &Butterfly{spec: s}
	n := s.Rows * s.Columns
	for i := range n {
		r := NewRouter(fmt.Sprintf("%s.Router[%d]", name, i), d, RouterSpec{
			Banks: s.Inputs / n, Channels: s.Columns + s.Rows - 2, Route: s.routes(i),
			BankWidth: s.InputWidth, ChannelWidth: s.ChannelWidth, OutputWidth: s.OutputWidth, Cycles: s.Cycles,
			BankRoom: s.InputRoom, ChannelRoom: (s.HopLatency + s.Cycles) * s.ChannelWidth,
		}, reg)
		b.Routers = append(b.Routers, r)
		for k := range r.Bank {
			b.In = append(b.In, &r.Bank[k])
		}
	}
	for i, r := range b.Routers {
		for j, to := range b.Routers {
			if ch := s.channel(i, j); i != j && ch != none {
				wire.Connect(&r.To[ch], &to.From[s.channel(j, i)], s.HopLatency)
			}
		}
	}
	return b, nil
}

const none = -2

// channel returns the number of router i's channel to router j, or none. The channels along the row come first, by
// column, then those along the column, by row.
func (s *ButterflySpec) channel(i, j int) int8 {
	row, col, toRow, toCol := i/s.Columns, i%s.Columns, j/s.Columns, j%s.Columns
	switch {
	case row == toRow && toCol < col:
		return int8(toCol)
	case row == toRow && toCol > col:
		return int8(toCol - 1)
	case col == toCol && toRow < row:
		return int8(s.Columns - 1 + toRow)
	case col == toCol && toRow > row:
		return int8(s.Columns - 1 + toRow - 1)
	}
	return none
}

// routes returns router i's channel for each requester.
func (s *ButterflySpec) routes(i int) []int8 {
	out := make([]int8, s.Outputs)
	for o := range out {
		j := s.RouterOf(o)
		switch corner := i/s.Columns*s.Columns + j%s.Columns; {
		case j == i:
			out[o] = Here
		case corner != i: // along the row first
			out[o] = s.channel(i, corner)
		default:
			out[o] = s.channel(i, j)
		}
	}
	return out
}

// Connect joins all requesters of router i to one port. Values become visible there at the end of their transfer.
func (b *Butterfly) Connect(i int, in *wire.InPort[bank.Value]) {
	wire.Connect(&b.Routers[i].Local, in, b.spec.Latency+b.spec.Cycles-1)
}
