package rfc

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/storage"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// State returns the storage of the main file and of the caches: their data, the tags, the lane
// masks, the flags, and the order of replacement.
func (f *File) State() []regfile.State {
	out := f.File.State()
	n := 0
	for _, c := range f.caches {
		n += len(c.store.key)
	}
	if n == 0 {
		return out
	}
	s, k := &f.spec, len(f.caches)
	ports := fmt.Sprintf("%dr%dw", s.Reads, s.Writes)
	add := func(what string, entries, width int, ports string) {
		if entries*width > 0 {
			out = append(out, regfile.State{Block: "Cache", What: what, Count: k, Bits: entries * width,
				Kind: storage.FlipFlop, Width: width, CellPorts: ports})
		}
	}
	add("registers", n, 8*bank.RegisterBytes, ports)
	out[len(out)-1].Ports = ports
	add("tags", n, f.tagBits(), ports)
	out[len(out)-1].Kind = storage.CAM
	masks := 32 // present lanes
	if s.AllocateReads {
		masks *= 2 // and lanes on their way
	}
	add("lane masks", n, masks, ports)
	add("dirty, dead and far bits", n, s.flagBits(), ports)
	add("replacement", 1, f.orderBits(), "")
	add("owners of partitions", 1, f.ownerBits(), "")
	add("write buffer", k*s.WriteBuffer, 8*bank.RegisterBytes, "")
	return out
}

// tagBits returns the size of an entry's tag: the register's number, the warp's if entries are shared, and a valid
// bit.
func (f *File) tagBits() int {
	n := 1 + bits.Len(uint(f.regs-1))
	if f.spec.Organisation == Shared {
		n += bits.Len(uint(f.warps - 1))
	}
	return n
}

func (s *Spec) flagBits() int {
	n := 1 // dirty: a partial read and a fill leave an entry clean
	if s.Liveness {
		n++
	}
	if s.EvictFar {
		n++
	}
	return n
}

// orderBits returns the size of the replacement order: a pointer for each group, or a rank for each entry.
func (f *File) orderBits() int {
	n := 0
	for _, c := range f.caches {
		rank := bits.Len(uint(max(c.store.ways-1, 0)))
		if f.spec.Replacement == LRU || f.spec.EvictDead || f.spec.EvictFar {
			n += len(c.store.key) * rank // entries leave out of order
		} else {
			n += c.places.groups * rank
		}
	}
	return n
}

// ownerBits returns the size of the warp numbers of the partitions.
func (f *File) ownerBits() int {
	if !f.caches[0].places.scarce(&f.spec) {
		return 0
	}
	n := 0
	for _, c := range f.caches {
		n += c.places.groups * bits.Len(uint(f.warps-1))
	}
	return n
}

// Hints on an operand.
const (
	readLast bank.Hint = 1 << iota // no lane needs the register after this read (ir.Timing.Dead)
	readFar                        // the next read is behind the next long consumer (ir.Timing.FarSrc)
)

// Hints on a result.
const (
	madeLong   bank.Hint = 1 << iota // by a global, local or texture load or atomic
	madeShared                       // by a load or atomic of shared memory
	madeFar                          // read, if at all, behind the next long consumer (ir.Timing.FarDst)
)

// operandHints returns the compiler's hints on operands and results for the cache. Operands have hints only if the
// cache
// uses them.
func (s *Spec) operandHints() bank.Hints {
	w := bank.Hints{Result: resultHint}
	if s.hints() {
		w.Source, w.Last = sourceHint, readLast
	}
	return w
}

func sourceHint(t *ir.Timing, i int) (w bank.Hint) {
	if t.Dead>>i&1 != 0 {
		w = readLast
	}
	if t.FarSrc>>i&1 != 0 {
		w |= readFar
	}
	return w
}

func resultHint(t *ir.Timing, i int) (w bank.Hint) {
	switch t.Class {
	case ir.ClassTexture:
		w = madeLong
	case ir.ClassLoad, ir.ClassAtomic:
		switch t.Space {
		case ir.Global, ir.Local, ir.Generic:
			w = madeLong
		case ir.Shared:
			w = madeShared
		}
	}
	if t.FarDst>>i&1 != 0 {
		w |= madeFar
	}
	return w
}
