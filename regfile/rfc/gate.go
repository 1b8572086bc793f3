package rfc

import (
	"kumiko/components/wire"
	"kumiko/regfile"
)

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
