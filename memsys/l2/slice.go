package l2

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/req"
)

// Slice is one slice of the L2, made of two blocks.
type Slice struct {
	Tags *Tags
	Data *Data
}

// Links has the connections of a slice.
type Links struct {
	Map        *addrmap.Map // how memory is interleaved among the slices
	In         int          // capacity of In in packets, including the fixed delay
	FromMemory int          // capacity of FromMemory, replies
}

// New builds a slice.
func New(name string, d *wire.Domain, s Spec, links Links, r *stats.Registry) (*Slice, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tags, err := newTags(name+".Tags", d, &s, links, r)
	if err != nil {
		return nil, err
	}
	l := &Slice{Tags: tags, Data: newData(name+".Data", d, &s)}
	wire.Connect(&tags.Access, &l.Data.In, toData)
	tags.replies = wire.NewCredit(&tags.Access, &l.Data.Out)
	return l, nil
}

// LeastReply is the least latency of replies: a cycle from the tags to the data array, and one from there.
const LeastReply = toData + 1

// Join joins the slice to the interconnect. Requests have a delay, and replies a latency of at
// least LeastReply, counted from the look-up of a hit.
func (l *Slice) Join(requests *wire.OutPort[req.Packet], delay int, replies *wire.InPort[req.Packet], latency int) {
	wire.Connect(requests, &l.Tags.In, delay)
	wire.Connect(&l.Data.Out, replies, ReplyLatency(latency))
}

// ReplyLatency returns the latency of the link to the interconnect, for one counted from the look-up of a hit.
func ReplyLatency(latency int) int { return latency - toData }
