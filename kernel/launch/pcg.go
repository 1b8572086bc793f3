package launch

// pcg is PCG-XSH-RR 64/32 (O'Neill, "PCG: A family of simple fast
// space-efficient statistically good algorithms for random number generation",
// 2014), seeded as its reference implementation's pcg32_srandom(seed, 54).
type pcg struct{ state, inc uint64 }

const pcgMultiplier = 6364136223846793005

func newPCG(seed uint64) *pcg {
	g := &pcg{inc: 54<<1 | 1}
	g.next()
	g.state += seed
	g.next()
	return g
}

// next returns one draw of 32 bits.
func (g *pcg) next() uint32 {
	old := g.state
	g.state = old*pcgMultiplier + g.inc
	x := uint32((old>>18 ^ old) >> 27)
	rot := uint32(old >> 59)
	return x>>rot | x<<(-rot&31)
}

// float returns low + (high - low) * u in double precision, u a multiple of 2^-24 in [0, 1).
func (g *pcg) float(low, high float64) float64 {
	u := float64(g.next()>>8) / (1 << 24)
	return low + float64((high-low)*u)
}

// integer returns low + draw mod (high - low + 1). For the whole range of 64 bits it returns the draw itself.
func (g *pcg) integer(low, high int64) int64 {
	d := uint64(g.next())
	if span := uint64(high) - uint64(low) + 1; span != 0 {
		d %= span
	}
	return int64(uint64(low) + d)
}
