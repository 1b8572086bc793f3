package gpus

import (
	"math/bits"
	"slices"

	"kumiko/components/splitmix"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// warmer lets CTAs that are not simulated leave in the caches what they would have left: the tags of the lines
// that they access in global and texture memory. As many CTAs as the GPU holds pass together, each of their
// warps one access in turn, as they would by and large have done: what of a launch is in the caches at its end
// is what all of the last CTAs did last.
type warmer struct {
	memory   *memsys.System
	sms      []firstLevel
	together int // CTAs that the GPU holds
	// apart has each CTA begin when the one before it has come so far that as many pass at once, as they are in the
	// middle of a launch. Otherwise so many begin at once, as they do at a launch's beginning.
	apart   bool
	given   int     // CTAs
	wave    int     // CTAs that go to the SMs in their order, before they go where one has retired
	waiting int     // CTAs that have been taken and have not passed
	owed    float64 // accesses of each warp until the next CTA begins
	warps   []passing
	kernel  *ir.Kernel // of the warps
	// accesses is that of the kernel.
	accesses *stream.Accesses
	free     []*taken        // records of CTAs that have passed
	src      stream.Releaser // is told which CTAs have passed; nil: nobody is
}

// taken is a CTA that passes whole.
type taken struct {
	cta   *stream.CTA
	warps int // that have not passed
}

// firstLevel is the caches of an SM.
type firstLevel struct {
	data, texture       l1.Tags
	hasData, hasTexture bool // data: it has the lines of global loads
}

// passing is a warp on its way past the caches of an SM.
type passing struct {
	sm     *firstLevel
	cursor stream.Cursor
	until  int // the first run that does not pass
	over   bool
	of     *taken // nil: the CTA is still of use
}

// warmer has CTAs pass the machine's caches, as many together as are given.
func (m *Machine) warmer(together int) warmer {
	return warmer{memory: m.memory, sms: m.firstLevels((*l1.Cache).Tags), together: together}
}

// warmerInside has CTAs pass while others are under way. These find their lines in the first level as they left them:
// there, what passes does so by tags of its own, from which follows what the L2 is asked for. To drop the lines
// of all CTAs of the machine at one moment would put them into step with each other.
func (m *Machine) warmerInside(together int) warmer {
	return warmer{memory: m.memory, sms: m.firstLevels((*l1.Cache).Shadow), together: together, apart: true}
}

func (m *Machine) firstLevels(of func(*l1.Cache) l1.Tags) []firstLevel {
	out := make([]firstLevel, len(m.sides))
	for i, side := range m.sides {
		f := &out[i]
		if f.hasData = side.L1 != nil && m.cfg.Mem.L1.CacheGlobal; f.hasData {
			f.data = of(side.L1)
		}
		if f.hasTexture = side.Texture != nil; f.hasTexture {
			f.texture = of(side.Texture)
		}
	}
	return out
}

// take has a CTA pass, with others, and returns its warp instructions and their lanes.
func (x *warmer) take(c *stream.CTA) (insts, lanes uint64) {
	sm, longest := x.place(), 0
	t := x.record(c)
	for i := range c.Warps {
		w := &c.Warps[i]
		insts += w.Insts
		lanes += w.Lanes
		if len(w.Accesses) == 0 {
			continue
		}
		longest = max(longest, len(w.Accesses))
		x.part(sm, c, i, stream.Place{}, len(w.Runs))
		x.warps[len(x.warps)-1].of = t
		t.warps++
	}
	if t.warps == 0 {
		x.release(t)
	}
	if x.apart {
		for x.owed += float64(longest) / float64(x.together); x.owed >= 1; x.owed-- {
			x.round()
		}
	} else if x.waiting++; x.waiting >= x.together {
		x.pass()
	}
	return insts, lanes
}

// record is that of a CTA that passes whole.
func (x *warmer) record(c *stream.CTA) *taken {
	n := len(x.free)
	if n == 0 {
		return &taken{cta: c}
	}
	t := x.free[n-1]
	x.free = x.free[:n-1]
	t.cta = c
	return t
}

// release has the source have the memory of a CTA that has passed.
func (x *warmer) release(t *taken) {
	if x.src != nil {
		x.src.Release(t.cta)
	}
	t.cta = nil
	x.free = append(x.free, t)
}

// part has some runs of a warp pass by the caches of an SM, with what else waits.
func (x *warmer) part(sm int, c *stream.CTA, warp int, from stream.Place, until int) {
	if x.kernel != c.Kernel {
		x.kernel, x.accesses = c.Kernel, stream.AccessesOf(c.Kernel)
	}
	x.warps = append(x.warps, passing{sm: &x.sms[sm], until: until})
	x.warps[len(x.warps)-1].cursor.StartAt(c.Kernel, &c.Warps[warp], from)
}

// pass has the CTAs pass that have been taken, to their end.
func (x *warmer) pass() {
	for len(x.warps) > 0 {
		x.round()
	}
	x.waiting, x.owed = 0, 0
}

// round does the next access of each warp.
func (x *warmer) round() {
	ended := false
	for i := range x.warps {
		p := &x.warps[i]
		if p.over = !x.access(p); p.over {
			ended = true
			if t := p.of; t != nil {
				if t.warps--; t.warps == 0 {
					x.release(t)
				}
			}
		}
	}
	if ended {
		x.warps = slices.DeleteFunc(x.warps, func(p passing) bool { return p.over })
	}
}

// access does a warp's next access, and reports whether there was one.
func (x *warmer) access(p *passing) bool {
	for d := (stream.Dyn{}); p.cursor.NextAccess(x.accesses, p.until, &d); {
		if s := d.Access.Space; s == ir.Global || s == ir.Generic || s == ir.Texture {
			x.lines(p.sm, &d)
			return true
		}
	}
	return false
}

// place is the SM that is to have had the next CTA. The dispatcher fills the SMs in their order, and then gives
// each the next CTA when one of its own retires: by and by in any order.
func (x *warmer) place() int {
	n := len(x.sms)
	at := x.given
	x.given++
	if at >= x.wave {
		at += int(splitmix.Of(uint64(at/n)) % uint64(n))
	}
	return at % n
}

// lines touches the lines of an access, each with its sectors, one that several neighbouring lanes want once.
func (x *warmer) lines(sm *firstLevel, d *stream.Dyn) {
	const none = ^uint64(0)
	var addr [32]uint64
	d.Access.Lanes(d.Exec, &addr)
	size := uint64(max(int(d.Inst.T.Bytes), 1))
	line, sectors := none, uint8(0)
	for m := d.Exec; m != 0; m &= m - 1 {
		from := addr[bits.TrailingZeros32(m)]
		end := from + size
		for at := from &^ (req.SectorBytes - 1); at < end; at += req.SectorBytes {
			if l := at &^ (req.LineBytes - 1); l != line {
				if line != none {
					x.line(sm, d, line, sectors)
				}
				line, sectors = l, 0
			}
			sectors |= 1 << (at % req.LineBytes / req.SectorBytes)
		}
	}
	if line != none {
		x.line(sm, d, line, sectors)
	}
}

// line does to a line what an access does to it: the L2 sees loads of what the first level has not.
func (x *warmer) line(sm *firstLevel, d *stream.Dyn, addr uint64, sectors uint8) {
	load := d.Inst.Op == ir.OpLd || d.Inst.Op == ir.OpTex
	switch {
	case d.Access.Space == ir.Texture && sm.hasTexture:
		sectors = sm.texture.Load(addr, sectors)
	case !sm.hasData:
	case load:
		sectors = sm.data.Load(addr, sectors)
	default:
		sm.data.Store(addr, sectors, d.Inst.Op != ir.OpSt)
	}
	if sectors != 0 {
		x.memory.Touch(addr, sectors, !load)
	}
}
