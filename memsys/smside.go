package memsys

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/access"
	"kumiko/memsys/coalescer"
	"kumiko/memsys/constant"
	"kumiko/memsys/l1"
	"kumiko/memsys/port"
	"kumiko/memsys/req"
	"kumiko/memsys/shared"
)

// SMSide is the memory side of an SM.
type SMSide struct {
	// In receives the SM's memory instructions, and Out sends the answers. The latencies of the Specs hold for an
	// Out link of one cycle.
	In  *wire.InPort[Access]
	Out *wire.OutPort[Reply]
	// DesignIn and DesignOut carry the register-file design's own requests to the
	// L2 and DRAM, and the replies. A design sets Addr, Tag, Kind, Cause, Sectors,
	// Full, Bytes and Flags. The builder of the SM joins them.
	DesignIn  *wire.InPort[Packet]
	DesignOut *wire.OutPort[Packet]
	// InstIn and InstOut carry the misses of the SM's instruction cache. Joining
	// them is up to the SM.
	InstIn  *wire.InPort[Packet]
	InstOut *wire.OutPort[Packet]
	// ConstIn and ConstOut carry the misses of the sub-cores' caches of constants, by sub-core.
	ConstIn  []*wire.InPort[constant.Line]
	ConstOut []*wire.OutPort[constant.Line]

	Access    *access.Unit
	Coalescer *coalescer.Coalescer
	Shared    *shared.Memory
	Constant  *constant.Cache
	Constants *constant.Second // nil: nobody asks it
	L1        *l1.Cache        // nil where the register-file design brings the L1 itself
	Texture   *l1.Cache
	Port      *port.Port
}

// instQueue is the capacity of the instruction cache's request queue: one line per cycle, with
// the link.
const instQueue = 2

// SMConfig describes an SM to its memory side.
type SMConfig struct {
	Name  string // of the SM; the blocks are named under it
	SM    int    // number of the SM
	Warps int    // warp contexts
	// Constants is the number of sub-cores that have a cache of constants. The cache behind these (constant.Second)
	// has a client for each.
	Constants int
	// DesignL1: the register-file design is the L1, and is joined by JoinL1. MissQueue is the capacity of
	// its request queue, in packets.
	DesignL1  bool
	MissQueue int
	// SinkReplies: the receiver of the replies may itself wait for packets of the memory
	// system, so completions must never wait for it: see access.Unit.Sink.
	SinkReplies bool
	// NoteMisses: misses of the L1 and of the texture cache are reported by Replies with
	// Missed set. If the design is the L1, it has to report its misses itself.
	NoteMisses bool
}

// NewSMSide builds the memory side of an SM.
func NewSMSide(d *wire.Domain, s *Spec, c SMConfig, r *stats.Registry) (*SMSide, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &SMSide{}
	var err error
	keep := func(e error) {
		if err == nil && e != nil {
			err = e
		}
	}
	var e error
	m.Access, e = access.New(c.Name+".AccessUnit", d, s.Access, r)
	keep(e)
	if e == nil && c.SinkReplies {
		m.Access.Sink()
	}
	m.Coalescer, e = coalescer.New(c.Name+".Coalescer", d, s.Coalescer, coalescer.SM{Number: c.SM, Contexts: c.Warps},
		r)
	keep(e)
	m.Shared, e = shared.New(c.Name+".SharedMemory", d, s.Shared, r)
	keep(e)
	m.Constant, e = constant.New(c.Name+".ConstantCache", d, s.Constant, r)
	keep(e)
	if !c.DesignL1 {
		m.L1, e = l1.New(c.Name+".L1", "l1", d, s.L1, r)
		keep(e)
	}
	m.Texture, e = l1.New(c.Name+".TextureCache", "texture", d, s.Texture, r)
	keep(e)
	clients := c.Constants
	if s.Constant.Lines > 0 {
		clients++
	}
	if clients > 0 {
		m.Constants, e = constant.NewSecond(c.Name+".Constants", d, s.Constant.Second, clients, r)
		keep(e)
	}
	if err == nil && c.NoteMisses {
		m.noteMisses()
	}
	if err != nil {
		return nil, fmt.Errorf("memory side of %s: %w", c.Name, err)
	}
	q := port.Spec{SM: c.SM, Flit: s.NoC.Requests().Flit, Sectors: s.NoC.Sectors, Combine: s.NoC.Combine,
		Atomic: s.NoC.Atomic, Net: 2*s.ReplyLatency() + 2}
	if !c.DesignL1 {
		c.MissQueue = s.L1.MissQueue
	}
	q.Miss = [port.NumClients]int{port.L1: c.MissQueue, port.Texture: s.Texture.MissQueue, port.Instruction: instQueue,
		port.Constant: instQueue, port.Design: s.DesignQueue}
	m.Port = port.New(c.Name+".MemPort", d, q, r)
	m.join()
	m.joinConstants(&s.Constant, c.Constants)
	m.In, m.Out = &m.Access.In, &m.Access.Out
	m.DesignIn, m.DesignOut = &m.Port.In[port.Design], &m.Port.Out[port.Design]
	m.InstIn, m.InstOut = &m.Port.In[port.Instruction], &m.Port.Out[port.Instruction]
	return m, nil
}

