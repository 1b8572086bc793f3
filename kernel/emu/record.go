package emu

import (
	"slices"
	"unsafe"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// recorder collects the stream of one warp.
type recorder struct {
	on       bool
	runs     []stream.Run
	masks    []uint32
	accesses []recorded
	lists    []uint64 // addresses of accesses with listed addresses, one access after the other
	values   []stream.Value
}

// recorded is a stream.Access without a pointer, so the garbage collector does not scan the accesses of a CTA
// before the hand-over.
type recorded struct {
	base   uint64
	stride int32
	n      uint8 // addresses listed
	space  ir.Space
}

func (r *recorder) reset() {
	r.runs, r.masks, r.accesses, r.lists = r.runs[:0], r.masks[:0], r.accesses[:0], r.lists[:0]
	r.values = r.values[:0]
}

// bytes returns the size of the record.
func (r *recorder) bytes() int {
	const run, access = int(unsafe.Sizeof(stream.Run{})), int(unsafe.Sizeof(stream.Access{}))
	return run*len(r.runs) + 4*len(r.masks) + access*len(r.accesses) + 8*len(r.lists) + len(r.values)
}

// run adds consecutive instructions. A continuation of the last run becomes part of it.
func (r *recorder) run(n stream.Run) {
	if !r.on {
		return
	}
	if k := len(r.runs); k > 0 {
		last := &r.runs[k-1]
		if last.Mask == n.Mask && last.PC+last.N == n.PC {
			last.N += n.N
			return
		}
	}
	r.runs = append(r.runs, n)
}

func (r *recorder) mask(m uint32) {
	if r.on {
		r.masks = append(r.masks, m)
	}
}

// regular adds an access at equidistant addresses.
func (r *recorder) regular(space ir.Space, base uint64, stride int32) {
	r.accesses = append(r.accesses, recorded{base: base, stride: stride, space: space})
}

// list adds an access at n addresses and returns the list, to be filled in at once.
func (r *recorder) list(space ir.Space, n int) []uint64 {
	r.accesses = append(r.accesses, recorded{n: uint8(n), space: space})
	at := len(r.lists)
	r.lists = slices.Grow(r.lists, n)[:at+n]
	return r.lists[at:]
}

// copyTo writes the accesses to out, which must be large enough, and appends their listed addresses to lists.
// Pointers are written one by one, only where there are or were any, because a running garbage collector tracks
// every write of a structure with pointers.
func (r *recorder) copyTo(out []stream.Access, lists *[]uint64) {
	at := len(*lists)
	*lists = append(*lists, r.lists...)
	for i := range r.accesses {
		a, o := &r.accesses[i], &out[i]
		if n := int(a.n); n > 0 {
			o.SetList(a.space, lists, at, n)
			at += n
		} else {
			o.SetRegular(a.space, a.base, a.stride)
		}
	}
}
