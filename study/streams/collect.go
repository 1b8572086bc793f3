package streams

import (
	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"slices"
)

// Options of a collection. The zero value is the default.
type Options struct {
	// ReadTwice: a register named twice by an instruction is read twice, as with
	// the operand collectors' setting of this name.
	ReadTwice bool
	// BarriersKeep: a warp is not suspended at a barrier.
	BarriersKeep bool
	// ReadyKeeps: a result requested before the warp's last suspension is
	// assumed to be there, and does not suspend the warp again.
	ReadyKeeps bool
	// ValuesOnly leaves the register file caches and the regions out.
	ValuesOnly bool
	// Limits bound the execution; the GPU gives SharedBytes.
	Limits emu.Limits
}

// Collector measures the streams of launches, one after the other.
type Collector struct {
	opt     Options
	kernels map[*ir.Kernel]*facts
	values  ValueCounter
	regions []*regions // of regionLimits, and of strands
	banks   []*bank
	recent  recency
	far     [256]bool // the register's next read, if any, is after the next suspension
	// awaited registers are results of long-latency operations issued
	// since the warp's last suspension.
	awaited [256]bool
	counts  counts
}

// counts has the counts common to all caches, and the counts of results bypassing some caches.
type counts struct {
	instructions, threads uint64
	long, barriers        uint64 // suspensions
	merged                uint64
	reads, writes         Accesses
	longWrites            Accesses // results of long-latency operations
	farWrites             Accesses // these, and results not read before the next suspension
}

// NewCollector returns an empty Collector.
func NewCollector(opt Options) *Collector {
	c := &Collector{opt: opt, kernels: map[*ir.Kernel]*facts{}}
	if opt.ValuesOnly {
		return c
	}
	for _, source := range []bool{false, true} {
		c.banks = append(c.banks, newBank(FIFO, source, nil, nil), newBank(LRU, source, &c.recent, nil))
	}
	c.banks = append(c.banks, newBank(Aware, false, nil, &c.far))
	for _, limit := range regionLimits {
		c.regions = append(c.regions, newRegions(limit, false))
	}
	c.regions = append(c.regions, newRegions(strandLimit, true))
	return c
}

// Collect measures a launch: it takes the streams from the source until there
// are none left. The kernel's Timing has to be set, with Dead and LongConsumer.
func (c *Collector) Collect(src stream.Source) error {
	for cta := src.Next(); cta != nil; cta = src.Next() {
		c.CTA(cta)
	}
	return src.Err()
}

// CTA measures the streams of a thread block.
func (c *Collector) CTA(cta *stream.CTA) {
	f := c.kernels[cta.Kernel]
	if f == nil {
		f = newFacts(cta.Kernel, !c.opt.BarriersKeep)
		c.kernels[cta.Kernel] = f
	}
	for i := range cta.Warps {
		c.warp(cta.Kernel, f, &cta.Warps[i])
	}
}

func (c *Collector) warp(k *ir.Kernel, f *facts, w *stream.Warp) {
	c.counts.instructions += w.Insts
	c.counts.threads += w.Lanes
	all := uint32(0)
	for i := range w.Runs {
		all |= w.Runs[i].Mask
	}
	c.values.Begin()
	c.recent.begin()
	c.awaited = [256]bool{}
	for _, b := range c.banks {
		b.begin(f.regs, all)
	}
	for _, r := range c.regions {
		r.begin(k, f.tables)
	}
	var cursor stream.Cursor
	var d stream.Dyn
	cursor.Start(k, w)
	for cursor.Next(&d) {
		c.values.Step(&d.Inst.T, d.Exec != 0)
		for _, r := range c.regions {
			r.step(int(d.PC), &d.Inst.T)
		}
		if len(c.banks) > 0 {
			c.caches(f, &d)
		}
	}
	c.values.End()
}

// caches follows an instruction in the register file caches.
func (c *Collector) caches(f *facts, d *stream.Dyn) {
	t := &d.Inst.T
	if t.LongConsumer && (!c.opt.ReadyKeeps || c.awaits(t)) {
		c.counts.long++
		c.suspend()
	}
	if d.Exec == 0 {
		return
	}
	k := clusters(d.Exec)
	for i, r := range t.Src[:t.NSrc] {
		if !c.opt.ReadTwice && slices.Contains(t.Src[:i], r) {
			c.counts.merged++
			continue
		}
		c.read(uint8(r), d.Exec, k, t.Dead>>i&1 != 0, t.FarSrc>>i&1 != 0)
	}
	for i, r := range t.Dst[:t.NDst] {
		c.write(uint8(r), d.Exec, k, f.long[d.PC], t.FarDst>>i&1 != 0)
	}
	if f.barrier[d.PC] {
		c.counts.barriers++
		c.suspend()
	}
}

// awaits reports whether an instruction touches an awaited register.
func (c *Collector) awaits(t *ir.Timing) bool {
	for _, r := range t.Src[:t.NSrc] {
		if c.awaited[r] {
			return true
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		if c.awaited[r] {
			return true
		}
	}
	return false
}

func (c *Collector) suspend() {
	c.awaited = [256]bool{}
	for _, b := range c.banks {
		b.suspend()
	}
}

func (c *Collector) read(r uint8, mask uint32, k int, last, far bool) {
	c.far[r] = far
	c.counts.reads.Whole++
	c.counts.reads.Lanes += uint64(k)
	c.recent.touch(r)
	for _, b := range c.banks {
		b.read(r, mask, k, last)
	}
}

func (c *Collector) write(r uint8, mask uint32, k int, long, far bool) {
	one := Accesses{1, uint64(k)}
	c.counts.writes.plus(one)
	if long {
		c.counts.longWrites.plus(one)
	}
	if long || far {
		c.counts.farWrites.plus(one)
	}
	c.far[r] = far
	c.awaited[r] = long
	c.recent.touch(r)
	for _, b := range c.banks {
		past := uint64(0)
		switch {
		case b.policy == Aware && (long || far):
			past = b.used
		case long:
			past = b.bypassing
		}
		b.write(r, mask, past)
	}
}

// Counts returns the counts of a cache of Families, at
// a simulated size.
func (c *Collector) Counts(cfg Config) Counts {
	n := &c.counts
	out := Counts{Reads: n.reads, Writes: n.writes}
	if cfg.Entries == 0 {
		out.Bypass = n.writes
		return out
	}
	switch {
	case cfg.Policy == Aware:
		out.Bypass = n.farWrites
	case cfg.Bypass:
		out.Bypass = n.longWrites
	}
	out.Results = n.writes.minus(out.Bypass)
	for _, b := range c.banks {
		if b.policy == cfg.Policy && b.source == cfg.Source {
			b.counts(cfg.slot(), &out)
		}
	}
	if cfg.Source {
		out.Fills = n.reads.minus(out.Hits)
	}
	return out
}

// slot returns the configuration's bit in its bank.
func (c Config) slot() int {
	mode := 0
	if c.Bypass {
		mode |= modeBypass
	}
	if c.Flush {
		mode |= modeFlush
	}
	for i, n := range sizes {
		if n == c.Entries {
			return mode*len(sizes) + i
		}
	}
	panic("streams: a configuration that is not simulated")
}

func (b *bank) counts(slot int, out *Counts) {
	out.Hits = b.hits.count(slot)
	out.Evict, out.EvictDead = b.evict.live[slot], b.evict.dead[slot]
	out.Partial, out.PartialDead = b.partial.live[slot], b.partial.dead[slot]
	out.Flush = sum(b.flush.count(slot), b.parted.live[slot])
	out.FlushDead = sum(b.flushDead.count(slot), b.parted.dead[slot])
}
