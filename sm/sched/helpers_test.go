package sched

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/execute"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
)

// setup has the settings of a scheduler alone, and of its program.
type setup struct{ Config }

// testSetup is one scheduler with eight slots, and units of two kinds: 1 executes the classes of memory,
// and 0 all others.
func testSetup() *setup {
	return &setup{Config: Config{Schedulers: 1, Contexts: 8, Slots: 8, Width: 1, Buffer: 2, Stale: 6, Memory: 1,
		Choice: Spec{Policy: "lrr"}}}
}

// target returns the properties on which the scheduler's program depends.
func (s *setup) target() *program.Target {
	to := &program.Target{Bytes: 8, Paired: s.Choice.Paired()}
	for c := range to.Kinds {
		switch class := ir.Class(c); {
		case execute.IssueOnly(class):
			to.Kinds[c] = program.NoKind
		case memoryClass(class):
			to.Kinds[c] = 1
		}
	}
	return to
}

// bench is a scheduler with probes on all its ports.
type bench struct {
	d        *wire.Domain
	s        *Scheduler
	k        *ir.Kernel
	start    *wiretest.Source[message.WarpsStart]
	fetched  *wiretest.Source[message.Fetched]
	done     *wiretest.Source[op.Done]
	read     *wiretest.Source[op.Read]
	stores   *wiretest.Source[message.StoreNote]
	released *wiretest.Source[message.Release]
	issue    *wiretest.Sink[op.Op]
	notes    *wiretest.Sink[message.FetchNote]
	arrivals *wiretest.Sink[message.Arrive]
	ended    *wiretest.Sink[message.WarpEnd]
	reasons  []reason.Info
	reg      *stats.Registry
}

func newBench(spec *setup, k *ir.Kernel) *bench {
	return newBenchOf(spec, k, wire.NewDomain("core", smtest.GHz), &Planes{})
}

// newBenchWithout is newBench with nobody who fetches.
func newBenchWithout(spec *setup, k *ir.Kernel) *bench {
	return benchOf(spec, k, wire.NewDomain("core", smtest.GHz), &Planes{})
}

// newBenchOf is newBench with a register file with planes.
func newBenchOf(spec *setup, k *ir.Kernel, d *wire.Domain, p *Planes) *bench {
	b := benchOf(spec, k, d, p)
	b.fetched = wiretest.NewSource("Fetched", b.d, &b.s.Fetched)
	b.notes = wiretest.NewSink("Notes", b.d, &b.s.Notes, 4)
	return b
}

// benchOf is a bench with the ports to and from fetch left open.
func benchOf(spec *setup, k *ir.Kernel, d *wire.Domain, p *Planes) *bench {
	b := &bench{d: d, k: k, reasons: Reasons(&spec.Config, p), reg: &stats.Registry{}}
	b.s = New("S", b.d, &spec.Config, Links{Units: [][]uint8{{0}, {1}}, Planes: p,
		Observers: &Observers{}, Steady: &Steady{}}, b.reg)
	b.s.AddNotices(false, 2)
	b.start = wiretest.NewSource("Start", b.d, &b.s.Start)
	b.done = wiretest.NewSource("Done", b.d, &b.s.Done[0])
	b.read = wiretest.NewSource("Read", b.d, &b.s.Read)
	b.stores = wiretest.NewSource("Stores", b.d, &b.s.Stores)
	b.released = wiretest.NewSource("Released", b.d, &b.s.Released)
	b.issue = wiretest.NewSink("Issue", b.d, &b.s.Issue, 2)
	b.arrivals = wiretest.NewSink("Arrivals", b.d, &b.s.Arrivals, 4)
	b.ended = wiretest.NewSink("Ended", b.d, &b.s.Ended, 4)
	b.load(spec, nil, p)
	return b
}

// load gives the scheduler a program with inserted operations.
func (b *bench) load(spec *setup, x *regfile.Insertions, p *Planes) {
	b.s.Load(p.Plan(program.New(b.k, spec.target(), x)), 0)
}

// warp starts a warp in a slot, with instructions pcs sent at cycle c.
func (b *bench) warps(c wire.Cycle, slots uint64) {
	var contexts []uint16
	for m := slots; m != 0; m &= m - 1 {
		contexts = append(contexts, uint16(bits.TrailingZeros64(m)))
	}
	b.start.Send(c, message.WarpsStart{Slots: slots, Contexts: contexts})
}

func (b *bench) fetch(c wire.Cycle, slot int, pcs ...int) {
	for _, pc := range pcs {
		b.fetched.Send(c, message.Fetched{Inst: &b.k.Insts[pc], PC: uint32(pc), Exec: ^uint32(0), Warp: uint16(slot),
			Last: pc == len(b.k.Insts)-1})
	}
}

// issuedAt lists the cycles in which operations were issued: one before their arrival
// at the sink.
func (b *bench) issuedAt() []wire.Cycle {
	var out []wire.Cycle
	for _, g := range b.issue.Got {
		out = append(out, g.Cycle-1)
	}
	return out
}

func (b *bench) warpOrder() []int {
	var out []int
	for _, g := range b.issue.Got {
		out = append(out, int(g.Msg.Warp))
	}
	return out
}

// activeSet is the active set of the scheduler.
func (b *bench) activeSet() *activeSet { return b.s.starters[0].(*activeSet) }
