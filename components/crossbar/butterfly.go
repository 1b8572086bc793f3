package crossbar

import (
	"cmp"
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// ButterflySpec configures a flattened butterfly: routers in rows and columns,
// each joined by a channel to every other of its row and of its column, with as
// many banks and requesters at each (its concentration) as come out even.
type ButterflySpec struct {
	Inputs  int // banks
	Outputs int // requesters
	Rows    int
	Columns int

	InputWidth   int // values that a bank sends per cycle
	OutputWidth  int // values that a requester receives per cycle
	ChannelWidth int // values that a channel between two routers carries per cycle
	Cycles       int // cycles that one register takes on any of them
	Latency      int // from the last router to the requester, for Cycles 1
	HopLatency   int // of a value's first part, from router to router
	InputRoom    int // values that an input holds, those on the link included
}

// Check refuses impossible settings of a flattened butterfly.
func (s *ButterflySpec) Check() error {
	n := s.Rows * s.Columns
	if err := cmp.Or(spec.InRange("network_rows", s.Rows, 1, 16),
		spec.InRange("network_columns", s.Columns, 1, 16)); err != nil {
		return err
	}
	if s.Inputs < 1 || s.Inputs%n != 0 {
		return spec.Errorf("banks", s.Inputs, "a multiple of the %d routers, in each sub-core", n)
	}
	return cmp.Or(spec.InRange("collectors", s.Outputs, 1, 256), spec.InRange("crossbar_input", s.InputWidth, 1, 16),
		spec.InRange("crossbar_output", s.OutputWidth, 1, 16), spec.InRange("hop_width", s.ChannelWidth, 1, 16),
		spec.InRange("crossbar_cycles", s.Cycles, 1, 64), spec.InRange("crossbar_latency", s.Latency, 1, 64),
		spec.InRange("hop_latency", s.HopLatency, 1, 64))
}

// Butterfly is a flattened butterfly (Kim, Dally and Abts, ISCA 2007) as operand
// network. A value goes to the column of its requester within its row, and then
// to its row within the column: no, one or two hops, each over one channel.
// Since every value goes along rows first, values cannot wait for each other in
// a ring. Where a register takes several cycles, the first part of a value goes on
// while the others still come (cut-through): all paths are as wide, so that none waits
// for its next part, and the Cycles are paid once.
type Butterfly struct {
	In      []*wire.InPort[bank.Value] // by bank
	Routers []*Router                  // row by row
	spec    ButterflySpec
}

// RouterOf is the router to which requester o is joined.
func (s *ButterflySpec) RouterOf(o int) int { return o * s.Rows * s.Columns / s.Outputs }

// LocalRoom is the number of values that a port connected to a router's Local
// needs for a stream to all requesters there.
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

// channel is the number of router i's channel to router j, or none: those to its
// row by column come first, then those to its column by row.
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

// routes are router i's channels by requester.
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

// Connect joins the requesters of router i, all at once, to a port in which
// values become visible when their transfer is over.
func (b *Butterfly) Connect(i int, in *wire.InPort[bank.Value]) {
	wire.Connect(&b.Routers[i].Local, in, b.spec.Latency+b.spec.Cycles-1)
}
