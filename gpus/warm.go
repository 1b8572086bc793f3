package gpus

import (
	"math/bits"

	"kumiko/components/splitmix"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys"
	"kumiko/memsys/req"
)

// warmer lets CTAs that are not simulated leave in the caches what they would have left: the tags of the lines
// that they access in global and texture memory. As many CTAs as the GPU holds pass together, each of their
// warps one access in turn, as they would by and large have done: what of a launch is in the caches at its end
// is what all of the last CTAs did last.
type warmer struct {
	g        *gpu
	global   bool // the L1 has the lines of global loads
	together int  // CTAs that the GPU holds
	given    int  // CTAs
	wave     int  // CTAs that go to the SMs in their order, before they go where one has retired
	waiting  int  // CTAs that have been taken and have not passed
	warps    []passing
}

// passing is a warp on its way past the caches of an SM.
type passing struct {
	side   *memsys.SMSide
	cursor stream.Cursor
	until  int // the first run that does not pass
}

// take has a CTA pass, with those of its wave, and returns its warp instructions and their lanes.
func (x *warmer) take(c *stream.CTA) (insts, lanes uint64) {
	side := x.g.sides[x.place()]
	for i := range c.Warps {
		w := &c.Warps[i]
		insts += w.Insts
		lanes += w.Lanes
		if len(w.Accesses) == 0 {
			continue
		}
		x.part(side, c, i, stream.Place{}, len(w.Runs))
	}
	if x.waiting++; x.waiting >= x.together {
		x.pass()
	}
	return insts, lanes
}

// part has some runs of a warp pass by the caches of an SM, with what else waits.
func (x *warmer) part(side *memsys.SMSide, c *stream.CTA, warp int, from stream.Place, until int) {
	x.warps = append(x.warps, passing{side: side, until: until})
	x.warps[len(x.warps)-1].cursor.StartAt(c.Kernel, &c.Warps[warp], from)
}

// pass has the CTAs pass that have been taken.
func (x *warmer) pass() {
	for len(x.warps) > 0 {
		left := x.warps[:0]
		for i := range x.warps {
			if p := &x.warps[i]; x.access(p) {
				left = append(left, *p)
			}
		}
		clear(x.warps[len(left):])
		x.warps = left
	}
	x.waiting = 0
}

// access does a warp's next access, and reports whether there was one.
func (x *warmer) access(p *passing) bool {
	for d := (stream.Dyn{}); p.cursor.Run() < p.until && p.cursor.Next(&d); {
		a := d.Access
		if a == nil || a.Space != ir.Global && a.Space != ir.Generic && a.Space != ir.Texture {
			continue
		}
		load := d.Inst.Op == ir.OpLd || d.Inst.Op == ir.OpTex
		x.lines(a, d.Exec, int(d.Inst.T.Bytes), func(addr uint64, sectors uint8) {
			switch {
			case a.Space == ir.Texture && p.side.Texture != nil:
				sectors = p.side.Texture.Touch(addr, sectors)
			case p.side.L1 == nil || !x.global:
			case load:
				sectors = p.side.L1.Touch(addr, sectors)
			default:
				p.side.L1.TouchStore(addr, sectors, d.Inst.Op != ir.OpSt)
			}
			if sectors != 0 {
				x.g.memory.Touch(addr, sectors, !load)
			}
		})
		return true
	}
	return false
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
