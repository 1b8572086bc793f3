package constant

import (
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Bank is the address of the first constant of a program. Below it lie the constants of a launch: its parameters and
// shape.
const Bank = 1 << 32

// Bytes is the size of a program's constants (CUDA C++ Programming Guide, technical specifications: 64 KB).
const Bytes = 1 << 16

// Base is the address in memory of the first constant: behind the code of programs (package fetch), which no buffer
// reaches.
const Base = 0xa0_0000_0000

// SecondSpec configures the second cache of constants.
type SecondSpec struct {
	Line int `toml:"line_bytes" unit:"bytes" doc:"line of the SM's second cache of constants, which holds all that came since the launch began. 0: it has them from the beginning"`
}

// Check returns an error for settings outside their ranges.
func (s *SecondSpec) Check() error {
	if s.Line != 0 && (s.Line < req.LineBytes || s.Line > 1024 || s.Line&(s.Line-1) != 0) {
		return spec.Errorf("line_bytes", s.Line, "0, or a power of two from %d to 1024", req.LineBytes)
	}
	return nil
}

// Line asks for the line of an address, and answers it.
type Line struct{ Addr uint64 }

// waiting bounds the lines that a client waits for: one for each of its warps, or for each lane of a warp.
const waiting = 64

// most bounds the lines asked for at the L2 at once. Rationale: sixteen lines of 256 bytes are 4 KB; if more are
// missing, the others are asked for as these come.
const most = 16

// Second is the cache of an SM behind its first caches of constants. It has room for all constants of a program
// (sizes of 64 KB and more on Turing to Hopper, MT4G), so that a line comes once in a launch. The constants of the
// launch itself come with it.
//
// A client's lines are answered in the order in which it asked, one per cycle.
type Second struct {
	wire.Comp
	In      []wire.InPort[Line] // by client
	Out     []wire.OutPort[Line]
	ToMem   wire.OutPort[req.Packet]
	FromMem wire.InPort[req.Packet]

	line   int
	there  [Bytes / req.LineBytes / 64]uint64 `bits:"64"` // lines that have come
	coming [most]coming                       `bits:"9+4+11"`
	n      int

	answers, misses uint64
}

// coming is a line on its way from the L2, in packets.
type coming struct {
	line  uint64 // number
	asked int    // packets
	got   int    // bytes
}

// NewSecond builds the second cache of an SM with the given number of clients.
func NewSecond(name string, d *wire.Domain, s SecondSpec, clients int, r *stats.Registry) (*Second, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Second{line: s.Line, In: make([]wire.InPort[Line], clients), Out: make([]wire.OutPort[Line], clients)}
	c.Init(name, d, c)
	for i := range c.In {
		c.In[i].Init(&c.Comp, fmt.Sprintf("In[%d]", i), waiting)
		c.Out[i].Init(&c.Comp, fmt.Sprintf("Out[%d]", i))
	}
	if s.Line == 0 {
		return c, nil
	}
	c.ToMem.Init(&c.Comp, "ToMem")
	c.FromMem.Init(&c.Comp, "FromMem", 4)
	r.Count("mem.constant.second.answers", stats.Accesses,
		"lines of constants that the SM's second cache handed to its first ones", name, &c.answers)
	r.Count("mem.constant.second.misses", stats.Accesses, "lines of constants that came from the L2", name, &c.misses)
	return c, nil
}

// Launch forgets the constants: the caches are not coherent with memory, which the host may have written.
func (c *Second) Launch() { clear(c.there[:]) }

// Tick receives packets, answers each client, and asks for a packet.
func (c *Second) Tick(wire.Cycle) bool {
	if c.line != 0 {
		for p := c.FromMem.Take(); p != nil; p = c.FromMem.Take() {
			c.receive(p)
		}
	}
	again := false
	for i := range c.In {
		again = c.answer(i) || again
	}
	return c.line != 0 && c.ask() || again
}

// answer answers a client's oldest request, if its line is there, and reports whether another one follows.
func (c *Second) answer(client int) bool {
	r := c.In[client].Head()
	if r == nil || !c.has(r.Addr) || !c.Out[client].CanPut() {
		return false
	}
	c.Out[client].Put(*r)
	c.In[client].Pop()
	c.answers++
	return c.In[client].Head() != nil
}

// number returns the number of a constant's line.
func (c *Second) number(addr uint64) uint64 { return addr % Bytes / uint64(c.line) }

func (c *Second) has(addr uint64) bool {
	if c.line == 0 || addr < Bank {
		return true
	}
	n := c.number(addr)
	return c.there[n/64]>>(n%64)&1 != 0
}

// ask sends the next packet of the oldest missing line, and reports whether another one follows.
func (c *Second) ask() bool {
	x := c.missing()
	if x == nil || !c.ToMem.CanPut() {
		return false
	}
	at := x.line*uint64(c.line) + uint64(x.asked*req.LineBytes)
	c.ToMem.Put(req.Packet{Addr: Base + at, Kind: req.Read, Cause: req.ConstantLoad, Sectors: req.AllSectors})
	x.asked++
	return c.missing() != nil
}

// missing returns a line with packets to be requested from the L2: the oldest one on its way, or else the first one
// that a client waits for and that is not on its way. nil: there is none, or as many lines are on their way as are
// allowed at once.
func (c *Second) missing() *coming {
	for i := range c.coming[:c.n] {
		if x := &c.coming[i]; x.asked*req.LineBytes < c.line {
			return x
		}
	}
	if c.n == most {
		return nil
	}
	for i := range c.In {
		for k := 0; ; k++ {
			r := wire.Behind(&c.In[i], k)
			if r == nil {
				break
			}
			if !c.has(r.Addr) && !c.isComing(c.number(r.Addr)) {
				c.coming[c.n] = coming{line: c.number(r.Addr)}
				c.n++
				c.misses++
				return &c.coming[c.n-1]
			}
		}
	}
	return nil
}

func (c *Second) isComing(line uint64) bool {
	for i := range c.coming[:c.n] {
		if c.coming[i].line == line {
			return true
		}
	}
	return false
}

// receive takes a packet. Its line is there when all of its sectors are.
func (c *Second) receive(p *req.Packet) {
	line := c.number(p.Addr - Base)
	for i := range c.coming[:c.n] {
		x := &c.coming[i]
		if x.line != line {
			continue
		}
		if x.got += p.Data(); x.got == c.line {
			c.there[line/64] |= 1 << (line % 64)
			c.n--
			c.coming[i] = c.coming[c.n]
		}
		return
	}
	panic("constant: a line arrives that nobody asked for")
}

// Waiting describes the line that the cache waits for.
func (c *Second) Waiting() string {
	if c.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines of constants are on their way from the L2", c.n)
}
