package code

import (
	"slices"

	"kumiko/kernel/ir"
	"kumiko/sm/fetch"
)

// memory assigns kernels their addresses in instruction memory.
type memory struct {
	of    map[*ir.Kernel]uint64 // addresses
	seen  map[string][]*seenCode
	count int
}

// seenCode is a kernel known only from traces. A trace of a launch contains only the executed instructions.
type seenCode struct {
	address uint64
	insts   map[uint32]*ir.Inst // by their place
}

func newMemory() memory {
	return memory{of: map[*ir.Kernel]uint64{}, seen: map[string][]*seenCode{}}
}

// load assigns a kernel its address, unless it has one. Traced kernels of equal name share an address if
// no instruction of one contradicts the other.
func (c *memory) load(k *ir.Kernel) {
	if _, ok := c.of[k]; ok {
		return
	}
	if k.Places == nil {
		c.of[k] = c.next()
		return
	}
	for _, s := range c.seen[k.Name] {
		if s.add(k) {
			c.of[k] = s.address
			return
		}
	}
	s := &seenCode{address: c.next(), insts: map[uint32]*ir.Inst{}}
	s.add(k)
	c.seen[k.Name] = append(c.seen[k.Name], s)
	c.of[k] = s.address
}

// next returns an unused address.
func (c *memory) next() uint64 {
	c.count++
	return fetch.CodeBase + uint64(c.count-1)*fetch.CodeSize
}

// add merges the instructions of another launch of the kernel. It reports whether they agree with the known
// instructions, and changes nothing if they do not.
func (s *seenCode) add(k *ir.Kernel) bool {
	for i, p := range k.Places {
		if in := s.insts[p]; in != nil && !sameInst(in, &k.Insts[i]) {
			return false
		}
	}
	for i, p := range k.Places {
		s.insts[p] = &k.Insts[i]
	}
	return true
}

// sameInst reports whether two traced instructions have the same opcode and the same operands. Guards and
// targets are not compared: a trace infers them from one launch, so they may differ between launches.
func sameInst(a, b *ir.Inst) bool {
	return a.Sym == b.Sym && slices.Equal(a.T.Src[:a.T.NSrc], b.T.Src[:b.T.NSrc]) &&
		slices.Equal(a.T.Dst[:a.T.NDst], b.T.Dst[:b.T.NDst])
}
