// Package scoreboard tracks the outstanding registers, predicates and memory operations of a warp, for which later
// instructions have to wait.
package scoreboard

import (
	"fmt"
	"strings"

	"kumiko/kernel/ir"
	"kumiko/sm/program"
)

// Board tracks, for one warp, the registers and predicates with a result
// outstanding (read-after-write, write-after-write) and the registers not yet read by an
// issued operation (write-after-read: collectors read late).
type Board struct {
	preds   uint32
	Flight  uint16 // operations with a result outstanding
	Stores  uint16 // stores without acknowledgement
	Loads   uint16 // memory operations with a result outstanding
	mpreds  uint32
	uniform uint64         // uniform registers with a result outstanding
	Pending program.RegSet // a result will be written
	Reading program.RegSet // some operation has yet to read the register
	memory  program.RegSet // of the pending ones, results from memory
	long    program.RegSet // of these, results from global, local or texture memory, possibly off the chip
	readers [256]uint8     // operations yet to read each register
	lpreds  uint32
}

// Blocks reports whether an instruction must wait, and if so whether for memory.
func (b *Board) Blocks(x *program.Inst) (wait, memory bool) {
	results, reads := b.Conflicts(x)
	return results|reads != 0, results != 0 && b.AwaitsMemory(x)
}

// Conflicts returns two numbers, not 0 if an instruction must wait for results, or for registers still to be read
// and uniform registers. It does without branches: the next one is the caller's.
func (b *Board) Conflicts(x *program.Inst) (results, reads uint64) {
	p, u := &b.Pending, &x.Uses
	r, w := &b.Reading, &x.Writes
	return p[0]&u[0] | p[1]&u[1] | p[2]&u[2] | p[3]&u[3] | uint64(b.preds&x.Preds),
		r[0]&w[0] | r[1]&w[1] | r[2]&w[2] | r[3]&w[3] | b.uniform&x.Uniform
}

// AwaitsMemory reports whether an instruction must wait for a result from memory.
func (b *Board) AwaitsMemory(x *program.Inst) bool {
	return b.memory.Meets(&x.Uses) || b.mpreds&x.Preds != 0
}

// Issue adds the registers and predicates of an issuing instruction.
func (b *Board) Issue(in *ir.Inst, x *program.Inst) {
	for _, r := range in.T.Src[:in.T.NSrc] {
		b.readers[r]++
		b.Reading.Add(r)
	}
	if x.Store {
		b.Stores++
	}
	if !x.Result {
		return
	}
	b.Flight++
	b.Pending.Join(&x.Writes)
	b.preds |= x.Wpreds
	b.uniform |= x.Wuniform
	if x.Mem {
		b.Loads++
		b.memory.Join(&x.Writes)
		b.mpreds |= x.Wpreds
	}
	if x.Far {
		b.long.Join(&x.Writes)
		b.lpreds |= x.Wpreds
	}
}

// AwaitsLong reports whether an instruction must wait for a long-latency result.
func (b *Board) AwaitsLong(x *program.Inst) bool {
	return b.long.Meets(&x.Uses) || b.lpreds&x.Preds != 0
}

// Occupied reports whether an operation on a register of at least the given number is
// outstanding, whether its result comes from memory, and whether after a long latency.
func (b *Board) Occupied(from int) (wait, memory, long bool) {
	for i := from >> 6; i < len(b.Pending); i++ {
		m := ^uint64(0)
		if i == from>>6 {
			m <<= from & 63
		}
		wait = wait || (b.Pending[i]|b.Reading[i])&m != 0
		memory = memory || b.memory[i]&m != 0
		long = long || b.long[i]&m != 0
	}
	return wait, memory, long
}

// Unfenced reports whether a fence has to wait for memory operations.
func (b *Board) Unfenced() bool { return b.Stores > 0 || b.Loads > 0 }

// Settled reports whether only memory operations of the warp are in flight: every
// operand is read, and every result of other units is written.
func (b *Board) Settled() bool { return b.Reading == program.RegSet{} && b.Flight == b.Loads }

// Done clears the destinations of an operation with a readable result.
func (b *Board) Done(in *ir.Inst) {
	b.Flight--
	b.preds &^= in.T.DstPreds
	b.uniform &^= in.T.DstUniform
	for _, r := range in.T.Dst[:in.T.NDst] {
		b.Pending.Remove(r)
	}
	if program.FromMemory(in.T.Class) {
		b.Loads--
		b.mpreds &^= in.T.DstPreds
		b.lpreds &^= in.T.DstPreds
		for _, r := range in.T.Dst[:in.T.NDst] {
			b.memory.Remove(r)
			b.long.Remove(r)
		}
	}
}

// Read clears the sources of an operation after their reads.
func (b *Board) Read(in *ir.Inst) {
	for _, r := range in.T.Src[:in.T.NSrc] {
		b.readers[r]--
		if b.readers[r] == 0 {
			b.Reading.Remove(r)
		}
	}
}

// Idle reports whether the warp has nothing outstanding.
func (b *Board) Idle() bool { return b.Flight == 0 && b.Stores == 0 }

// Blocking names the registers and predicates blocking an instruction.
func (b *Board) Blocking(x *program.Inst) string {
	var out []string
	for r := range 256 {
		id := ir.RegID(r)
		switch {
		case b.Pending.Has(id) && x.Uses.Has(id) && b.memory.Has(id):
			out = append(out, fmt.Sprintf("R%d (from memory)", r))
		case b.Pending.Has(id) && x.Uses.Has(id):
			out = append(out, fmt.Sprintf("R%d", r))
		case b.Reading.Has(id) && x.Writes.Has(id):
			out = append(out, fmt.Sprintf("R%d (still to be read)", r))
		}
	}
	for p := range 32 {
		if b.preds&x.Preds>>p&1 != 0 {
			out = append(out, fmt.Sprintf("P%d", p))
		}
	}
	return strings.Join(out, ", ")
}
