package contracttest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// limit is the last cycle for a run to come to rest.
const limit = 2_000_000

// lines is the most problems in a report.
const lines = 20

// log records the messages at the ports of a register file.
type log struct {
	ops      map[uint32]*record
	byPlace  map[string][]string // trace of each port, to compare runs
	problems []string
}

type record struct {
	o                    op.Op
	arrived, done, reads int
}

func (l *log) issued(o *op.Op) { l.ops[o.Tag] = &record{o: *o} }

func (l *log) note(place string, index int, now wire.Cycle, tag uint32) {
	k := fmt.Sprintf("%s[%d]", place, index)
	l.byPlace[k] = append(l.byPlace[k], fmt.Sprintf("%d:%d", now, tag))
}

func (l *log) problem(format string, args ...any) {
	if len(l.problems) < lines {
		l.problems = append(l.problems, fmt.Sprintf(format, args...))
	}
}

func (l *log) arrived(now wire.Cycle, unit int, o *op.Op) {
	l.note("Ready", unit, now, o.Tag)
	r := l.ops[o.Tag]
	switch {
	case r == nil:
		l.problem("cycle %d: operation %d came out without having been issued", now, o.Tag)
		return
	case int(o.Unit) != unit || !same(r.o, *o):
		l.problem("cycle %d: operation %+v came out of unit %d as %+v", now, r.o, unit, *o)
	}
	r.arrived++
}

// same reports whether an operation came out as it went in.
func same(in, out op.Op) bool {
	out.Announced = in.Announced
	return in == out
}

// done records a Done, or, with early, an announcement permitted to precede the operation's arrival at its unit.
func (l *log) done(now wire.Cycle, sched int, d *op.Done, early bool) {
	place := "Done"
	if early {
		place = "Early"
	}
	l.note(place, sched, now, d.Tag)
	r := l.ops[d.Tag]
	if r == nil || r.o.Inst != d.Inst || r.o.Warp != d.Warp || int(r.o.Sched) != sched || r.arrived == 0 && !early {
		l.problem("cycle %d: scheduler %d got %s %+v", now, sched, place, *d)
		return
	}
	r.done++
}

func (l *log) read(now wire.Cycle, sched int, d *op.Read) {
	l.note("Read", sched, now, d.Tag)
	r := l.ops[d.Tag]
	if r == nil || r.o.Inst != d.Inst || r.o.Warp != d.Warp || int(r.o.Sched) != sched {
		l.problem("cycle %d: scheduler %d got Read %+v", now, sched, *d)
		return
	}
	r.reads++
}

// Outcome is the result of a run.
type Outcome struct {
	Cycles   wire.Cycle
	Trace    map[string][]string // by port: "cycle:tag" of each message
	Stats    map[string]uint64
	Problems []string
	Ops      int
	Restored int // number of returns of pending warps
	Refused  int // number of refusals by the mover
}

// Run runs the programs of a configuration on a register file. order, if not 0,
// seeds a random tick order.
func Run(settings *regfile.Settings, c Config, order uint64) (*Outcome, error) {
	r := &rig{c: c, d: wire.NewDomain("Core", 1e9),
		log: &log{ops: map[uint32]*record{}, byPlace: map[string][]string{}}}
	r.check = version.NewChecker(c.Warps, c.Registers, 32*lines)
	if settings.Kind.Values {
		r.values = version.NewValues(c.Warps, c.Registers, true)
	}
	design, err := settings.Build(&regfile.Env{
		Domain: r.d, Stats: &r.reg, Name: "SM[0]", Schedulers: c.Schedulers, IssueWidth: c.IssueWidth, Warps: c.Warps,
		Active: c.active(), TwoLevel: true,
		CTAs: c.Warps, Registers: c.Registers, Units: c.known(), Writebacks: c.Writebacks, ReadNotice: c.ReadNotice,
		Checker: r.check, Values: r.values,
	})
	if err != nil {
		return nil, err
	}
	programs, sets := c.programs()
	r.build(design.DataPorts(), programs)
	if p, ok := design.(regfile.Planned); ok && c.Plan != nil {
		p.Begin(c.Plan(sets))
	}
	for _, s := range r.scheds {
		s.serve(design, &c)
	}
	if u, ok := design.(regfile.MemoryUser); ok {
		r.memory(u)
	}
	if c.InFile > 0 {
		if err := r.swap(design); err != nil {
			return nil, err
		}
	}
	if order != 0 {
		perm := rand.New(rand.NewPCG(order, 2)).Perm(r.d.Len())
		p := make([]int32, len(perm))
		for i, v := range perm {
			p[i] = int32(v)
		}
		r.d.SetTickOrder(p)
	}
	for r.d.Step(limit) {
	}
	return r.outcome(), nil
}

type rig struct {
	c       Config
	d       *wire.Domain
	reg     stats.Registry
	check   *version.Checker
	values  *version.Values // nil unless the kind needs them
	log     *log
	scheds  []*scheduler
	units   []*unit
	quick   map[*ir.Inst]bool
	swapper *swapper // nil: warps are not swapped
}

