package sampling

import (
	"math/bits"
	"slices"

	"kumiko/components/splitmix"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// Skip executes a launch without simulating it. The CTAs warm the caches, unless the caches are emptied before the
// next launch. The result has only the numbers of instructions.
func Skip(g *GPU, l *Launch, src stream.Source, r *result.Kernel) {
	held := l.Resident * len(g.SMs)
	w := g.warmer(held)
	w.wave = held
	w.src, _ = src.(stream.Releaser)
	r.Sampled, r.SMs, r.Sample = true, []result.SM{}, &result.Sample{}
	for c := src.Next(); c != nil; c = src.Next() {
		skip := w.add
		if g.Flushes {
			skip = (*stream.CTA).Instructions
		}
		insts, lanes := skip(c)
		r.WarpInstructions += insts
		r.ThreadInstructions += lanes
		r.Sample.CTAsSkipped++
	}
	w.finish()
	r.Sample.WarpInstructionsSkipped = r.WarpInstructions
}

// warmer warms the caches: it inserts the lines accessed by skipped CTAs in global and texture memory into the
// tags. As many CTAs as the GPU holds are in flight together, and each of their warps makes one access per step,
// roughly as in a simulation. At the end of a launch the caches therefore hold the last lines of all the last CTAs.
type warmer struct {
	memory   Memory
	sms      []firstLevel
	together int // CTAs in flight at once
	// staggered starts CTAs one after another, spaced so that about together are in flight, as in the middle of a
	// launch. Otherwise together CTAs start at once, as at the beginning of a launch.
	staggered bool
	placed    int     // CTAs
	wave      int     // CTAs placed on the SMs in turn; later ones go to random SMs
	waiting   int     // CTAs added but not started
	due       float64 // steps due before the next CTA starts
	warps     []warming
	kernel    *ir.Kernel // of the warps
	// accesses are the memory accesses of the kernel.
	accesses *stream.Accesses
	free     []*skippedCTA   // records for reuse
	src      stream.Releaser // is notified of each finished CTA; nil: nobody is
}

// skippedCTA is a CTA skipped completely.
type skippedCTA struct {
	cta   *stream.CTA
	warps int // in flight
}

// firstLevel holds the first-level caches of an SM.
type firstLevel struct {
	data, texture       l1.Lines
	hasData, hasTexture bool // hasData: the data cache holds the lines of global loads
}

// warming is a warp in flight.
type warming struct {
	sm     *firstLevel
	cursor stream.Cursor
	until  int // the first run to keep
	over   bool
	of     *skippedCTA // nil: a part of the CTA is simulated
}

// warmer returns a warmer of the machine's caches, with the given number of CTAs in flight together.
func (g *GPU) warmer(together int) warmer {
	return warmer{memory: g.Memory, sms: g.firstLevels(Cache.Lines), together: together}
}

// shadowWarmer returns a warmer for CTAs skipped while others are simulated. The lines of simulated CTAs in the L1s
// are left alone: skipped CTAs use shadow tags of the L1s, and only their misses reach the L2. Evicting the lines
// of all the machine's CTAs at one moment would bring these CTAs into step.
func (g *GPU) shadowWarmer(together int) warmer {
	return warmer{memory: g.Memory, sms: g.firstLevels(Cache.Shadow), together: together, staggered: true}
}

func (g *GPU) firstLevels(lines func(Cache) l1.Lines) []firstLevel {
	out := make([]firstLevel, len(g.Sides))
	for i, side := range g.Sides {
		f := &out[i]
		if f.hasData = side.L1 != nil && g.GlobalInL1; f.hasData {
			f.data = lines(side.L1)
		}
		if f.hasTexture = side.Texture != nil; f.hasTexture {
			f.texture = lines(side.Texture)
		}
	}
	return out
}

// add skips a CTA. It returns the CTA's numbers of warp instructions and of thread instructions.
func (x *warmer) add(c *stream.CTA) (insts, lanes uint64) {
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
		x.addWarp(sm, c, i, stream.Place{}, len(w.Runs))
		x.warps[len(x.warps)-1].of = t
		t.warps++
	}
	if t.warps == 0 {
		x.release(t)
	}
	if x.staggered {
		for x.due += float64(longest) / float64(x.together); x.due >= 1; x.due-- {
			x.step()
		}
	} else if x.waiting++; x.waiting >= x.together {
		x.finish()
	}
	return insts, lanes
}

// record returns a record for a CTA, reusing a free one if possible.
func (x *warmer) record(c *stream.CTA) *skippedCTA {
	n := len(x.free)
	if n == 0 {
		return &skippedCTA{cta: c}
	}
	t := x.free[n-1]
	x.free = x.free[:n-1]
	t.cta = c
	return t
}

// release returns the memory of a finished CTA to the source.
func (x *warmer) release(t *skippedCTA) {
	if x.src != nil {
		x.src.Release(t.cta)
	}
	t.cta = nil
	x.free = append(x.free, t)
}

// addWarp skips the runs of a warp between the given place and run number until.
func (x *warmer) addWarp(sm int, c *stream.CTA, warp int, from stream.Place, until int) {
	if x.kernel != c.Kernel {
		x.kernel, x.accesses = c.Kernel, stream.AccessesOf(c.Kernel)
	}
	x.warps = append(x.warps, warming{sm: &x.sms[sm], until: until})
	x.warps[len(x.warps)-1].cursor.StartAt(c.Kernel, &c.Warps[warp], from)
}

// finish steps until all warps in flight have ended.
func (x *warmer) finish() {
	for len(x.warps) > 0 {
		x.step()
	}
	x.waiting, x.due = 0, 0
}

// step makes the next access of each warp.
func (x *warmer) step() {
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
		x.warps = slices.DeleteFunc(x.warps, func(p warming) bool { return p.over })
	}
}

// access makes a warp's next access, and reports whether there was one.
func (x *warmer) access(p *warming) bool {
	for d := (stream.Dyn{}); p.cursor.NextAccess(x.accesses, p.until, &d); {
		if s := d.Access.Space; s == ir.Global || s == ir.Generic || s == ir.Texture {
			x.lines(p.sm, &d)
			return true
		}
	}
	return false
}

// place returns the SM of the next CTA. The dispatcher first fills the SMs in turn. Later it sends each CTA to the
// SM of a retired CTA, in the long run any SM.
func (x *warmer) place() int {
	n := len(x.sms)
	at := x.placed
	x.placed++
	if at >= x.wave {
		at += int(splitmix.Of(uint64(at/n)) % uint64(n))
	}
	return at % n
}

// lines touches the lines of an access, each with its sectors. A line shared by neighbouring lanes is touched once.
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

// line touches a line in the first level, and in the L2 unless a load hits in the first level.
func (x *warmer) line(sm *firstLevel, d *stream.Dyn, addr uint64, sectors uint8) {
	load := d.Inst.Op == ir.OpLd || d.Inst.Op == ir.OpTex || d.Inst.Op == ir.OpPrefetch
	switch {
	case d.Access.Space == ir.Texture && sm.hasTexture:
		sectors = sm.texture.Load(addr, sectors)
	case !sm.hasData, load && bypasses(&d.Inst.Mods):
	case load:
		sectors = sm.data.Load(addr, sectors)
	default:
		sm.data.Store(addr, sectors, d.Inst.Op != ir.OpSt)
	}
	if sectors != 0 {
		x.memory.Touch(addr, sectors, !load)
	}
}

// bypasses reports whether a load bypasses the L1.
func bypasses(m *ir.Mods) bool { return m.Volatile || m.Cache == ir.CacheCG || m.Cache == ir.CacheCV }
