package gpus

import (
	"slices"

	"kumiko/kernel/ir"
	"kumiko/sm/fetch"
)

// codeMemory is where kernels lie in the memory for code.
type codeMemory struct {
	of    map[*ir.Kernel]uint64 // addresses
	seen  map[string][]*seenCode
	count int
}

// seenCode is a kernel of which traces show parts: each launch has the instructions
// that it executed.
type seenCode struct {
	address uint64
	insts   map[uint32]*ir.Inst // by their place
}

func newCodeMemory() codeMemory {
	return codeMemory{of: map[*ir.Kernel]uint64{}, seen: map[string][]*seenCode{}}
}

// load gives a kernel its address, unless it has one. Kernels of one name that were
// seen in traces are the same code where no instruction of one contradicts the other.
func (c *codeMemory) load(k *ir.Kernel) {
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

// next is an address that no kernel has.
func (c *codeMemory) next() uint64 {
	c.count++
	return fetch.CodeBase + uint64(c.count-1)*fetch.CodeSize
}

// add adds what another launch shows of the code. It reports whether that is the same
// code, and changes nothing if it is not.
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

// sameInst compares what a trace says of an instruction itself. Guards and targets are
// what launches show of them.
func sameInst(a, b *ir.Inst) bool {
	return a.Sym == b.Sym && slices.Equal(a.T.Src[:a.T.NSrc], b.T.Src[:b.T.NSrc]) &&
		slices.Equal(a.T.Dst[:a.T.NDst], b.T.Dst[:b.T.NDst])
}
