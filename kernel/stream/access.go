package stream

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Access is the memory access of one dynamic instruction. The accessing lanes are the instruction's executed mask.
// Addresses are byte addresses within Space; local addresses are per-thread offsets.
//
// In the space ir.Barriers, Base is the number of a CTA barrier and Stride the number of warps to release it, 0 for
// all of them. For a wait at an mbarrier, Base is its address in shared memory. Stride is then the number of warp
// instructions of the CTA on this mbarrier (see emu) at the completion of the phase.
//
// A launch has millions of accesses at once, so they are small.
type Access struct {
	// Base and Stride give lane l the address Base + l*Stride, unless addresses are listed.
	Base uint64
	// lists has the listed addresses from Base on; nil: none are listed.
	lists  *[]uint64
	Stride int32
	listed uint8
	// Space is the space of the addresses at execution; Generic, with generic addresses, if the lanes access
	// several spaces.
	Space ir.Space
}

// Fits reports whether an Access can have a stride. Addresses farther apart are listed.
func Fits(stride int64) bool { return int64(int32(stride)) == stride }

// SetRegular sets equidistant addresses.
func (a *Access) SetRegular(space ir.Space, base uint64, stride int32) {
	a.Base, a.Stride, a.Space = base, stride, space
	if a.lists != nil { // the garbage collector tracks every written pointer
		a.lists = nil
	}
}

// SetList sets n addresses, one per executed lane, in lane order. They are in lists from index from on, and are not
// copied.
func (a *Access) SetList(space ir.Space, lists *[]uint64, from, n int) {
	*a = Access{Base: uint64(from), lists: lists, listed: uint8(n), Space: space}
}

// Regular reports whether addresses are equidistant, and not listed.
func (a *Access) Regular() bool { return a.lists == nil }

// List returns one address per executed lane, in lane order; nil if they are not listed.
func (a *Access) List() []uint64 {
	if a.lists == nil {
		return nil
	}
	return (*a.lists)[a.Base : a.Base+uint64(a.listed)]
}

// Lanes writes the address of every lane of mask into out and leaves the other
// entries alone.
func (a *Access) Lanes(mask uint32, out *[32]uint64) {
	if a.lists == nil {
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			out[l] = a.Base + uint64(int64(l)*int64(a.Stride))
		}
		return
	}
	i, list := 0, a.List()
	for m := mask; m != 0; m &= m - 1 {
		out[bits.TrailingZeros32(m)] = list[i]
		i++
	}
}
