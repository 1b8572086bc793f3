package sass

import (
	"fmt"
	"math/bits"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Address modes of a line.
const (
	listed     = 0
	strided    = 1
	deltas     = 2
	bulkListed = 3
	bulkDeltas = 4
)

// addresses are the addresses of a line's lanes.
type addresses struct {
	regular bool // lane l's is base + l*stride
	base    uint64
	stride  int64
	lane    [32]uint64 // otherwise
}

// fourNumbers describes the beginning of a line in traces of versions before shortLines.
const fourNumbers = "thread block and warp, four numbers (tracer version 0 to 2, or none)"

// head reads the address and the mask of a line. The mask may have only lanes of the warp.
func (h *Header) head(f *fields, lanes uint32) (pc uint64, mask uint32, source int32, err error) {
	for n := 0; h.Version < shortLines && n < 4; n++ {
		if _, err := f.count(1<<31-1, fourNumbers); err != nil {
			return 0, 0, 0, err
		}
	}
	if h.LineInfo {
		n, err := f.count(1<<31-1, "a line number")
		if err != nil {
			return 0, 0, 0, err
		}
		source = int32(n)
	}
	if pc, err = f.hex("the address of an instruction"); err != nil {
		return 0, 0, 0, err
	}
	f.space()
	from := f.i
	m, err := f.hex("a mask of 32 lanes")
	if err == nil && m>>32 != 0 {
		err = f.bad(from, "a mask of 32 lanes")
	}
	if err == nil && uint32(m)&^lanes != 0 {
		err = f.bad(from, fmt.Sprintf("lanes of %08x, those of the warp in a block of %d threads", lanes, h.Threads()))
	}
	return pc, uint32(m), source, err
}

// memory reads the addresses of a line, behind the memory width.
func (a *addresses) memory(f *fields, mask uint32) error {
	f.space()
	from := f.i
	mode, err := f.integer("an address mode, 0 to 2")
	if err != nil {
		return err
	}
	a.regular = false
	switch mode {
	case listed:
		for m := mask; m != 0; m &= m - 1 {
			if a.lane[bits.TrailingZeros32(m)], err = f.hex("the address of each lane in the mask"); err != nil {
				return err
			}
		}
		return nil
	case strided:
		base, err := f.hex("a base address")
		if err != nil {
			return err
		}
		f.space()
		from := f.i
		if a.stride, err = f.signed("a stride"); err != nil {
			return err
		}
		if leaves(base, a.stride, mask) {
			return f.bad(from, "a stride by which no lane's address leaves 64 bits")
		}
		a.regular = true
		a.base = base - uint64(a.stride*int64(bits.TrailingZeros32(mask)&31))
		return nil
	case deltas:
		return a.deltas(f, mask)
	}
	return f.bad(from, "an address mode, 0 to 2")
}

// leaves reports whether an address of the lanes of a mask is below 0 or beyond 64 bits. base is the first lane's
// address.
func leaves(base uint64, stride int64, mask uint32) bool {
	if mask == 0 {
		return false
	}
	lanes := uint64(31 - bits.LeadingZeros32(mask) - bits.TrailingZeros32(mask))
	if stride < 0 {
		high, low := bits.Mul64(-uint64(stride), lanes)
		return high != 0 || low > base
	}
	high, low := bits.Mul64(uint64(stride), lanes)
	return high != 0 || base+low < base
}

func (a *addresses) deltas(f *fields, mask uint32) error {
	addr, err := f.hex("a base address")
	if err != nil || mask == 0 {
		return err
	}
	a.lane[bits.TrailingZeros32(mask)] = addr
	for m := mask & (mask - 1); m != 0; m &= m - 1 {
		f.space()
		from := f.i
		d, err := f.integer("a delta for each further lane in the mask")
		if err != nil {
			return err
		}
		next := addr + uint64(d)
		if (next < addr) != (f.b[from] == '-') {
			return f.bad(from, "a delta by which the address does not leave 64 bits")
		}
		addr = next
		a.lane[bits.TrailingZeros32(m)] = addr
	}
	return nil
}

// bulk skips the addresses of the tensor memory accelerator: a mode, a base if there is one, and the counted
// addresses or differences.
func bulk(f *fields) error {
	f.space()
	from := f.i
	mode, err := f.integer("an address mode")
	if err != nil {
		return err
	}
	skip := 0
	switch mode {
	case listed, bulkListed:
	case deltas, bulkDeltas:
		if _, err = f.hex("a base address"); err != nil {
			return err
		}
		skip = 1
	default:
		return f.bad(from, "an address mode of a bulk copy")
	}
	n, err := f.count(1<<20, "a number of addresses")
	for ; err == nil && n > skip; n-- {
		if len(f.word()) == 0 {
			err = f.bad(f.i, "an address")
		}
	}
	return err
}

// tail reads the rest of a line: up to two immediates, and from some tracers of version 6 the word Val with the
// written values, or NoVal.
func tail(f *fields, imms []int64) ([]int64, error) {
	for f.space() {
		from := f.i
		if f.b[f.i] == 'V' || f.b[f.i] == 'N' {
			w := string(f.word())
			if w == "Val" {
				f.i = len(f.b)
				return imms, nil
			}
			if w == "NoVal" && !f.space() {
				return imms, nil
			}
			return imms, f.bad(from, "the end of the line")
		}
		if len(imms) == 2 {
			return imms, f.bad(from, "the end of the line")
		}
		v, err := f.integer("an immediate")
		if err != nil {
			return imms, err
		}
		imms = append(imms, v)
	}
	return imms, nil
}

// access converts the addresses to the form of streams, within their space. space is the space of the instruction;
// the windows are those of the trace.
func (h *Header) access(a *addresses, mask uint32, space ir.Space, lists *[]uint64) stream.Access {
	if !a.regular {
		a.regularize(mask)
	}
	switch space {
	case ir.Generic:
		return h.generic(a, mask, lists)
	case ir.Shared:
		h.rebase(a, mask, h.SharedBase, windowSize)
	case ir.Local:
		h.rebase(a, mask, h.LocalBase, windowSize)
	case ir.Const:
		h.rebase(a, mask, ir.ConstWindow, ir.ConstWindowSize)
	case ir.Param:
		h.rebase(a, mask, ir.ParamWindow, ir.ParamWindowSize)
	}
	return a.stream(mask, space, lists)
}

// regularize checks whether listed addresses have one stride, and stores it.
func (a *addresses) regularize(mask uint32) {
	first := bits.TrailingZeros32(mask) & 31
	base, stride := a.lane[first], int64(0)
	if rest := mask & (mask - 1); rest != 0 {
		second := bits.TrailingZeros32(rest) & 31
		d := int64(a.lane[second] - base)
		stride = d / int64(second-first)
		if stride*int64(second-first) != d {
			return
		}
	}
	base -= uint64(stride * int64(first))
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if a.lane[l] != base+uint64(stride*int64(l)) {
			return
		}
	}
	a.regular, a.base, a.stride = true, base, stride
}

