package conventional

import (
	"fmt"
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// feeder issues an operation per cycle, its warps in turn, without scoreboard: a warp's next operation comes late
// enough for every hazard to be over.
type feeder struct {
	wire.Comp
	out   wire.OutPort[op.Op]
	done  wire.InPort[op.Done]
	check *version.Checker
	insts []ir.Inst
	sched uint8
	count uint32 // schedulers
	warps uint32 // of this scheduler
	n     uint32 // operations issued
	left  int
	seen  uint64
}

func (f *feeder) Tick(now wire.Cycle) bool {
	for f.done.Head() != nil {
		f.seen++
		f.done.Pop()
	}
	if f.left == 0 || !f.out.CanPut() {
		return false
	}
	w, k := f.n%f.warps, f.n/f.warps
	o := op.Op{
		Inst: &f.insts[k%uint32(len(f.insts))], Issued: now, Tag: 1 + uint32(f.sched) + f.n*f.count,
		Exec: version.FullMask,
		Warp: uint16(w*f.count + uint32(f.sched)), Sched: f.sched, Unit: f.sched,
	}
	f.check.Issue(&o)
	f.out.Put(o)
	f.n++
	f.left--
	return f.left > 0
}

// echo executes an operation in no time.
type echo struct {
	wire.Comp
	in   wire.InPort[op.Op]
	out  wire.OutPort[op.Result]
	mute bool // there are no results
}

func (e *echo) Tick(wire.Cycle) bool {
	o := e.in.Head()
	if o == nil || !e.mute && !e.out.CanPut() {
		return false
	}
	if o.Inst.T.NDst > 0 {
		e.out.Put(o.Result())
	}
	e.in.Pop()
	return e.in.Head() != nil
}

func writes(insts []ir.Inst) bool {
	for i := range insts {
		if insts[i].T.NDst > 0 {
			return true
		}
	}
	return false
}

// spread returns a ring of instructions with three sources and a destination, all in different banks of four;
// instruction k reads the results of k-2, k-3 and k-4.
func spread() []ir.Inst {
	out := make([]ir.Inst, 8)
	for k := range out {
		t := &out[k].T
		t.NSrc, t.NDst = 3, 1
		for i := range 3 {
			t.Src[i] = ir.RegID((k + 8 - 2 - i) % 8)
		}
		t.Dst[0] = ir.RegID(k)
	}
	return out
}

type machine struct {
	d       *wire.Domain
	f       *File
	feeders []*feeder
	reg     stats.Registry
	check   *version.Checker
}

func newMachine(t testing.TB, s Spec, check bool) *machine { return feed(t, s, spread(), check) }

// feed returns a file in which every scheduler issues the given instructions, the whole sequence for each of its
// warps in turn.
func feed(t testing.TB, s Spec, insts []ir.Inst, check bool) *machine {
	const scheds = 4
	m := &machine{d: wire.NewDomain("Core", 1e9)}
	env := &regfile.Env{Domain: m.d, Stats: &m.reg, Name: "SM[0]", Schedulers: scheds, IssueWidth: 1, Warps: 64,
		Registers: 32, Writebacks: 1}
	for i := range scheds {
		env.Units = append(env.Units, regfile.Unit{Name: fmt.Sprintf("SP[%d]", i), Kind: "sp", Sched: i})
	}
	if check {
		m.check = version.NewChecker(env.Warps, env.Registers, 0)
		env.Checker = m.check
	}
	f, err := New(env, &s)
	if err != nil {
		t.Fatal(err)
	}
	m.f = f
	p := f.DataPorts()
	for i := range scheds {
		x := &feeder{check: m.check, insts: insts, sched: uint8(i), count: scheds, warps: 16}
		x.Init(fmt.Sprintf("Feeder[%d]", i), m.d, x)
		x.out.Init(&x.Comp, "Out")
		x.done.Init(&x.Comp, "Done", 4)
		wire.Connect(&x.out, p.Issue[i], 1)
		wire.Connect(p.Done[i], &x.done, 1)
		m.feeders = append(m.feeders, x)
		e := &echo{}
		e.Init(fmt.Sprintf("Echo[%d]", i), m.d, e)
		e.in.Init(&e.Comp, "In", 2)
		e.out.Init(&e.Comp, "Out")
		wire.Connect(p.Ready[i], &e.in, 1)
		if len(p.Result) == scheds {
			wire.Connect(&e.out, p.Result[i], 1)
		} else if !writes(insts) {
			e.mute = true
		} else {
			t.Fatal("a sub-core for each scheduler, or no results")
		}
	}
	return m
}

// run issues n operations per scheduler and returns the cycles until rest.
func (m *machine) run(n int) wire.Cycle {
	start := m.d.Now()
	for _, f := range m.feeders {
		f.left = n
		f.Wake()
	}
	for m.d.Step(wire.Never - 1) {
	}
	return m.d.Now() - start
}

func fast() Spec {
	s := Default()
	s.Collectors = 8
	return s
}

func BenchmarkOperation(b *testing.B) {
	for _, check := range []bool{false, true} {
		b.Run(fmt.Sprintf("check=%v", check), func(b *testing.B) {
			m := newMachine(b, fast(), check)
			m.run(1000)
			b.ReportAllocs()
			b.ResetTimer()
			cycles := m.run((b.N + 3) / 4)
			b.ReportMetric(float64(b.N)/float64(cycles), "ops/cycle")
			if m.check.Total() != 0 {
				b.Fatal(m.check.Violations()[0])
			}
		})
	}
}
