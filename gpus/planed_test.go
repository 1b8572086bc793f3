package gpus_test

import (
	"errors"
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// planedSpec configures a register file for tests with every control plane in use.
type planedSpec struct {
	Cycles   int    `toml:"cycles" unit:"cycles" doc:"from a request to the opening of the gate"`
	Class    string `toml:"class" unit:"-" doc:"timing class of the instructions that the gate holds; empty: none"`
	Turns    int    `toml:"turns" unit:"cycles" doc:"how long the warps of even and of odd contexts are shut out, in turn; 0: never"`
	Urgent   bool   `toml:"urgent" unit:"-" doc:"warps of odd CTA slots go first"`
	Resident int    `toml:"resident" unit:"CTAs" doc:"CTAs that are admitted; 0: as many as fit without regard to registers"`
	Admits   bool   `toml:"admits" unit:"-" doc:"decides on admission"`
	Idle     int    `toml:"idle" unit:"CTAs" doc:"of the admitted CTAs, those that are not active"`
	First    bool   `toml:"first" unit:"-" doc:"wants registers numbered by first use"`
	Regions  int    `toml:"regions" unit:"registers" doc:"an operation goes before each register-interval of so many registers, and a warp waits behind it and when it becomes active; 0: none"`
	Slot     bool   `toml:"slot" unit:"-" doc:"these operations take an issue slot"`
	Bytes    int    `toml:"bytes" unit:"bytes" doc:"of code that they take"`
	Silent   bool   `toml:"silent" unit:"-" doc:"asks and does not listen"`
}

func init() {
	regfile.Register(regfile.Kind{
		Name: "planed", Doc: "for tests: a conventional register file with every control plane",
	}, regfile.Builder[planedSpec]{
		Default: func() planedSpec { return planedSpec{} },
		Build: func(env *regfile.Env, s *planedSpec) (regfile.Design, error) {
			f, err := conventional.New(env, new(conventional.Default()))
			if err != nil {
				return nil, err
			}
			return newPlaned(env, f, *s), nil
		},
		Chip: func(env *regfile.ChipEnv, s *planedSpec, files []regfile.Design) error {
			if env.Latency < 1 || env.Name != "GPU" || env.Domain == nil {
				return fmt.Errorf("chip %+v", env)
			}
			for i, f := range files {
				f.(*planed).index = i + 1
			}
			return nil
		},
		Admit: (*planedSpec).admit,
	})
}

// planed opens the gate for a requesting warp some cycles after the request, until the warp has issued. It checks
// the notices about warps and CTAs.
type planed struct {
	wire.Comp
	file   regfile.Design
	spec   planedSpec
	warps  []wire.InPort[regfile.WarpNotice]
	ctas   wire.InPort[regfile.CTANotice]
	filled wire.Signal[regfile.WarpSet] // shut to the warps in it
	turn   wire.Signal[regfile.WarpSet]
	first  wire.Signal[regfile.WarpSet]

	shut, urgent    regfile.WarpSet
	grants          []grant
	state           []life
	slots           map[uint16][]uint16
	problems        []error
	asked, notified uint64
	index           int // of the SM, and one
	begun           []*regfile.Launch
	opens           []wire.OutPort[regfile.Open] // of the self-shutting gate
	due             []grant
	entered         []int32 // groups of the reported operations, in order
	env             regfile.Env
}

type grant struct {
	at   wire.Cycle
	warp int
}

// life is the known state of a warp context.
type life struct{ there, active, barrier, done bool }

func newPlaned(env *regfile.Env, f regfile.Design, s planedSpec) *planed {
	p := &planed{file: f, spec: s, state: make([]life, env.Warps), slots: map[uint16][]uint16{}, env: *env}
	p.Init(env.Name+".Planed", env.Domain, p)
	p.warps = make([]wire.InPort[regfile.WarpNotice], env.Schedulers)
	for i := range p.warps {
		p.warps[i].Init(&p.Comp, fmt.Sprintf("Warps[%d]", i), 4+i)
	}
	p.ctas.Init(&p.Comp, "CTAs", 1)
	p.opens = make([]wire.OutPort[regfile.Open], env.Schedulers)
	for i := range p.opens {
		p.opens[i].Init(&p.Comp, fmt.Sprintf("Opens[%d]", i)).SetOptional() // without a self-shutting gate
	}
	for w := range env.Warps {
		p.shut.Add(w)
	}
	p.filled.Init(&p.Comp, p.shut)
	p.turn.Init(&p.Comp, regfile.WarpSet{})
	p.first.Init(&p.Comp, regfile.WarpSet{})
	env.Stats.Count("regfile.planed.asked", stats.Events, "for tests: requests", p.Name(), &p.asked)
	env.Stats.Count("regfile.planed.notified", stats.Events, "for tests: notices", p.Name(), &p.notified)
	return p
}

// DataPorts are the conventional file's.
func (p *planed) DataPorts() *regfile.Ports { return p.file.DataPorts() }

// Begin implements regfile.Planned.
func (p *planed) Begin(plan any) { p.begun = append(p.begun, plan.(*regfile.Launch)) }

// Gates implements regfile.Gater.
func (p *planed) Gates() []regfile.Gate {
	holds := func(in *ir.Inst) bool { return in.T.Class.String() == p.spec.Class }
	gates := []regfile.Gate{
		{Reason: "turn", Doc: "the other half of the warps has its turn", Closed: &p.turn},
		{Reason: "fill", Doc: "what the instruction needs is on its way", Closed: &p.filled, Holds: holds, Asks: true},
	}
	if p.spec.Regions == 0 {
		return gates
	}
	region := regfile.Gate{Reason: "region", Doc: "the warp has entered a region",
		Shuts: regfile.Events(regfile.WarpActivated, regfile.WarpInserted)}
	for i := range p.opens {
		region.Opens = append(region.Opens, &p.opens[i])
	}
	return append(gates, region)
}

// Inserts implements regfile.Inserter.
func (p *planed) Inserts() string { return "region" }

// Classes implements regfile.Prioritiser.
func (p *planed) Classes() []*wire.Signal[regfile.WarpSet] {
	return []*wire.Signal[regfile.WarpSet]{&p.first}
}

// Notices implements regfile.Listener.
func (p *planed) Notices() regfile.Notices {
	n := regfile.Notices{CTA: &p.ctas, Events: regfile.Events(regfile.WarpStarted, regfile.WarpActivated,
		regfile.WarpIssued, regfile.WarpHeld,
		regfile.WarpSuspended, regfile.WarpAtBarrier, regfile.WarpReleased, regfile.WarpFinished, regfile.WarpInserted)}
	for i := range p.warps {
		n.Warp = append(n.Warp, &p.warps[i])
	}
	if p.spec.Silent {
		n.Warp = nil
	}
	return n
}

// State implements regfile.Sizer.
func (p *planed) State() []regfile.State {
	return []regfile.State{{Block: "Planed", What: "gates", Count: 1, Bits: 2 * p.env.Warps}}
}

func (p *planed) Tick(now wire.Cycle) bool {
	for c := p.ctas.Head(); c != nil; c = p.ctas.Head() {
		p.receiveCTA(c)
		p.ctas.Pop()
	}
	for i := range p.warps {
		for n := p.warps[i].Head(); n != nil; n = p.warps[i].Head() {
			p.receive(now, i, n)
			p.warps[i].Pop()
		}
	}
	for len(p.grants) > 0 && p.grants[0].at <= now {
		p.shut.Remove(p.grants[0].warp)
		p.grants = p.grants[1:]
	}
	if len(p.grants) > 0 {
		p.WakeAt(p.grants[0].at)
	}
	for len(p.due) > 0 && p.due[0].at <= now {
		w := p.due[0].warp
		p.opens[w%len(p.opens)].Put(regfile.Open{Warp: uint16(w)})
		p.due = p.due[1:]
	}
	if len(p.due) > 0 {
		p.WakeAt(p.due[0].at)
	}
	p.filled.Set(p.shut)
	if p.spec.Urgent {
		p.first.Set(p.urgent)
	}
	return p.takeTurns(now)
}

func (p *planed) takeTurns(now wire.Cycle) bool {
	if p.spec.Turns == 0 {
		return false
	}
	var out regfile.WarpSet
	for w := range p.state {
		if (uint64(w)+now/uint64(p.spec.Turns))%2 == 0 {
			out.Add(w)
		}
	}
	if len(p.slots) == 0 {
		out = regfile.WarpSet{}
	}
	p.turn.Set(out)
	return len(p.slots) > 0
}

func (p *planed) receiveCTA(c *regfile.CTANotice) {
	p.expect(c.Finished == (p.slots[c.CTA] != nil), "CTA slot %d begins or ends twice", c.CTA)
	for _, w := range c.Contexts {
		p.expect(p.state[w].done || !c.Finished && !p.state[w].there, "CTA slot %d: finished %t, warp %d: %+v", c.CTA,
			c.Finished, w, p.state[w])
		p.state[w] = life{}
		if c.CTA%2 == 1 && !c.Finished {
			p.urgent.Add(int(w))
		} else {
			p.urgent.Remove(int(w))
		}
	}
	if c.Finished {
		delete(p.slots, c.CTA)
	} else {
		p.slots[c.CTA] = c.Contexts
	}
}

func (p *planed) expect(ok bool, format string, args ...any) {
	if !ok && len(p.problems) < 5 {
		p.problems = append(p.problems, fmt.Errorf(p.Name()+": "+format, args...))
	}
}

// receive checks the notices of a warp against the warp's life.
func (p *planed) receive(now wire.Cycle, sched int, n *regfile.WarpNotice) {
	p.notified++
	x := &p.state[n.Warp]
	p.expect(int(n.Warp)%len(p.warps) == sched, "scheduler %d tells of warp %d", sched, n.Warp)
	p.expect(n.Event == regfile.WarpStarted || x.there && !x.done, "event %d of warp %d, which is %+v", n.Event, n.Warp,
		*x)
	switch n.Event {
	case regfile.WarpStarted:
		p.expect(!x.there, "warp %d starts, but is %+v", n.Warp, *x)
		*x = life{there: true}
	case regfile.WarpActivated:
		p.expect(!x.active, "warp %d is activated twice", n.Warp)
		x.active = true
		p.shutBy(now, n)
	case regfile.WarpInserted:
		p.expect(p.spec.Regions > 0 && x.active && !x.barrier, "an operation of warp %d, which is %+v", n.Warp, *x)
		p.entered = append(p.entered, int32(n.PC))
		p.shutBy(now, n)
	case regfile.WarpSuspended:
		p.expect(x.active, "warp %d is suspended, but not active", n.Warp)
		x.active = false
	case regfile.WarpIssued:
		p.expect(x.active && !x.barrier && n.Inst != nil, "warp %d issues, but is %+v", n.Warp, *x)
		if n.Inst.T.Class.String() == p.spec.Class {
			p.shut.Add(int(n.Warp))
		}
	case regfile.WarpHeld:
		p.expect(x.active && !x.barrier && n.Gate == 1 && n.Inst.T.Class.String() == p.spec.Class,
			"warp %d asks gate %d for %v, but is %+v", n.Warp, n.Gate, n.Inst, *x)
		p.asked++
		p.grants = append(p.grants, grant{now + wire.Cycle(p.spec.Cycles), int(n.Warp)})
	case regfile.WarpAtBarrier:
		p.expect(!x.barrier, "warp %d is at two barriers", n.Warp)
		x.barrier = true
	case regfile.WarpReleased:
		p.expect(x.barrier, "warp %d is released, but at no barrier", n.Warp)
		x.barrier = false
	case regfile.WarpFinished:
		p.expect(!x.barrier, "warp %d ends at a barrier", n.Warp)
		x.done = true
	}
}

// shutBy schedules the opening of a self-shut gate, some cycles later.
func (p *planed) shutBy(now wire.Cycle, n *regfile.WarpNotice) {
	if p.spec.Regions > 0 {
		p.due = append(p.due, grant{now + wire.Cycle(p.spec.Cycles), int(n.Warp)})
	}
}

// admit decides on the number of resident CTAs. The plan records the request.
func (s *planedSpec) admit(l *regfile.Launch) (regfile.Admission, error) {
	n := min(l.Others, l.ByRegisters)
	if s.Admits {
		n = l.Others
	}
	if s.Resident > 0 {
		n = s.Resident
	}
	if s.Resident < 0 {
		return regfile.Admission{}, errors.New("no room")
	}
	a := regfile.Admission{Residency: regfile.Residency{Resident: n, Active: n - s.Idle}, FirstUse: s.First, Plan: l}
	if s.Regions == 0 || l.Tables == nil {
		return a, nil
	}
	r, err := l.Tables.Intervals(s.Regions)
	if err != nil {
		return regfile.Admission{}, err
	}
	a.Insert = &regfile.Insertions{Group: r.ByPC}
	for range r.Sets {
		a.Insert.Ops = append(a.Insert.Ops, regfile.Inserted{Bytes: s.Bytes, Slot: s.Slot, Drained: true})
	}
	return a, nil
}
