package sched

import "kumiko/kernel/ir"

// fetches are the texture fetches of a warp with a counter raised for their results, in program order. A texture unit
// returns the results of a warp in order, and programs count on that: DEPBAR.LE SB5, 0x2 behind four fetches waits for
// the first two of them. In the memory system here a fetch that hits may overtake another, so its counter goes down
// only when those before it have gone down.
type fetches struct {
	list [mostFetches]fetched
	n    uint8
}

// fetched is a fetch in flight.
type fetched struct {
	tag     uint32
	counter uint8
	done    bool
}

// mostFetches bounds the fetches whose counters go down in order. Code of ptxas stays below it, because each fetch in
// flight needs registers for its result. A fetch beyond the bound lowers its counter when it is done, in any order.
const mostFetches = 32

// add notes a fetch.
func (f *fetches) add(tag uint32, in *ir.Inst) {
	if f.n < mostFetches {
		f.list[f.n] = fetched{tag: tag, counter: in.Control.Write}
		f.n++
	}
}

// done notes that a fetch has its result, and calls lower with the counters that go down.
func (f *fetches) done(tag uint32, in *ir.Inst, lower func(counter uint8)) {
	known := false
	for i := range f.list[:f.n] {
		if x := &f.list[i]; x.tag == tag {
			x.done, known = true, true
		}
	}
	if !known {
		lower(in.Control.Write)
		return
	}
	first := uint8(0)
	for ; first < f.n && f.list[first].done; first++ {
		lower(f.list[first].counter)
	}
	f.n = uint8(copy(f.list[:], f.list[first:f.n]))
}
