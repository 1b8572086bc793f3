package wire

// half is one of two sets of partitions whose links all lead to the other set, such as the SMs and the rest of the
// chip.
//
// One worker simulates the halves in turn. What a half sends arrives a window later at the earliest, so each half may
// run up to a window beyond the other. A turn takes a half two windows further, so the state of its partitions comes
// into the caches half as often.
type half struct {
	parts []*Partition
	until Cycle // of the window's clock: nothing before this cycle is left to do
	turns uint64
}

// split divides the partitions into two halves, followers with their leaders. A partition without links is in the
// first. Both halves are empty if links join an odd number of partitions in a ring, or if one between a follower and
// its leader is shorter than the two windows of a turn.
func (e *Engine) split(w window) (halves [2]half) {
	side := make([]int, len(e.parts)) // 1 or 2; 0: not known yet
	for _, p := range e.parts {
		if side[p.index] != 0 {
			continue
		}
		side[p.index] = 1
		for spread := true; spread; {
			spread = false
			for _, c := range e.crossings {
				if related(c.from.part, c.to.part) {
					if c.span().compare(edge{2 * w.cycles, w.hz}) < 0 {
						return [2]half{}
					}
					continue
				}
				a, b := &side[c.from.part.index], &side[c.to.part.index]
				switch {
				case *a != 0 && *a == *b:
					return [2]half{}
				case *a != 0 && *b == 0:
					*b, spread = 3-*a, true
				case *b != 0 && *a == 0:
					*a, spread = 3-*b, true
				}
			}
		}
	}
	for _, p := range e.parts {
		if p.leader != nil {
			continue
		}
		h := &halves[side[p.index]-1]
		h.parts = append(h.parts, p)
	}
	return halves
}

// nextTurn returns the half to run next and the end of its turn. No tick is left before cycle first of the window's
// clock.
func (e *Engine) nextTurn(first Cycle, w window) (*half, bound) {
	h, other := &e.halves[0], &e.halves[1]
	h.until, other.until = max(h.until, first), max(other.until, first)
	if other.until < h.until {
		h, other = other, h
	}
	h.until = other.until + w.cycles
	return h, bound{edge{h.until, w.hz}, false}
}

// catchUp runs the half behind up to the end of the other's turn, so that a stop leaves both at the same time.
func (e *Engine) catchUp(w window, limit bound) {
	h, other := &e.halves[0], &e.halves[1]
	if other.until < h.until {
		h, other = other, h
	}
	if h.until < other.until {
		h.until = other.until
		h.run(bound{edge{h.until, w.hz}, false}.earlier(limit))
		e.exchange(0)
	}
}

// run runs the partitions of the half up to the bound.
func (h *half) run(b bound) {
	h.turns++
	for k := range h.parts {
		h.parts[turn(k, len(h.parts), h.turns)].runWithFollowers(b, h.turns)
	}
}
