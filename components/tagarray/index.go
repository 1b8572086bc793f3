package tagarray

import (
	"math/bits"

	"kumiko/components/spec"
)

// indexBytes is the number of low bytes of a line number used by the hashed indices: 40 bits, enough for addresses
// of 47 bits with lines of 128 bytes.
const indexBytes = 5

// irreducible has an irreducible polynomial over GF(2) of each degree, bit i
// being the coefficient of x^i.
var irreducible = [...]uint32{
	1: 0x3, 2: 0x7, 3: 0xb, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11d,
	9: 0x211, 10: 0x409, 11: 0x805, 12: 0x1053, 13: 0x201b, 14: 0x4443,
}

// Index distributes line numbers over n places: the sets of a cache, or the slices of a memory.
type Index struct {
	n uint64
	// rows maps each byte of a line number to its share of the place; the
	// shares are combined by exclusive or. nil: line number mod n.
	rows *[indexBytes][256]uint16 `soft:"constants: gates in hardware"`
	mask uint64                   // n-1 when n is a power of two, for linear
	// parts and run describe an interleaving: see Interleaved. parts 0: none.
	parts uint64
	run   uint
}

// CheckIndex refuses an unknown index function, and a hashed one over a number of places other than a power of two.
func CheckIndex(kind string, n int) error {
	switch kind {
	case "linear":
		return nil
	case "xor", "ipoly":
		if bits.OnesCount(uint(n)) != 1 || n >= 1<<len(irreducible) {
			return spec.Errorf("index", kind, "linear, because %d is not a power of two up to %d", n,
				1<<(len(irreducible)-1))
		}
		return nil
	}
	return spec.Errorf("index", kind, "linear, xor or ipoly")
}

// NewIndex returns the index function of the given kind over n places. kind and n must have passed CheckIndex.
func NewIndex(kind string, n int) Index {
	x := Index{n: uint64(n)}
	if n&(n-1) == 0 {
		x.mask = uint64(n - 1)
	}
	if kind == "linear" || n == 1 {
		return x
	}
	degree := bits.Len(uint(n - 1))
	x.rows = new([indexBytes][256]uint16)
	var column [indexBytes * 8]uint16 // the place of each single bit
	power := uint32(1)                // x^i mod the polynomial
	for i := range column {
		if kind == "xor" {
			column[i] = 1 << (i % degree)
			continue
		}
		column[i] = uint16(power)
		power <<= 1
		if power>>degree != 0 {
			power ^= irreducible[degree]
		}
	}
	for b := range x.rows {
		for v := range x.rows[b] {
			for m := uint(v); m != 0; m &= m - 1 {
				x.rows[b][v] ^= column[b*8+bits.TrailingZeros(m)]
			}
		}
	}
	return x
}

// Interleaved returns the index of an array that sees only one in every parts runs of 1<<run lines. Line numbers
// are first closed up over the missing runs; otherwise some places would never be used.
func (x Index) Interleaved(run uint, parts int) Index {
	x.run, x.parts = run, uint64(parts)
	return x
}

// Of returns the place of a line number.
func (x *Index) Of(line uint64) int {
	if x.parts > 1 {
		line = line>>x.run/x.parts<<x.run | line&(1<<x.run-1)
	}
	if x.rows == nil {
		if x.mask != 0 || x.n == 1 {
			return int(line & x.mask)
		}
		return int(line % x.n)
	}
	r := x.rows
	return int(r[0][line&255] ^ r[1][line>>8&255] ^ r[2][line>>16&255] ^ r[3][line>>24&255] ^ r[4][line>>32&255])
}
