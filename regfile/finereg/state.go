package finereg

import (
	"math/bits"

	"kumiko/memsys/req"
	"kumiko/regfile"
)

// Bits of the entries of tables (section V.F).
const (
	pcBits     = 32
	vectorBits = 64
	countBits  = 6
	regBits    = 6
	flagBits   = 2 // valid, end
	// Of an awaited result: valid, and whether its register is to go, is on its way, or is in the PCRF.
	awaitedBits = 3
)

// State returns the storage of the ACRF, of the PCRF, and of the blocks that manage it. The
// tags are counted by their fields, which are more than the paper's 21 bits. State that the
// paper does not count is marked apart.
//
// The model keeps a place for every register (Manager.where) in none of these rows. Hardware knows the
// place from the rows: registers are in the ACRF unless their CTA is away, a register of such a CTA is
// live if it is in the chain of the CTA, and only the CTAs of one order have registers on the way.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.most
	pointer := bits.Len(uint(max(n, 2) - 1))
	warp := bits.Len(uint(maxWarpsOfCTA - 1))
	one := func(block, what string, n int, apart bool) regfile.State {
		return regfile.State{Block: block, What: what, Count: 1, Bits: n, Ports: "1rw", Apart: apart}
	}
	all := append(f.File.State(),
		one("PCRF", "registers", n*8*req.LineBytes, false),
		one("PCRF", "tags", n*(flagBits+pointer+warp+regBits), false),
		one("Manager", "pointer table", f.ctas*(pointer+countBits), false),
		one("Manager", "live register cache", s.Lines*(pcBits+vectorBits), false),
		one("Manager", "transfer buffer", 8*req.LineBytes, false),
		one("Manager", "free space monitor", n, true),
		one("Manager", "live vectors of the CTA that goes", maxWarpsOfCTA*vectorBits, true),
		one("Manager", "register that waits for its place", 8*req.LineBytes+warp+regBits, true),
	)
	if s.Returns == ReturnTable {
		context := bits.Len(uint(f.contexts - 1))
		all = append(all, one("Manager", "awaited results", s.Awaited*(awaitedBits+context+regBits+pointer), true))
	}
	return all
}

// maxWarpsOfCTA is the number of warps of a CTA that a tag can name.
const maxWarpsOfCTA = 32
