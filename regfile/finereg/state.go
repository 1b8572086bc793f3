package finereg

import (
	"math/bits"

	"kumiko/memsys/req"
	"kumiko/regfile"
)

// What the entries of tables have (section V.F).
const (
	pcBits     = 32
	vectorBits = 64
	countBits  = 6
	regBits    = 6
	flagBits   = 2 // valid, end
)

// State is the storage of the ACRF, of the PCRF, and of what manages it. The tags are
// counted by their fields, of which the paper's 21 bits are fewer; what the paper counts
// not at all is apart.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.most
	pointer := bits.Len(uint(max(n, 2) - 1))
	warp := bits.Len(uint(maxWarpsOfCTA - 1))
	one := func(block, what string, n int, apart bool) regfile.State {
		return regfile.State{Block: block, What: what, Count: 1, Bits: n, Ports: "1rw", Apart: apart}
	}
	return append(f.File.State(),
		one("PCRF", "registers", n*8*req.LineBytes, false),
		one("PCRF", "tags", n*(flagBits+pointer+warp+regBits), false),
		one("Manager", "pointer table", f.ctas*(pointer+countBits), false),
		one("Manager", "live register cache", s.Lines*(pcBits+vectorBits), false),
		one("Manager", "transfer buffer", 8*req.LineBytes, false),
		one("Manager", "free space monitor", n, true),
	)
}

// maxWarpsOfCTA is how many warps of a CTA a tag can name.
const maxWarpsOfCTA = 32
