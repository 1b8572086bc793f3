package fetch

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// supply locates instructions: the sub-cores' instruction caches and their ports.
type supply struct {
	// ToL1 and FromL1 join the sub-cores' instruction caches to the SM's.
	ToL1   wire.OutPort[LineRequest]
	FromL1 wire.InPort[LineReply]

	l0   []l0   `part:"L0"` // by scheduler; nil: there are none
	turn int    // the sub-core to ask first
	mask uint64 // address bits of the line number; 0: every fetch hits
}

func (x *supply) init(f *Fetch, schedulers int, name string, reg *stats.Registry) {
	s := &f.spec
	x.ToL1.Init(&f.Comp, "ToL1").SetOptional() // with an L1 instruction cache
	x.FromL1.Init(&f.Comp, "FromL1", max(s.Under(schedulers), 1))
	if s.ICache.Perfect {
		return
	}
	x.mask = ^uint64(s.ICache.Tags.Line - 1)
	if s.Apart() {
		x.l0 = newL0s(s.L0, s.ICache.Tags.Line, schedulers, name, reg)
		return
	}
	f.cache = newICache(s.ICache, name, reg)
}

// lookUp looks up the line of an address for a warp context.
func (f *Fetch) lookUp(addr uint64, c int) fetchOutcome {
	if f.l0 != nil {
		return f.l0[f.sched[c]].lookUp(addr, c)
	}
	return f.cache.lookUp(addr, c, &f.ToMem)
}

// takeLines receives lines from the SM's cache.
func (f *Fetch) takeLines() {
	for m := f.FromL1.Take(); m != nil; m = f.FromL1.Take() {
		f.arrived(f.l0[m.Core].arrived(m.Addr))
	}
}

// askLines requests one line from the SM's cache, the sub-cores in turn. It reports whether there is
// another line to request.
func (f *Fetch) askLines() bool {
	if f.ToL1.CanPut() {
		for k := range f.l0 {
			i := (f.turn + k) % len(f.l0)
			if addr, ok := f.l0[i].ask(); ok {
				f.ToL1.Put(LineRequest{Addr: addr, Core: uint8(i)})
				f.turn = (i + 1) % len(f.l0)
				break
			}
		}
	}
	for i := range f.l0 {
		if f.l0[i].wants() {
			return true
		}
	}
	return false
}

// begin empties the sub-cores' caches for a launch. ends is the address behind the program.
func (x *supply) begin(ends uint64) {
	for i := range x.l0 {
		x.l0[i].reset(ends)
	}
}
