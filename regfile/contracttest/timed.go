package contracttest

import (
	"fmt"
	"math/rand/v2"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Units of a timed machine. The first two are of fixed latency.
const (
	timedFMA = iota
	timedALU
	timedLoads
	timedUnits
)

// runTimed runs random instructions on a register file under control words. It issues one instruction in each cycle
// in which no gate with Stops is closed, whatever is in flight. It returns the problems found:
//   - an instruction of fixed latency that waited before its unit, or was delayed in a cycle with
//     all gates open,
//   - a result of fixed latency that waited for another, or was not done in the cycle after its
//     arrival,
//   - lost operations.
//
// Results of loads arrive after a random time on the last result port. Some of the loads and of the instructions of
// the ALU write two or four registers, often of one bank.
func runTimed(settings *regfile.Settings, ports int, seed uint64, n int) (problems []string, err error) {
	d := wire.NewDomain("Core", 1e9)
	m := &controlled{rng: rand.New(rand.NewPCG(seed, 1)), left: n,
		out: make([]wire.OutPort[op.Result], ports), due: map[uint32]wire.Cycle{}, took: map[uint32]wire.Cycle{},
		issued: map[uint32]wire.Cycle{}}
	env := &regfile.Env{Domain: d, Stats: &stats.Registry{}, Name: "SM", Schedulers: 1, IssueWidth: 1, Warps: 8,
		Registers: 64, Writebacks: ports, ReadNotice: true, Controlled: true, Units: make([]regfile.Unit, timedUnits)}
	for u, name := range []string{"fma", "alu", "loads"} {
		env.Units[u] = regfile.Unit{Name: name, Kind: name, Sched: regfile.Shared}
	}
	m.times.Class[ir.ClassFMA] = op.Time{Latency: 4, Initiation: 1}
	m.times.Class[ir.ClassInt] = op.Time{Latency: 6, Initiation: 1}
	m.times.Class[ir.ClassIntMul] = op.Time{Latency: 11, Initiation: 3}
	m.times.Class[ir.ClassShuffle] = op.Time{Latency: 20, Initiation: 2} // variable, in a unit of fixed latency
	for u := range timedLoads {
		env.Units[u].Sched, env.Units[u].Times, env.Units[u].Fixed = 0, &m.times, true
	}
	f, err := settings.Build(env)
	if err != nil {
		return nil, err
	}
	m.join(d, f)
	d.RunUntil(wire.Cycle(20*n + 2000))
	if m.left > 0 || len(m.took) > 0 {
		m.problem("%d instructions were not issued, %d of those issued are not done", m.left, len(m.took))
	}
	return m.problems, nil
}

// controlled is the surroundings of the register file: a scheduler, the units, and the path of results.
type controlled struct {
	wire.Comp
	rng   *rand.Rand
	times op.Times
	gates []*wire.Signal[regfile.WarpSet]
	issue wire.OutPort[op.Op]
	units [timedUnits]wire.InPort[op.Op]
	done  wire.InPort[op.Done]
	read  wire.InPort[op.Read]
	out   []wire.OutPort[op.Result] // the last one for loads

	forward  wire.Cycle
	left     int
	tag      uint32
	free     [timedUnits]wire.Cycle
	clock    wire.Cycle            // cycles in which the gates were open
	issued   map[uint32]wire.Cycle // by tag, of fixed latency: the clock at issue
	delay    wire.Cycle            // cycles by the clock from issue to begin, of the last operation begun
	flight   []timedResult
	due      map[uint32]wire.Cycle // of fixed latency, by tag: when the result arrives
	took     map[uint32]wire.Cycle // by tag: when it was issued
	problems []string
}

// timedResult is a result in flight, to be sent in cycle at or later.
type timedResult struct {
	at   wire.Cycle
	unit int
	r    op.Result
}

func (m *controlled) join(d *wire.Domain, f regfile.Design) {
	m.Init("Machine", d, m)
	m.issue.Init(&m.Comp, "Issue")
	m.done.Init(&m.Comp, "Done", 8)
	m.read.Init(&m.Comp, "Read", 8)
	p := f.DataPorts()
	m.forward = wire.Cycle(p.Forward)
	for u := range m.units {
		m.units[u].Init(&m.Comp, fmt.Sprintf("Unit[%d]", u), 2)
		wire.Connect(p.Ready[u], &m.units[u], 1)
	}
	for i := range m.out {
		m.out[i].Init(&m.Comp, fmt.Sprintf("Out[%d]", i))
		wire.Connect(&m.out[i], p.Result[i], 1)
	}
	wire.Connect(&m.issue, p.Issue[0], 1)
	wire.Connect(p.Done[0], &m.done, 1)
	wire.Connect(p.Read[0], &m.read, 1)
	for _, g := range f.(regfile.Gater).Gates() {
		if g.Stops {
			m.gates = append(m.gates, g.Signal(0))
		}
	}
}

func (m *controlled) problem(format string, args ...any) {
	if len(m.problems) < 10 {
		m.problems = append(m.problems, fmt.Sprintf(format, args...))
	}
}

// Tick accepts notices, lets units begin and end operations, and issues an instruction.
func (m *controlled) Tick(now wire.Cycle) bool {
	for ; m.read.Head() != nil; m.read.Pop() {
		continue
	}
	for x := m.done.Take(); x != nil; x = m.done.Take() {
		if at, ok := m.due[x.Tag]; ok && now != at+1 {
			m.problem("the result of %d, due at %d, is done at %d", x.Tag, at, now)
		}
		delete(m.took, x.Tag)
	}
	for u := range m.units {
		m.begin(u, now)
	}
	m.send(now)
	closed := false
	for _, g := range m.gates {
		set := g.Get()
		closed = closed || set.Has(0)
	}
	if !closed {
		m.clock++
	}
	if m.left > 0 && !closed && m.issue.CanPut() && m.rng.IntN(8) > 0 {
		m.left--
		m.issue.Put(m.random(now))
	}
	return true
}

// begin lets a unit begin an operation.
func (m *controlled) begin(u int, now wire.Cycle) {
	o := m.units[u].Head()
	if o == nil {
		return
	}
	t := m.times.Of(o.Inst)
	x := timedResult{unit: u, r: o.Result()}
	if u == timedLoads {
		x.at = now + 4 + wire.Cycle(m.rng.IntN(40))
	} else {
		if now < m.free[u] {
			m.problem("operation %d waits for unit %d at %d, which is free at %d", o.Tag, u, now, m.free[u])
			return
		}
		m.begins(o, now)
		m.free[u] = now + wire.Cycle(t.Initiation)
		x.at = now + wire.Cycle(t.Latency) - m.forward - 1
		m.due[o.Tag] = x.at + 1
	}
	m.flight = append(m.flight, x)
	m.units[u].Pop()
}

// begins compares an operation of fixed latency with the one before it. A stall count between the two is respected
// if the second is at least as late as the first, relative to the clock at issue.
func (m *controlled) begins(o *op.Op, now wire.Cycle) {
	at, ok := m.issued[o.Tag]
	if !ok {
		return
	}
	if now-at < m.delay {
		m.problem("operation %d begins at %d, %d cycles after its issue by the clock; one before it took %d", o.Tag,
			now, now-at, m.delay)
	}
	m.delay = now - at
}

// send sends the due results, those of loads one per cycle.
func (m *controlled) send(now wire.Cycle) {
	rest, ends, loaded := m.flight[:0], 0, false
	var ended [timedUnits]bool
	last := len(m.out) - 1
	for _, x := range m.flight {
		switch {
		case x.at > now || x.unit == timedLoads && (loaded || !m.out[last].CanPut()):
			rest = append(rest, x)
		case x.unit == timedLoads:
			loaded = true
			m.out[last].Put(x.r)
		default:
			if ended[x.unit] || ends == last || !m.out[ends].CanPut() {
				m.problem("a result of unit %d waits for another at %d", x.unit, now)
				continue
			}
			m.out[ends].Put(x.r)
			ended[x.unit] = true
			ends++
		}
	}
	m.flight = rest
}

// random makes an operation.
func (m *controlled) random(now wire.Cycle) op.Op {
	m.tag++
	in := &ir.Inst{Control: ir.Plain(1)}
	unit := m.rng.IntN(timedUnits)
	in.T.Class, in.T.NDst = ir.ClassFMA, 1
	switch unit {
	case timedALU:
		in.T.Class = []ir.Class{ir.ClassInt, ir.ClassIntMul, ir.ClassShuffle}[m.rng.IntN(3)]
		in.T.NDst = uint8(1 + m.rng.IntN(2))
	case timedLoads:
		in.T.Class, in.T.NDst = ir.ClassLoad, uint8(1<<m.rng.IntN(3))
	}
	first, step := m.rng.IntN(16), 1+m.rng.IntN(2)
	for i := range in.T.NDst {
		in.T.Dst[i] = ir.RegID(first + step*int(i))
	}
	in.T.NSrc = uint8(m.rng.IntN(4))
	for i := range in.T.NSrc {
		in.T.Src[i] = ir.RegID(m.rng.IntN(48))
		in.T.Slots |= uint32(i) << (2 * i)
	}
	m.took[m.tag] = now
	if unit != timedLoads && in.T.Class.FixedLatency() {
		m.issued[m.tag] = m.clock
	}
	return op.Op{Inst: in, Issued: now, Tag: m.tag, Exec: ^uint32(0), Warp: uint16(m.rng.IntN(8)), Unit: uint8(unit)}
}