func (m *SMSide) noteMisses() {
	if m.L1 != nil {
		m.L1.Tags.NoteMisses()
	}
	m.Texture.Tags.NoteMisses()
}

// join connects the blocks.
func (m *SMSide) join() {
	a := m.Access
	wire.Connect(&a.Memory, &m.Coalescer.In, 1)
	wire.Connect(&a.Shared, &m.Shared.In, 1)
	wire.Connect(&a.Constant, &m.Constant.In, 1)
	a.Connect(access.FromShared, &m.Shared.Out, m.Shared.Pipeline())
	a.Connect(access.FromConstant, &m.Constant.Out, m.Constant.Pipeline())
	if m.L1 != nil {
		m.joinCache(m.L1.Sides(), &m.Coalescer.L1, access.FromL1Hit, access.FromL1Fill, port.L1)
	}
	m.joinCache(m.Texture.Sides(), &m.Coalescer.Texture, access.FromTextureHit, access.FromTextureFill, port.Texture)
}

// joinConstants connects the caches of constants. The second-level one has a port for each sub-core, which the builder
// of the SM connects, and behind these one for the first-level cache.
func (m *SMSide) joinConstants(s *constant.Spec, cores int) {
	if m.Constants == nil {
		return
	}
	for i := range cores {
		m.ConstIn = append(m.ConstIn, &m.Constants.In[i])
		m.ConstOut = append(m.ConstOut, &m.Constants.Out[i])
	}
	if s.Lines > 0 {
		wire.Connect(&m.Constant.Missing, &m.Constants.In[cores], s.Miss/2)
		wire.Connect(&m.Constants.Out[cores], &m.Constant.Arrived, s.Miss-s.Miss/2)
	}
	if s.Second.Line > 0 {
		wire.Connect(&m.Constants.ToMem, &m.Port.In[port.Constant], 1)
		wire.Connect(&m.Port.Out[port.Constant], &m.Constants.FromMem, 1)
	}
}

// Launch prepares the idle caches of constants for a launch.
func (m *SMSide) Launch() {
	m.Constant.Launch()
	if m.Constants != nil {
		m.Constants.Launch()
	}
}

// JoinL1 joins a register-file design acting as the L1.
func (m *SMSide) JoinL1(p *l1.Ports) {
	m.joinCache(p, &m.Coalescer.L1, access.FromL1Hit, access.FromL1Fill, port.L1)
}

func (m *SMSide) joinCache(p *l1.Ports, from *wire.OutPort[req.Txn], hit, fill, client int) {
	wire.Connect(from, p.In, 1)
	m.Access.ConnectWide(hit, p.Hit, access.Pipeline{Latency: p.HitLatency, Stages: p.HitStages, Width: p.Hits})
	m.Access.ConnectWide(fill, p.Fill, access.Pipeline{Latency: 1, Stages: 1, Width: max(p.Fills, 1)})
	if p.Missed != nil {
		wire.Connect(p.Missed, m.Access.ReceiveMisses(), 1)
	}
	wire.Connect(p.Miss, &m.Port.In[client], 1)
	wire.Connect(&m.Port.Out[client], p.Reply, 1)
}

// Flush drops the lines of the SM's caches, as between launches. Nothing may be in flight.
func (m *SMSide) Flush() {
	if m.L1 != nil {
		m.L1.Tags.Flush()
	}
	m.Texture.Tags.Flush()
}

// Access is one warp memory instruction: see req.Access.
type Access = req.Access

// Reply reports the completion of an access: see req.Reply.
type Reply = req.Reply

// Packet is a request or a reply on the interconnect: see req.Packet.
type Packet = req.Packet
