package emu

import (
	"unsafe"

	"kumiko/kernel/stream"
)

// recorder collects the stream of one warp.
type recorder struct {
	on       bool
	runs     []stream.Run
	masks    []uint32
	accesses []stream.Access
	listed   int // addresses in the lists of accesses
}

func (r *recorder) reset() {
	r.runs, r.masks, r.accesses, r.listed = r.runs[:0], r.masks[:0], r.accesses[:0], 0
}

// bytes is what the record takes.
func (r *recorder) bytes() int {
	const run, access = int(unsafe.Sizeof(stream.Run{})), int(unsafe.Sizeof(stream.Access{}))
	return run*len(r.runs) + 4*len(r.masks) + access*len(r.accesses) + 8*r.listed
}

// run adds consecutive instructions; a run that continues the one before it
// becomes part of it.
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

// arena hands out the address lists of accesses from chunks: a chunk lives as
// long as a CTA that has a list in it.
type arena struct{ free []uint64 }

const arenaChunk = 8192

func (a *arena) take(n int) []uint64 {
	if len(a.free) < n {
		a.free = make([]uint64, arenaChunk)
	}
	s := a.free[:n:n]
	a.free = a.free[n:]
	return s
}
