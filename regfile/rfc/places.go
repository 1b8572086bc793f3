package rfc

import (
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// nowhere marks a warp without a place.
const nowhere = -1

// places records which warps may have registers in the cache, and where: in a partition each or, with shared
// entries, anywhere.
type places struct {
	of     []int16 `bits:"1+log(of)"` // by warp: its partition; with shared entries 0; or nowhere
	own    []int16 `soft:"constants"` // by warp: its own partition, if every warp has one
	shared bool
	groups int
	free   []int16         `bits:"log(of)" room:"groups"` // partitions without a warp, the next to be assigned last
	away   regfile.WarpSet `bits:"of" room:"1"`           // warps whose registers are being written back
	queue  []uint16        `bits:"log(of)" room:"of"`     // active warps waiting for a partition, in order
}

// init prepares the places. roomy: there is a partition for every warp.
func (p *places) init(s *Spec, part *conventional.Part, groups int, roomy bool) {
	warps := part.Env.Warps
	p.shared, p.groups = s.Organisation == Shared, groups
	p.of, p.queue = make([]int16, warps), make([]uint16, 0, warps)
	for w := range p.of {
		p.of[w] = nowhere
	}
	if p.shared {
		return
	}
	if roomy {
		p.own = make([]int16, warps)
		n := int16(0)
		for w := range p.own {
			if s := w % part.Env.Schedulers; s >= part.First && s < part.First+part.Schedulers {
				p.own[w] = n
				n++
			}
		}
		return
	}
	for g := groups - 1; g >= 0; g-- {
		p.free = append(p.free, int16(g))
	}
}

// leaving reports whether a warp's registers are being written back.
func (p *places) leaving(warp uint16) bool { return p.away.Has(int(warp)) }

// permanent reports whether warps need not be active to have a place.
func (p *places) permanent() bool { return p.shared || p.own != nil }

// enter assigns a place to a warp. It returns false if the warp must wait for one.
func (p *places) enter(warp uint16) bool {
	switch {
	case p.shared:
		p.of[warp] = 0
	case p.own != nil:
		p.of[warp] = p.own[warp]
	case len(p.free) > 0:
		last := len(p.free) - 1
		p.of[warp] = p.free[last]
		p.free = p.free[:last]
	default:
		p.queue = append(p.queue, warp)
		return false
	}
	return true
}

// vacate frees a warp's place. If another warp waits for one, vacate passes the place to it and returns it.
func (p *places) vacate(warp uint16) (next uint16, ok bool) {
	at := p.of[warp]
	p.of[warp] = nowhere
	if p.permanent() {
		return 0, false
	}
	if len(p.queue) == 0 {
		p.free = append(p.free, at)
		return 0, false
	}
	next = p.queue[0]
	p.unqueue(0)
	p.of[next] = at
	return next, true
}

func (p *places) unqueue(i int) {
	p.queue = p.queue[:i+copy(p.queue[i:], p.queue[i+1:])]
}

// gate keeps a cache's active warps without a partition from issuing.
type gate struct {
	closed regfile.WarpSet
	signal wire.Signal[regfile.WarpSet]
}

func (g *gate) shut(warp uint16, closed bool) {
	if g == nil {
		return // no warp waits
	}
	if closed {
		g.closed.Add(int(warp))
	} else {
		g.closed.Remove(int(warp))
	}
	g.signal.Set(g.closed)
}
