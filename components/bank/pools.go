package bank

// AddPools makes room for pools: places for registers that several warps share.
// A pool takes the place of a further warp context. It is called once, before
// banks of Entries are built.
func (x *Index) AddPools(n int) {
	for w := range x.shift {
		x.pool = append(x.pool, uint16(w))
	}
	for i := range n {
		x.shift = append(x.shift, x.shiftOf(len(x.pool)+i))
	}
}

// Split says from which register number on the warps that share a pool have
// their registers there, at least 0; what they hold is lost.
func (x *Index) Split(first int) { x.split = min(first, NoSplit) }

// Share gives a warp context a pool; a negative one: it has all registers for
// itself, as it is after AddPools. No operation of the context may be under way.
func (x *Index) Share(warp uint16, pool int) {
	if pool < 0 {
		x.pool[warp] = warp
		return
	}
	x.pool[warp] = uint16(len(x.pool) + pool)
}
