package residency

import (
	"slices"

	"kumiko/regfile"
)

// role is where a CTA of a grid finds room on an SM: in a pair, or with all registers to itself.
type role struct {
	pair *pair // nil: none
	side int
}

// pair are two CTAs of a grid on an SM that share registers. One of them may be missing.
type pair struct {
	grid  *Grid
	first int     // of its places for shared registers, one for each warp
	there [2]bool // its CTAs
}

// pairsOf are the pairs of an SM.
type pairsOf struct {
	taken []bool // places for shared registers
	pairs []*pair
}

// needs returns the resources that a CTA of a grid takes when it gets the role, and gives back when it retires. A CTA
// whose partner is missing counts as one that shares none, so that the partner takes Second registers alone.
func (x *role) needs(g *Grid) Needs {
	n := g.Needs
	if x.pair != nil && x.pair.there[1-x.side] {
		n.Registers = g.Second
	}
	return n
}

// notice returns the role of a CTA of a grid as the register file takes it.
func (x *role) notice(g *Grid) regfile.Role {
	out := regfile.Role{Kernel: uint16(g.Kernel), Pair: regfile.NoPair, Side: uint8(x.side),
		Registers: uint32(g.Needs.Registers)}
	if x.pair != nil {
		out.Pair = int16(x.pair.first)
	}
	return out
}

// role returns the role for the next CTA of a grid on an SM. As long as there are registers for a whole CTA it is the
// first of a new pair, or, beyond the most pairs, alone. Then it joins one that lacks its partner.
func (s *sideBySide) role(sm int, g *Grid) (role, bool) {
	x, n := role{}, g.Needs
	if s.room(sm, g, &n) {
		x.pair = s.pairs[sm].open(g)
		return x, true
	}
	if x.pair = s.pairs[sm].single(g); x.pair == nil {
		return role{}, false
	}
	if x.pair.there[0] {
		x.side = 1
	}
	n = x.needs(g)
	return x, s.room(sm, g, &n)
}

// open returns a new pair for a grid, or nil if it has as many as it may, or no places for shared registers are free.
func (p *pairsOf) open(g *Grid) *pair {
	n, warps := 0, g.Needs.Warps
	for _, x := range p.pairs {
		if x.grid == g {
			n++
		}
	}
	if n >= g.Pairs {
		return nil
	}
	for i := 0; i+warps <= len(p.taken); i++ {
		if !slices.Contains(p.taken[i:i+warps], true) {
			return &pair{grid: g, first: i}
		}
	}
	return nil
}

// single returns the first pair of a grid that lacks a CTA, or nil.
func (p *pairsOf) single(g *Grid) *pair {
	for _, x := range p.pairs {
		if x.grid == g && x.there[0] != x.there[1] {
			return x
		}
	}
	return nil
}

// enter gives a role to a CTA.
func (p *pairsOf) enter(x *role) {
	if x.pair == nil {
		return
	}
	if x.pair.there == [2]bool{} {
		p.pairs = append(p.pairs, x.pair)
		p.take(x.pair, true)
	}
	x.pair.there[x.side] = true
}

// leave takes a role from a CTA that has retired.
func (p *pairsOf) leave(x *role) {
	if x.pair == nil {
		return
	}
	x.pair.there[x.side] = false
	if x.pair.there == [2]bool{} {
		p.pairs = slices.DeleteFunc(p.pairs, func(o *pair) bool { return o == x.pair })
		p.take(x.pair, false)
	}
}

func (p *pairsOf) take(x *pair, taken bool) {
	for i := range x.grid.Needs.Warps {
		p.taken[x.first+i] = taken
	}
}
