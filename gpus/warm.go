package gpus

import (
	"math/bits"

	"kumiko/components/splitmix"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
)

// warmer lets CTAs that are not simulated leave in the caches what they would have left: the tags of the lines
// that they access in global and texture memory, in their own order, one warp behind the other.
type warmer struct {
	g      *gpu
	global bool // the L1 has the lines of global loads
	given  int  // CTAs
	wave   int  // CTAs that go to the SMs in their order, before they go where one has retired
}

// take warms the caches with a CTA and returns its warp instructions and their lanes.
func (x *warmer) take(c *stream.CTA) (insts, lanes uint64) {
	side := x.g.sides[x.place()]
	for i := range c.Warps {
		w := &c.Warps[i]
		insts += w.Insts
		lanes += w.Lanes
		if len(w.Accesses) == 0 {
			continue
		}
		var cursor stream.Cursor
		cursor.Start(c.Kernel, w)
		for d := (stream.Dyn{}); cursor.Next(&d); {
			a := d.Access
			if a == nil || a.Space != ir.Global && a.Space != ir.Generic && a.Space != ir.Texture {
				continue
			}
			load := d.Inst.Op == ir.OpLd || d.Inst.Op == ir.OpTex
			x.lines(a, d.Exec, int(d.Inst.T.Bytes), func(addr uint64, sectors uint8) {
				switch {
				case a.Space == ir.Texture && side.Texture != nil:
					side.Texture.Touch(addr, sectors)
				case side.L1 == nil || !x.global:
				case load:
					side.L1.Touch(addr, sectors)
				default:
					side.L1.TouchStore(addr, sectors, d.Inst.Op != ir.OpSt)
				}
				x.g.memory.Touch(addr, sectors, !load)
			})
		}
	}
	return insts, lanes
}

// place is the SM that is to have had the next CTA. The dispatcher fills the SMs in their order, and then gives
// each the next CTA when one of its own retires: by and by in any order.
func (x *warmer) place() int {
	n := len(x.g.sides)
	at := x.given
	x.given++
	if at >= x.wave {
		at += int(splitmix.Of(uint64(at/n)) % uint64(n))
	}
	return at % n
}

// lines calls f with the lines that an access touches, and the sectors of each, one that several neighbouring
// lanes touch once.
func (x *warmer) lines(a *stream.Access, exec uint32, size int, f func(addr uint64, sectors uint8)) {
	const none = ^uint64(0)
	var addr [32]uint64
	a.Lanes(exec, &addr)
	line, sectors := none, uint8(0)
	for m := exec; m != 0; m &= m - 1 {
		from := addr[bits.TrailingZeros32(m)]
		end := from + uint64(max(size, 1))
		for at := from &^ (req.SectorBytes - 1); at < end; at += req.SectorBytes {
			if l := at &^ (req.LineBytes - 1); l != line {
				if line != none {
					f(line, sectors)
				}
				line, sectors = l, 0
			}
			sectors |= 1 << (at % req.LineBytes / req.SectorBytes)
		}
	}
	if line != none {
		f(line, sectors)
	}
}
