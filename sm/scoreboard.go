package sm

import (
	"fmt"
	"kumiko/kernel/ir"
	"strings"
)

// scoreboard tracks, for one warp, the registers and predicates with a result
// outstanding (read-after-write, write-after-write) and the registers that an
// issued operation has yet to read (write-after-read: collectors read late).
type scoreboard struct {
	preds   uint32
	flight  uint16 // operations with a result outstanding
	stores  uint16 // stores without acknowledgement
	loads   uint16 // memory operations with a result outstanding
	mpreds  uint32
	uniform uint64     // uniform registers with a result outstanding
	pending regSet     // a result will be written
	reading regSet     // some operation has yet to read the register
	memory  regSet     // of those pending, the ones whose result comes from memory
	long    regSet     // of these, the ones from global, local or texture memory, which may be off the chip
	readers [256]uint8 // operations yet to read each register
	lpreds  uint32
}

// blocks reports whether an instruction must wait, and if so whether for memory.
func (b *scoreboard) blocks(x *instInfo) (wait, memory bool) {
	if b.pending.meets(&x.uses) || b.preds&x.preds != 0 {
		return true, b.memory.meets(&x.uses) || b.mpreds&x.preds != 0
	}
	return b.reading.meets(&x.writes) || b.uniform&x.uniform != 0, false
}

func (b *scoreboard) issue(in *ir.Inst, x *instInfo) {
	for _, r := range in.T.Src[:in.T.NSrc] {
		b.readers[r]++
		b.reading.add(r)
	}
	if x.store {
		b.stores++
	}
	if !x.result {
		return
	}
	b.flight++
	for i := range b.pending {
		b.pending[i] |= x.writes[i]
	}
	b.preds |= x.wpreds
	b.uniform |= x.wuniform
	if x.mem {
		b.loads++
		for i := range b.memory {
			b.memory[i] |= x.writes[i]
		}
		b.mpreds |= x.wpreds
	}
	if x.far {
		for i := range b.long {
			b.long[i] |= x.writes[i]
		}
		b.lpreds |= x.wpreds
	}
}

// awaitsLong reports whether an instruction must wait for a long-latency result.
func (b *scoreboard) awaitsLong(x *instInfo) bool {
	return b.long.meets(&x.uses) || b.lpreds&x.preds != 0
}

// occupied reports whether an operation on one of the registers from a number on is under
// way, whether its result comes from memory, and whether after a long latency.
func (b *scoreboard) occupied(from int) (wait, memory, long bool) {
	for i := from >> 6; i < len(b.pending); i++ {
		m := ^uint64(0)
		if i == from>>6 {
			m <<= from & 63
		}
		wait = wait || (b.pending[i]|b.reading[i])&m != 0
		memory = memory || b.memory[i]&m != 0
		long = long || b.long[i]&m != 0
	}
	return wait, memory, long
}

// unfenced reports whether a fence has to wait for memory operations.
func (b *scoreboard) unfenced() bool { return b.stores > 0 || b.loads > 0 }

// settled reports whether nothing but memory operations of the warp is under way:
// every operand is read, and every result of other units is written.
func (b *scoreboard) settled() bool { return b.reading == regSet{} && b.flight == b.loads }

// done clears the destinations of an operation whose result can be read.
func (b *scoreboard) done(in *ir.Inst) {
	b.flight--
	b.preds &^= in.T.DstPreds
	b.uniform &^= in.T.DstUniform
	for _, r := range in.T.Dst[:in.T.NDst] {
		b.pending.remove(r)
	}
	if fromMemory(in.T.Class) {
		b.loads--
		b.mpreds &^= in.T.DstPreds
		b.lpreds &^= in.T.DstPreds
		for _, r := range in.T.Dst[:in.T.NDst] {
			b.memory.remove(r)
			b.long.remove(r)
		}
	}
}

// read clears the sources of an operation that has read them.
func (b *scoreboard) read(in *ir.Inst) {
	for _, r := range in.T.Src[:in.T.NSrc] {
		b.readers[r]--
		if b.readers[r] == 0 {
			b.reading.remove(r)
		}
	}
}

// idle reports whether nothing that the warp issued is outstanding.
func (b *scoreboard) idle() bool { return b.flight == 0 && b.stores == 0 }

// blocking names the registers and predicates that keep an instruction from
// issuing.
func (b *scoreboard) blocking(x *instInfo) string {
	var out []string
	for r := range 256 {
		id := ir.RegID(r)
		switch {
		case b.pending.has(id) && x.uses.has(id) && b.memory.has(id):
			out = append(out, fmt.Sprintf("R%d (from memory)", r))
		case b.pending.has(id) && x.uses.has(id):
			out = append(out, fmt.Sprintf("R%d", r))
		case b.reading.has(id) && x.writes.has(id):
			out = append(out, fmt.Sprintf("R%d (still to be read)", r))
		}
	}
	for p := range 32 {
		if b.preds&x.preds>>p&1 != 0 {
			out = append(out, fmt.Sprintf("P%d", p))
		}
	}
	return strings.Join(out, ", ")
}