// address returns the address that lane l accesses.
func (a *addresses) address(l int) uint64 {
	if a.regular {
		return a.base + uint64(a.stride*int64(l))
	}
	return a.lane[l]
}

// rebase makes addresses relative to a window if the first is in it.
func (h *Header) rebase(a *addresses, mask uint32, base, size uint64) {
	if a.address(bits.TrailingZeros32(mask)&31)-base < size {
		a.add(mask, -base)
	}
}

func (a *addresses) add(mask uint32, d uint64) {
	a.base += d
	if !a.regular {
		for m := mask; m != 0; m &= m - 1 {
			a.lane[bits.TrailingZeros32(m)] += d
		}
	}
}

// generic finds the space of generic addresses. Addresses in several spaces are moved to the windows of package ir.
func (h *Header) generic(a *addresses, mask uint32, lists *[]uint64) stream.Access {
	space, base := h.window(a.address(bits.TrailingZeros32(mask) & 31))
	mixed := false
	for m := mask & (mask - 1); m != 0; m &= m - 1 {
		s, _ := h.window(a.address(bits.TrailingZeros32(m)))
		mixed = mixed || s != space
	}
	if !mixed {
		a.add(mask, -base)
		return a.stream(mask, space, lists)
	}
	to := [...]uint64{ir.Global: 0, ir.Shared: ir.SharedWindow, ir.Local: ir.LocalWindow, ir.Const: ir.ConstWindow,
		ir.Param: ir.ParamWindow}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		v := a.address(l)
		s, b := h.window(v)
		a.lane[l] = v - b + to[s]
	}
	a.regular = false
	return a.stream(mask, ir.Generic, lists)
}

// window returns the space of a generic address and the start address of its window. The constant windows occur
// only in traces written by Kumiko.
func (h *Header) window(v uint64) (ir.Space, uint64) {
	switch {
	case h.SharedBase != 0 && v-h.SharedBase < windowSize:
		return ir.Shared, h.SharedBase
	case h.LocalBase != 0 && v-h.LocalBase < windowSize:
		return ir.Local, h.LocalBase
	case h.own != nil && v-ir.ConstWindow < ir.ConstWindowSize:
		return ir.Const, ir.ConstWindow
	case h.own != nil && v-ir.ParamWindow < ir.ParamWindowSize:
		return ir.Param, ir.ParamWindow
	}
	return ir.Global, 0
}

func (a *addresses) stream(mask uint32, space ir.Space, lists *[]uint64) stream.Access {
	var s stream.Access
	if a.regular && stream.Fits(a.stride) {
		s.SetRegular(space, a.base, int32(a.stride))
		return s
	}
	from := len(*lists)
	for m := mask; m != 0; m &= m - 1 {
		*lists = append(*lists, a.address(bits.TrailingZeros32(m)))
	}
	s.SetList(space, lists, from, bits.OnesCount32(mask))
	return s
}
