package coalescer

import (
	"math/bits"

	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// maxSegments bounds the lines touched by one instruction: 32 lanes of 16
// bytes. In local memory each of a lane's four words may lie in a different line.
const maxSegments = 128

// splitter holds the transactions of one instruction.
type splitter struct {
	seg    [maxSegments]segment `bits:"type"`
	n      int
	slot   uint16
	warp   uint16
	index  uint8
	kind   req.Kind
	cause  req.Cause
	bypass bool
	nc     bool
}

// segment is a line with the parts touched by the instruction.
type segment struct {
	line    uint64
	mask    [2]uint64 // bytes touched
	sectors uint8
	lanes   uint8
	word    [req.LineBytes / 4]uint8 // atomics: lanes on each word
}

// begin sets the common fields of a part's transactions.
func (s *splitter) begin(p *req.Part) {
	s.n, s.slot, s.warp, s.index = 0, p.Slot, p.Warp, p.Index
	s.kind, s.cause = req.Read, req.GlobalLoad
	switch p.Inst.Op {
	case ir.OpSt:
		s.kind, s.cause = req.Write, req.GlobalStore
	case ir.OpAtom:
		s.kind, s.cause = req.Atomic, req.GlobalAtomic
	case ir.OpRed:
		s.kind, s.cause = req.Reduce, req.GlobalAtomic
	case ir.OpTex:
		s.cause = req.TextureLoad
	case ir.OpPrefetch:
		s.cause = req.Prefetch
	}
	if p.Space == ir.Local {
		switch s.kind {
		case req.Read:
			s.cause = req.LocalLoad
		case req.Write:
			s.cause = req.LocalStore
		}
	}
	m := &p.Inst.Mods
	s.nc = m.Cache == ir.CacheNC
	s.bypass = m.Volatile || m.Cache == ir.CacheCG || m.Cache == ir.CacheCV
}

// size returns the bytes touched by each lane.
func size(p *req.Part) int { return max(int(p.Inst.T.Bytes), 1) }

// linear splits a part with addresses of memory.
func (s *splitter) linear(p *req.Part) {
	n := size(p)
	a := p.Acc
	if a.Regular() && p.Mask == ^uint32(0) && int(a.Stride) == n && s.kind <= req.Write && n <= 16 {
		s.run(a.Base-p.Base, 32*n)
		return
	}
	var addr [32]uint64
	a.Lanes(p.Exec, &addr)
	for m := p.Mask; m != 0; m &= m - 1 {
		s.touch(addr[bits.TrailingZeros32(m)]-p.Base, n)
	}
}

// run touches n consecutive bytes.
func (s *splitter) run(addr uint64, n int) {
	for n > 0 {
		off := int(addr % req.LineBytes)
		k := min(n, req.LineBytes-off)
		s.open(addr/req.LineBytes).cover(off, k)
		addr += uint64(k)
		n -= k
	}
}

// touch adds the bytes of one lane.
func (s *splitter) touch(addr uint64, n int) {
	for n > 0 {
		off := int(addr % req.LineBytes)
		k := min(n, req.LineBytes-off)
		g := s.find(addr / req.LineBytes)
		g.cover(off, k)
		g.lanes++
		if s.kind >= req.Atomic {
			g.word[off/4]++
		}
		addr += uint64(k)
		n -= k
	}
}

// local splits a part with per-thread offsets as addresses.
func (s *splitter) local(p *req.Part, base, warps uint64) {
	n := uint64(size(p))
	var addr [32]uint64
	p.Acc.Lanes(p.Exec, &addr)
	for m := p.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		off := addr[l] - p.Base
		for end := off + n; off < end; {
			k := min(end-off, 4-off%4)
			s.touch(base+((off/4*warps+uint64(p.Warp))*32+uint64(l))*4+off%4, int(k))
			off += k
		}
	}
}

// find returns the segment of a line, a new one for a new line. Neighbouring lanes
// mostly share a line, so the search begins at the newest segment.
func (s *splitter) find(line uint64) *segment {
	for i := s.n - 1; i >= 0; i-- {
		if s.seg[i].line == line {
			return &s.seg[i]
		}
	}
	return s.open(line)
}

func (s *splitter) open(line uint64) *segment {
	g := &s.seg[s.n]
	s.n++
	g.line, g.mask, g.sectors, g.lanes = line, [2]uint64{}, 0, 0
	if s.kind >= req.Atomic {
		g.word = [req.LineBytes / 4]uint8{}
	}
	return g
}

// cover marks n bytes from off on, within the line.
func (g *segment) cover(off, n int) {
	g.sectors |= uint8(1<<((off+n-1)/req.SectorBytes+1) - 1<<(off/req.SectorBytes))
	if off < 64 {
		k := min(n, 64-off)
		g.mask[0] |= ones(k) << off
		off, n = 64, n-k
		if n == 0 {
			return
		}
	}
	g.mask[1] |= ones(n) << (off - 64)
}

func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

func (g *segment) bytes() uint8 {
	return uint8(bits.OnesCount64(g.mask[0]) + bits.OnesCount64(g.mask[1]))
}

// words returns the set of touched words of four bytes.
func (g *segment) words() uint32 { return gather(g.mask[0]) | gather(g.mask[1])<<16 }

// gather sets one bit for each group of four bits with at least one set bit.
func gather(m uint64) uint32 {
	m |= m >> 1
	m = (m | m>>2) & 0x1111111111111111
	m = (m | m>>3) & 0x0303030303030303
	m = (m | m>>6) & 0x000f000f000f000f
	m = (m | m>>12) & 0x000000ff000000ff
	return uint32(m|m>>24) & 0xffff
}

// full returns the set of completely touched sectors.
func (g *segment) full() uint8 {
	var f uint8
	for i := range req.Sectors {
		if uint32(g.mask[i/2]>>(i%2*32)) == ^uint32(0) {
			f |= 1 << i
		}
	}
	return f
}

// depth returns the most lanes on one word.
func (g *segment) depth() uint8 {
	var d uint8
	for _, n := range g.word {
		d = max(d, n)
	}
	return d
}
