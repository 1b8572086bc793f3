package timeline

import "kumiko/components/bank"

// grant is an access that a bank starts.
type grant struct {
	at  uint64 // cycle
	tag uint32
	held
}

// grants are the last accesses of a bank, in the order of their start. The ring is several times as long as the queues
// before a bank (regfile.conventional.bank_queue, 16 reads and 16 writes). If an access waits for longer than the ring
// reaches back, as it may for room in a queue, the holder in the first cycles of the wait is not known.
type grants struct {
	ring [128]grant
	n    int // accesses so far
}

// add appends an access.
func (g *grants) add(at uint64, a *bank.Access, register int) {
	g.ring[g.n%len(g.ring)] = grant{at, a.Tag, held{a.Cause, a.Kind, register}}
	g.n++
}

// holder returns the holder of the bank in a cycle, as seen by a waiting access of the given kind (see Profile). It
// returns nil if the cycle is older than the ring.
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
