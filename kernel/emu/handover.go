package emu

import (
	"slices"
	"sync"

	"kumiko/kernel/stream"
)

// handed has a CTA's streams and their memory.
type handed struct {
	cta      stream.CTA
	runs     []stream.Run
	masks    []uint32
	accesses []stream.Access
	lists    []uint64
	values   []stream.Value // of all warps
	byWarp   [][]stream.Value
}

// mostFree bounds the number of CTA memories kept for reuse. A source needs as many as there are CTAs handed over
// and not yet released. Any more, from many CTAs skipped at once, are left to the garbage collector.
const mostFree = 256

// shelf has the memories of released CTAs, for reuse.
type shelf struct {
	mu   sync.Mutex
	free []*handed
}

func (s *shelf) take() *handed {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return &handed{}
	}
	h := s.free[n-1]
	s.free = s.free[:n-1]
	return h
}

func (s *shelf) put(h *handed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) < mostFree {
		s.free = append(s.free, h)
	}
}

// Release makes the memory of a CTA that is no longer in use available to a later CTA of the source. A CTA never
// released is left to the garbage collector.
func (s *Source) Release(c *stream.CTA) {
	if h, ok := c.Memory.(*handed); ok {
		s.e.shelf.put(h)
	}
}

// sized returns a slice of n elements, in the same memory if large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// stream returns the finished CTA's record, in memory of its own.
func (c *cta) stream() *stream.CTA {
	var runs, masks, accesses, listed int
	for i := range c.warps {
		r := &c.warps[i].rec
		runs, masks, accesses = runs+len(r.runs), masks+len(r.masks), accesses+len(r.accesses)
		listed += len(r.lists)
	}
	h := c.eng.shelf.take()
	h.runs, h.masks = slices.Grow(h.runs[:0], runs), slices.Grow(h.masks[:0], masks)
	h.accesses, h.lists = sized(h.accesses, accesses), slices.Grow(h.lists[:0], listed)
	h.cta = stream.CTA{Index: c.index, Kernel: c.eng.prog.k, Warps: sized(h.cta.Warps, len(c.warps)), Memory: h}
	rs, ms, as := h.runs, h.masks, h.accesses
	for i := range c.warps {
		w := &c.warps[i]
		r, m, a := len(rs), len(ms), len(w.rec.accesses)
		rs, ms = append(rs, w.rec.runs...), append(ms, w.rec.masks...)
		w.rec.copyTo(as, &h.lists)
		h.cta.Warps[i] = stream.Warp{
			Runs: rs[r:len(rs):len(rs)], Masks: ms[m:len(ms):len(ms)], Accesses: as[:a:a],
			Insts: w.insts, Lanes: w.lanes,
		}
		as = as[a:]
	}
	if c.eng.prog.valued {
		h.cta.Values = c.values(h)
	}
	return &h.cta
}

// values returns the classes of the values written by each warp, in the memory of h.
func (c *cta) values(h *handed) [][]stream.Value {
	n := 0
	for i := range c.warps {
		n += len(c.warps[i].rec.values)
	}
	h.values, h.byWarp = slices.Grow(h.values[:0], n), sized(h.byWarp, len(c.warps))
	for i := range c.warps {
		from := len(h.values)
		h.values = append(h.values, c.warps[i].rec.values...)
		h.byWarp[i] = h.values[from:len(h.values):len(h.values)]
	}
	return h.byWarp
}