func (r *rig) build(p *regfile.Ports, programs [][][]step) {
	r.quick = quick(programs)
	for s := 0; s < r.c.Schedulers; s++ {
		r.scheds = append(r.scheds, r.scheduler(p, s, programs))
	}
	var stages []*retire
	for i := 0; i < p.SubCores; i++ {
		w := &retire{in: make([]wire.InPort[op.Result], len(r.c.Units)),
			out: make([]wire.OutPort[op.Result], r.c.Writebacks)}
		w.Init(fmt.Sprintf("Retire[%d]", i), r.d, w)
		for k := range w.in {
			w.in[k].Init(&w.Comp, fmt.Sprintf("In[%d]", k), 2)
		}
		for k := range w.out {
			w.out[k].Init(&w.Comp, fmt.Sprintf("Out[%d]", k))
			wire.Connect(&w.out[k], p.Result[i*r.c.Writebacks+k], 1)
		}
		stages = append(stages, w)
	}
	for u := range r.c.Units {
		r.units = append(r.units, r.unit(p, u, stages))
	}
}

func (r *rig) scheduler(p *regfile.Ports, s int, programs [][][]step) *scheduler {
	x := &scheduler{index: s, count: r.c.Schedulers, width: r.c.IssueWidth, notice: r.c.ReadNotice, tag: uint32(s + 1),
		check: r.check, values: r.values, log: r.log, units: r.c.Units}
	for w := s; w < r.c.Warps; w += r.c.Schedulers {
		x.warps = append(x.warps, warp{context: uint16(w), programs: programs[w]})
	}
	x.Init(fmt.Sprintf("Scheduler[%d]", s), r.d, x)
	x.issue.Init(&x.Comp, "Issue")
	wire.Connect(&x.issue, p.Issue[s], 1)
	x.done.Init(&x.Comp, "Done", r.c.Room)
	wire.Connect(p.Done[s], &x.done, 1)
	x.early.Init(&x.Comp, "Early", r.c.Room)
	if len(p.Early) > 0 {
		wire.Connect(p.Early[s], &x.early, 1)
	}
	x.taken.Init(&x.Comp, "Taken", r.c.Room)
	if len(p.Taken) > 0 {
		wire.Connect(p.Taken[s], &x.taken, 1)
		for range r.c.Units {
			x.registers = append(x.registers, p.Registers)
		}
	}
	if r.c.ReadNotice {
		x.read.Init(&x.Comp, "Read", r.c.Room)
		wire.Connect(p.Read[s], &x.read, 1)
		return x
	}
	x.arrived = make([]wire.InPort[op.Read], len(r.c.Units))
	for u := range x.arrived {
		x.arrived[u].Init(&x.Comp, fmt.Sprintf("Arrived[%d]", u), 8)
	}
	return x
}

func (r *rig) unit(p *regfile.Ports, u int, stages []*retire) *unit {
	x := &unit{index: u, notice: r.c.ReadNotice, latency: r.c.Latency, interval: r.c.Interval, quick: r.quick,
		log: r.log, subOf: p.SubCore,
		out: make([]wire.OutPort[op.Result], len(stages))}
	x.Init(fmt.Sprintf("Unit[%d]", u), r.d, x)
	x.in.Init(&x.Comp, "In", r.c.Room)
	wire.Connect(p.Ready[u], &x.in, 1)
	for i, w := range stages {
		x.out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
		wire.Connect(&x.out[i], &w.in[u], 1)
	}
	if !r.c.ReadNotice {
		x.arrived = make([]wire.OutPort[op.Read], r.c.Schedulers)
		for s := range x.arrived {
			x.arrived[s].Init(&x.Comp, fmt.Sprintf("Arrived[%d]", s))
			wire.Connect(&x.arrived[s], &r.scheds[s].arrived[u], 1)
		}
	}
	return x
}

func (r *rig) outcome() *Outcome {
	out := &Outcome{Cycles: r.d.Now(), Trace: r.log.byPlace, Stats: r.reg.Snapshot(), Ops: len(r.log.ops)}
	if r.swapper != nil {
		out.Restored, out.Refused = r.swapper.restored, r.swapper.refused
	}
	if n := r.d.NextWake(); n != wire.Never {
		r.log.problem("still moving at cycle %d", r.d.Now())
	}
	for _, s := range r.scheds {
		if n := s.left(); n != 0 {
			r.log.problem("scheduler %d: %d operations or notices missing", s.index, n)
		}
	}
	var sources uint64
	for _, tag := range slices.Sorted(keys(r.log.ops)) {
		x := r.log.ops[tag]
		sources += uint64(x.o.Inst.T.NSrc)
		if x.arrived != 1 || x.done != b2i(hasResult(&x.o)) || x.reads != b2i(r.c.ReadNotice && x.o.Inst.T.NSrc > 0) {
			r.log.problem("operation %d: came out %d times, %d Done, %d Read", tag, x.arrived, x.done, x.reads)
		}
	}
	if r.check.Checked() != sources {
		r.log.problem("%d operands checked, %d issued", r.check.Checked(), sources)
	}
	for _, v := range operands(r.check.Violations()) {
		r.log.problem("%s", v)
	}
	if len(r.log.problems) > 0 {
		for _, w := range r.d.Waiting() {
			r.log.problems = append(r.log.problems, "waiting: "+w)
		}
	} else if w := r.d.Waiting(); len(w) > 0 {
		r.log.problem("at rest, but %s", w[0])
	}
	out.Problems = r.log.problems
	return out
}

func keys(m map[uint32]*record) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
