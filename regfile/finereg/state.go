package finereg

import (
	"math/bits"

	"kumiko/components/storage"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// Bits of the entries of tables (section V.F). The width of register numbers and live vectors follows from the
// registers of a thread (sm.max_registers_per_thread): 6 and 64 bits for the paper's.
const (
	pcBits    = 32
	countBits = 6 // of the paper's pointer table
	flagBits  = 2 // valid, end
	// Of an awaited result: valid, and the state of its register (to leave, in transit, or in the PCRF).
	awaitedBits = 3
)

// State returns the storage of the ACRF, of the PCRF, and of the blocks managing it. The tags are counted by their
// fields, more than the paper's 21 bits. State not counted by the paper is marked apart.
//
// The model keeps a place for every register (RMU.where), in none of these rows. Hardware derives the place from
// the rows: registers are in the ACRF unless their CTA is away, a register of such a CTA is live if it is in the
// chain of the CTA, and only the CTAs of one order have registers in transit.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.most
	pointer := bits.Len(uint(max(n, 2) - 1))
	reg, vector := bits.Len(uint(f.registers-1)), f.registers
	warp := bits.Len(uint(maxWarpsOfCTA - 1))
	one := func(block, what string, entries, width int, kind storage.Kind) regfile.State {
		return regfile.State{Block: block, What: what, Count: 1, Bits: entries * width, Ports: "1rw", Kind: kind,
			Width: width}
	}
	apart := func(what string, entries, width int, kind storage.Kind) regfile.State {
		r := one("RMU", what, entries, width, kind)
		r.Apart = true
		return r
	}
	all := f.File.State()
	registers := one("PCRF", "registers", n, 8*req.LineBytes, storage.SRAM)
	registers.CellPorts = all[0].Ports // those of the register file, of which the PCRF is a part
	all = append(all, registers,
		one("PCRF", "tags", n, flagBits+pointer+warp+reg, storage.SRAM),
		one("RMU", "pointer table", f.ctas, pointer+countBits, storage.SRAM),
		one("RMU", "live register cache", s.Lines, pcBits+vector, storage.SRAM),
		one("RMU", "transfer buffer", 1, 8*req.LineBytes, storage.FlipFlop),
		apart("free space monitor", 1, n, storage.FlipFlop),
		apart("counts above six bits", f.ctas, max(0, bits.Len(uint(n))-countBits), storage.SRAM),
		apart("live vectors of the CTA that goes", maxWarpsOfCTA, vector, storage.SRAM),
		apart("register that waits for its place", 1, 8*req.LineBytes+warp+reg, storage.FlipFlop),
	)
	if s.Returns == ReturnTable {
		context := bits.Len(uint(f.contexts - 1))
		all = append(all, apart("awaited results", s.Awaited, awaitedBits+context+reg+pointer, storage.CAM))
	}
	return all
}

// maxWarpsOfCTA is the most warps of a CTA distinguished by a tag.
const maxWarpsOfCTA = 32
