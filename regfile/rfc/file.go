package rfc

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name:   "rfc",
		Doc:    "register file cache (Gebhart et al., ISCA 2011) before a conventional file",
		Serves: []regfile.Service{regfile.Switching, regfile.Placing, regfile.Vacating},
		Lacks: map[regfile.Service]string{regfile.Moving: "nothing tells when the last register of a warp has left " +
			"for the banks, from which it would be moved"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with a cache in each sub-core.
type File struct {
	*conventional.File
	caches []*Cache
	spec   Spec
	warps  int
	regs   int
	// warps give up registers while they run
	vacates bool
}

// NewFile builds a register file with caches into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	f := &File{spec: s, warps: env.Warps, regs: env.Registers, vacates: env.Vacates}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		c, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.caches = append(f.caches, c)
		return c.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// scarce reports whether a warp may have to wait for a place.
func (p *places) scarce(s *Spec) bool { return !s.empty() && !p.permanent() }

// Gates returns one gate. It keeps active warps without a place from issuing. Each cache has the signal for its own
// schedulers.
func (f *File) Gates() []regfile.Gate {
	g := regfile.Gate{Reason: "rfc_flush",
		Doc: "the warp has become active, and its part of the register file cache is still being written back for " +
			"another one"}
	for _, c := range f.caches {
		if c.gate == nil {
			return nil
		}
		for range c.Notices {
			g.Parts = append(g.Parts, &c.gate.signal)
		}
	}
	return []regfile.Gate{g}
}

// Notices returns the notices needed by the caches: the starts, ends and pauses of warps.
func (f *File) Notices() regfile.Notices {
	if f.spec.empty() {
		return regfile.Notices{}
	}
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpSuspended,
		regfile.WarpExited, regfile.WarpFinished)}
	if f.vacates {
		n.Events |= regfile.Events(regfile.WarpIssued)
	}
	for _, c := range f.caches {
		for i := range c.Notices {
			n.Warp = append(n.Warp, &c.Notices[i])
		}
	}
	return n
}

// readPorts counts the reads that can still start in a cycle.
type readPorts struct {
	per  int
	left int
	at   wire.Cycle
}

func (p *readPorts) take(now wire.Cycle) bool {
	if p.at != now {
		p.at, p.left = now, p.per
	}
	if p.left == 0 {
		return false
	}
	p.left--
	return true
}

// writePorts counts the outstanding writes: in each cycle as many start as there are ports, and a few more wait in
// a buffer.
type writePorts struct {
	per, buffer int
	under       int // writes starting in cycle at or later
	at          wire.Cycle
}

// room reports whether a write can be accepted.
func (p *writePorts) room(now wire.Cycle) bool {
	if p.at != now {
		if gone := (now - p.at) * wire.Cycle(p.per); gone >= wire.Cycle(p.under) {
			p.under = 0
		} else {
			p.under -= int(gone)
		}
		p.at = now
	}
	return p.under < p.per+p.buffer
}

// take accepts a write and returns its wait for a port, in cycles. room must have returned true.
func (p *writePorts) take() uint64 {
	wait := p.under / p.per
	p.under++
	return uint64(wait)
}

// counters counts the events of a cache; register describes each.
type counters struct {
	reads, readHits, fillHits, partial, partialWritebacks, idle, readWaits uint64
	writes, bypassed, bypassedFar, homeless, filled                        uint64
	writeConflicts, writeWaits                                             uint64
	evictions, writebacks, died, deadElided, flushes, flushed, dropped     uint64
	shut, groupReads, groupWrites                                          uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in a register file cache", &c.reads},
		{"read_hits", stats.Accesses, "operands found in a register file cache, or brought there by an earlier " +
			"read that was under way", &c.readHits},
		{"fill_hits", stats.Accesses, "operands that waited for a register on its way into the cache, counted as hits",
			&c.fillHits},
		{"partial", stats.Accesses, "operands read from the main file because the cache had only some of their " +
			"lanes",
			&c.partial},
		{"partial_writebacks", stats.Registers, "registers written back because the cache had only some of the " +
			"lanes of a read", &c.partialWritebacks},
		{"idle_misses", stats.Accesses,
			"operands of instructions without an executing lane that were looked up and were not in the cache",
			&c.idle},
		{"read_waits", stats.Cycles, "cycles in which a request waits at a register file cache for a read port or " +
			"for room", &c.readWaits},
		{"writes", stats.Registers, "results written to a register file cache", &c.writes},
		{"bypassed", stats.Registers, "results of long-latency operations written to the main file and not to the " +
			"cache",
			&c.bypassed},
		{"bypassed_far", stats.Registers,
			"other results written to the main file and not to the cache because they are read only after the next " +
				"use of a long-latency result",
			&c.bypassedFar},
		{"homeless", stats.Registers, "results that went to the main file because their warp had no place in the cache",
			&c.homeless},
		{"filled", stats.Registers, "registers that came from the main file into the cache for a read", &c.filled},
		{"write_conflicts", stats.Cycles,
			"register-cycles spent in the write buffer of a register file cache, waiting for a write port",
			&c.writeConflicts},
		{"write_waits", stats.Cycles, "cycles in which a result waits at a register file cache for room in its write " +
			"buffer or on the way to the main file", &c.writeWaits},
		{"evictions", stats.Registers, "registers that left a register file cache to make room", &c.evictions},
		{"writebacks", stats.Registers, "evicted registers that were written to the main file", &c.writebacks},
		{"died", stats.Registers, "registers that a read left dead in a register file cache", &c.died},
		{"dead_elided", stats.Registers,
			"dead registers that were evicted or flushed without being written to the main file", &c.deadElided},
		{"flushes", stats.Events, "warps whose registers were flushed because they left the active set", &c.flushes},
		{"flushed", stats.Registers, "registers written to the main file by flushes", &c.flushed},
		{"dropped", stats.Registers, "registers that were not written to the main file because their warp ended",
			&c.dropped},
		{"gate_closures", stats.Events, "warps that became active before a place in the cache was free", &c.shut},
		{"group_reads", stats.Accesses,
			"128-bit groups of four lanes read from register file caches, for operands and write-backs: those with " +
				"an active lane", &c.groupReads},
		{"group_writes", stats.Accesses,
			"128-bit groups of four lanes written to register file caches: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile.rfc."+x.name, x.unit, x.doc, block, x.p)
	}
}
