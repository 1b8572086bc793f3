package ltrf

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/storage"
	"kumiko/regfile"
)

// State returns the storage of the main file, of the cache and of the blocks around it. The control blocks hold the
// state counted by the paper (section 4.2): an address table with a bank's number and a valid bit for each of 256
// registers, an offset, the working set, and the liveness vector. All other state of the model is marked apart. The
// last rows have the fields without a row of their own.
func (f *File) State() []regfile.State {
	s := &f.spec
	n := len(f.parts)
	warps := f.warps / n
	bankBits, offsetBits := width(s.Banks), width(f.parts[0].offsets)
	entries := s.Banks * f.parts[0].offsets
	out := f.File.State()
	add := func(block, what string, count, size, width int, ports string, kind storage.Kind) {
		out = append(out, regfile.State{Block: block, What: what, Count: n * count, Bits: n * count * size,
			Ports: ports, Kind: kind, Width: width})
	}
	apart := func(block, what string, count, size int) {
		add(block, what, count, size, size, "", storage.FlipFlop)
		out[len(out)-1].Apart = true
	}
	add("Cache", "registers", s.Banks, f.parts[0].offsets*8*bank.RegisterBytes, 8*bank.RegisterBytes,
		f.parts[0].bankSpec().Ports.String(), storage.SRAM)
	add("WCB", "address table, offset, working set, liveness", warps, registers*(bankBits+1)+offsetBits+2*registers,
		bankBits+3, "", storage.SRAM) // an entry and the bits of its register
	out[len(out)-1].CellPorts = fmt.Sprintf("%dr1w", s.Lookups)
	apart("Allocation", "unused and occupied banks", warps, s.Banks*(bankBits+1))
	apart("Allocation", "unused offsets", 1, f.parts[0].offsets*(offsetBits+1))
	apart("WCB", "results awaited, in some lanes or all", warps, 2*registers)
	apart("WCB", "registers and results on their way to the main file", warps,
		registers*(1+width(f.parts[0].WriteRoom+2)))
	apart("WCB", "lanes that came before their register", 1, entries*32)
	if s.WriteBack == Dirty {
		apart("WCB", "dirty bits", warps, registers)
	}
	apart("Back", "registers that wait for the crossbar", s.Banks, s.BackBuffers*8*bank.RegisterBytes)
	return append(out, f.otherState()...)
}

// otherState returns the state in fields outside all other rows.
func (f *File) otherState() (out []regfile.State) {
	add := func(block string, b any) {
		i := slices.IndexFunc(out, func(r regfile.State) bool { return r.Block == block })
		if i < 0 {
			i = len(out)
			out = append(out, regfile.State{Block: block, What: "other state of the model", Kind: storage.FlipFlop,
				Apart: true})
		}
		out[i].Count++
		out[i].Bits += storage.Of(b).Bits()
		out[i].Width = out[i].Bits / out[i].Count
	}
	for _, p := range f.parts {
		add("WCB", p.wcb)
		add("Sequencer", p.sequencer)
		add("Allocation", p.allocation)
		add("Fill", p.fill)
		add("Back", p.back)
		add("CacheArbiter", p.arbiter)
		add("BackCrossbar", p.returns)
	}
	return out
}

// registers is the number of register numbers.
const registers = 256

// width returns the number of bits of a number below n.
func width(n int) int { return bits.Len(uint(n - 1)) }
