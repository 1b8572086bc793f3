package timeline

import "kumiko/components/bank"

// grant is an access that a bank starts.
type grant struct {
	at    uint64 // cycle
	tag   uint32
	cause bank.Cause
	kind  bank.Kind
}

// grants are the last accesses of a bank, in the order of their start.
type grants struct {
	ring [128]grant
	n    int // accesses so far
}

// add appends an access.
func (g *grants) add(at uint64, a *bank.Access) {
	g.ring[g.n%len(g.ring)] = grant{at, a.Tag, a.Cause, a.Kind}
	g.n++
}

// holder returns the access that holds the bank in a cycle in which an access of a kind
// waits, or nil if that cycle is older than the ring.
func (g *grants) holder(cycle uint64, kind bank.Kind) *grant {
	var last, other *grant
	for i := g.n - 1; i >= max(0, g.n-len(g.ring)) && last == nil; i-- {
		x := &g.ring[i%len(g.ring)]
		switch {
		case x.at > cycle:
			continue
		case x.at == cycle && (x.kind == bank.Read) == (kind == bank.Read):
			return x
		case x.at == cycle:
			other = x
			continue
		}
		last = x
	}
	if other != nil {
		return other
	}
	return last
}
