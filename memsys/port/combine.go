package port

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// combiner holds the packets of the L1 that wait for the link to the interconnect, in order. A store joins the store
// of its line that waits there, if no other packet of the line has come in between. Both leave as one packet, and its
// acknowledgement answers both.
//
// Loops of stores by several warps to the same words have shown it on an H100 (lab/docs/silicon.md): four warps that
// store to the same 17 lines or fewer take as long as one warp, whereas with 32 lines they take four times as long.
type combiner struct {
	ring     []held `bits:"type"`
	first, n int
	// joined has the answers of the stores that share a packet, in chains.
	joined []answer `bits:"type"`
	unused int32    // the first place without an answer, chained as the others
	// due is the packet whose answers are being given, and rest the chain of those left.
	due  req.Packet
	rest int32

	count uint64
}

// held is a waiting packet. chain is the first of the answers to the stores that share it; none: it stands alone.
type held struct {
	packet req.Packet
	chain  int32
}

// answer is the tag of a store that shares a packet.
type answer struct {
	tag  uint32
	next int32
}

const (
	none = -1
	// mostJoined bounds the stores that share packets until they are acknowledged. It keeps the model's memory bounded,
	// and no chip has been measured for it. If it is reached, stores stand alone.
	mostJoined = 1024
	// shared marks the tag of a packet that stores share; the rest of the tag is the place of its first answer. Tags
	// of registers of the L1 lie below, and those of single answers have the next bit (req.TagDone).
	shared = 1 << 30
)

// init makes room for packets to be held. With 0 of them none is held.
func (c *combiner) init(packets int) {
	c.rest, c.unused = none, none
	if packets == 0 {
		return
	}
	c.ring, c.joined = make([]held, packets), make([]answer, mostJoined)
	for i := range c.joined {
		c.free(int32(i))
	}
}

func (c *combiner) on() bool { return c.ring != nil }

// fill takes packets from the L1 while they join others or there is room.
func (c *combiner) fill(in *wire.InPort[req.Packet]) {
	for p := in.Head(); p != nil && (c.join(p) || c.add(p)); p = in.Head() {
		in.Pop()
	}
}

func (c *combiner) add(p *req.Packet) bool {
	if c.n == len(c.ring) {
		return false
	}
	*c.entry(c.n) = held{packet: *p, chain: none}
	c.n++
	return true
}

func (c *combiner) entry(i int) *held {
	if i += c.first; i >= len(c.ring) {
		i -= len(c.ring)
	}
	return &c.ring[i]
}

func (c *combiner) head() *req.Packet {
	if c.n == 0 {
		return nil
	}
	return &c.ring[c.first].packet
}

func (c *combiner) pop() {
	if c.first++; c.first == len(c.ring) {
		c.first = 0
	}
	c.n--
}

// combines reports whether stores like a packet may share one: an acknowledged store of a warp.
func combines(p *req.Packet) bool {
	return p.Kind == req.Write && p.Flags == 0 && (p.Cause == req.GlobalStore || p.Cause == req.LocalStore)
}

// join adds a store to the last packet of its line, and reports whether it could.
func (c *combiner) join(p *req.Packet) bool {
	if !combines(p) {
		return false
	}
	for i := c.n - 1; i >= 0; i-- {
		h := c.entry(i)
		if h.packet.Addr != p.Addr {
			continue
		}
		return combines(&h.packet) && h.packet.Cause == p.Cause && c.share(h, p)
	}
	return false
}

// share adds a store to a packet. Of a store only the number of its bytes is known, and not which they are. So the
// packet counts the bytes of both, but at most all bytes of their sectors.
func (c *combiner) share(h *held, p *req.Packet) bool {
	chain := h.chain
	if chain == none {
		chain = c.place(h.packet.Tag, none)
	}
	i := int32(none)
	if chain != none {
		i = c.place(p.Tag, chain)
	}
	if i == none {
		if chain != h.chain {
			c.free(chain)
		}
		return false
	}
	h.chain = i
	q := &h.packet
	q.Tag, q.Sectors, q.Full = shared|uint32(i), q.Sectors|p.Sectors, q.Full|p.Full
	q.Bytes = uint8(min(int(q.Bytes)+int(p.Bytes), req.SectorBytes*bits.OnesCount8(q.Sectors)))
	c.count++
	return true
}

// place puts an answer before a chain and returns its place, or none if there is none left.
func (c *combiner) place(tag uint32, next int32) int32 {
	i := c.unused
	if i != none {
		c.unused = c.joined[i].next
		c.joined[i] = answer{tag: tag, next: next}
	}
	return i
}

func (c *combiner) free(i int32) {
	c.joined[i].next = c.unused
	c.unused = i
}

// begin accepts the acknowledgement of a packet, and reports whether stores share it. Then next has their answers.
func (c *combiner) begin(r *req.Packet) bool {
	if !c.on() || r.Client != L1 || r.Tag&(1<<31) != 0 || r.Tag&shared == 0 {
		return false
	}
	c.due, c.rest = *r, int32(r.Tag&(shared-1))
	return true
}

// next returns the next answer to stores that share a packet; nil: all have been given.
func (c *combiner) next() *req.Packet {
	if c.rest == none {
		return nil
	}
	a := c.joined[c.rest]
	c.free(c.rest)
	c.due.Tag, c.rest = a.tag, a.next
	return &c.due
}
