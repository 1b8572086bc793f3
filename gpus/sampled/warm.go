package sampled

import (
	"math/bits"
	"slices"

	"kumiko/components/splitmix"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// Skip executes a launch without simulating it: the CTAs warm the caches, unless these are emptied before the next
// launch. The result has the launch's instructions and nothing else.
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

// warmer leaves in the tags of the caches the lines that skipped CTAs access in global and texture memory. As many CTAs
// as the GPU holds are under way together, and each of their warps accesses memory once in a step, about as in a
// simulation: at the end of a launch the caches hold the last lines of all CTAs that came last.
type warmer struct {
	memory   *memsys.System
	sms      []firstLevel
	together int // CTAs that the GPU holds
	// staggered: each CTA begins when the CTA before has come so far that as many are under way at once, as in the
	// middle of a launch. Otherwise so many begin at once, as at a launch's beginning.
	staggered bool
	placed    int     // CTAs
	wave      int     // CTAs placed on the SMs in turn, before CTAs are placed where one has retired
	waiting   int     // CTAs added and not begun
	due       float64 // accesses of each warp until the next CTA begins
	warps     []warming
	kernel    *ir.Kernel // of the warps
	// accesses is that of the kernel.
	accesses *stream.Accesses
	free     []*skippedCTA   // to be used again
	src      stream.Releaser // hears of each CTA that has ended; nil: nobody does
}

// skippedCTA is a CTA that is skipped whole.
type skippedCTA struct {
	cta   *stream.CTA
	warps int // under way
}

// firstLevel is the caches of an SM.
type firstLevel struct {
	data, texture       l1.Lines
	hasData, hasTexture bool // data: holds the lines of global loads
}

// warming is a warp under way.
type warming struct {
	sm     *firstLevel
	cursor stream.Cursor
	until  int // the first run that is not skipped
	over   bool
	of     *skippedCTA // nil: a part of the CTA is simulated
}

// warmer returns one that warms the machine's caches.
func (g *GPU) warmer(together int) warmer {
	return warmer{memory: g.Memory, sms: g.firstLevels((*l1.Tags).Lines), together: together}
}

// shadowWarmer returns one for CTAs that are skipped while others are simulated. Simulated CTAs find their lines in the
// L1s undisturbed: skipped CTAs have L1 tags of their own, by which the L2 sees their misses alone. Dropping the
// lines of all CTAs of the machine at one moment would put these into step.
func (g *GPU) shadowWarmer(together int) warmer {
	return warmer{memory: g.Memory, sms: g.firstLevels((*l1.Tags).Shadow), together: together, staggered: true}
}

func (g *GPU) firstLevels(lines func(*l1.Tags) l1.Lines) []firstLevel {
	out := make([]firstLevel, len(g.Sides))
	for i, side := range g.Sides {
		f := &out[i]
		if f.hasData = side.L1 != nil && g.GlobalInL1; f.hasData {
			f.data = lines(side.L1.Tags)
		}
		if f.hasTexture = side.Texture != nil; f.hasTexture {
			f.texture = lines(side.Texture.Tags)
		}
	}
	return out
}

// add skips a CTA, and returns its warp instructions and their lanes.
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

// record returns the record of a CTA.
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

// release returns the memory of a CTA that has ended to the source.
func (x *warmer) release(t *skippedCTA) {
	if x.src != nil {
		x.src.Release(t.cta)
	}
	t.cta = nil
	x.free = append(x.free, t)
}

// addWarp skips the runs of a warp from a place on.
func (x *warmer) addWarp(sm int, c *stream.CTA, warp int, from stream.Place, until int) {
	if x.kernel != c.Kernel {
		x.kernel, x.accesses = c.Kernel, stream.AccessesOf(c.Kernel)
	}
	x.warps = append(x.warps, warming{sm: &x.sms[sm], until: until})
	x.warps[len(x.warps)-1].cursor.StartAt(c.Kernel, &c.Warps[warp], from)
}

// finish lets all warps under way end.
func (x *warmer) finish() {
	for len(x.warps) > 0 {
		x.step()
	}
	x.waiting, x.due = 0, 0
}

// step does the next access of each warp.
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

// access does a warp's next access, and reports whether there was one.
func (x *warmer) access(p *warming) bool {
	for d := (stream.Dyn{}); p.cursor.NextAccess(x.accesses, p.until, &d); {
		if s := d.Access.Space; s == ir.Global || s == ir.Generic || s == ir.Texture {
			x.lines(p.sm, &d)
			return true
		}
	}
	return false
}

// place returns the SM of the next CTA. The dispatcher fills the SMs in turn, and later sends a CTA to the SM where one
// has retired, in the long run any.
func (x *warmer) place() int {
	n := len(x.sms)
	at := x.placed
	x.placed++
	if at >= x.wave {
		at += int(splitmix.Of(uint64(at/n)) % uint64(n))
	}
	return at % n
}

// lines touches the lines of an access, each with its sectors. Neighbouring lanes touch a line that they share once.
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

// line touches a line in the first level, and in the L2 unless it is a load that the first level has.
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
