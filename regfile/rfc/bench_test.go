package rfc

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// feeder issues an operation per cycle, its warps in turn, and executes it in no
// time: a warp's next operation comes so late that every hazard is over. Every
// 64th cycle a warp pauses and another one comes back.
type feeder struct {
	wire.Comp
	out    wire.OutPort[op.Op]
	done   wire.InPort[op.Done]
	unit   wire.InPort[op.Op]
	result wire.OutPort[op.Result]
	notice wire.OutPort[regfile.WarpNotice]
	insts  []ir.Inst
	n      uint32
	left   int
}

const benchWarps = 16

func (f *feeder) Tick(wire.Cycle) bool {
	for f.done.Head() != nil {
		f.done.Pop()
	}
	for o := f.unit.Head(); o != nil && f.result.CanPut(); o = f.unit.Head() {
		f.result.Put(o.Result())
		f.unit.Pop()
	}
	if f.left > 0 && f.out.CanPut() {
		w, k := f.n%benchWarps, f.n/benchWarps
		if f.notice.Connected() && f.n%64 == 0 && f.notice.Room() >= 2 {
			p := uint16(k / 4 % benchWarps)
			f.notice.Put(regfile.WarpNotice{Warp: p, Event: regfile.WarpSuspended})
			f.notice.Put(regfile.WarpNotice{Warp: (p + benchWarps/2) % benchWarps, Event: regfile.WarpActivated})
		}
		f.out.Put(op.Op{Inst: &f.insts[k%8], Tag: f.n + 1, Exec: all, Warp: uint16(w)})
		f.n++
		f.left--
	}
	return f.left > 0 || f.unit.Head() != nil
}

// newFeeder joins a feeder to a file.
func newFeeder(t testing.TB, build func(env *regfile.Env) (regfile.Design, error)) (*feeder, *stats.Registry) {
	d, reg := wire.NewDomain("Core", 1e9), &stats.Registry{}
	design, err := build(&regfile.Env{Domain: d, Stats: reg, Name: "SM[0]", Schedulers: 1, IssueWidth: 1, Warps: benchWarps, Active: benchWarps / 2,
		Registers: 32, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}})
	if err != nil {
		t.Fatal(err)
	}
	f := &feeder{insts: make([]ir.Inst, 8)}
	for k := range f.insts { // instruction k reads what k-2, k-3 and k-4 wrote
		x := &f.insts[k].T
		x.NSrc, x.NDst, x.Dst[0], x.Dead = 3, 1, ir.RegID(k), 4
		for i := range 3 {
			x.Src[i] = ir.RegID((k + 8 - 2 - i) % 8)
		}
	}
	f.Init("Feeder", d, f)
	f.out.Init(&f.Comp, "Out")
	f.done.Init(&f.Comp, "Done", 4)
	f.unit.Init(&f.Comp, "Unit", 2)
	f.result.Init(&f.Comp, "Result")
	f.notice.Init(&f.Comp, "Notices")
	p := design.Ports()
	wire.Connect(&f.out, p.Issue[0], 1)
	wire.Connect(p.Done[0], &f.done, 1)
	wire.Connect(p.Ready[0], &f.unit, 1)
	wire.Connect(&f.result, p.Result[0], 1)
	if l, ok := design.(regfile.Listener); ok {
		wire.Connect(&f.notice, l.Notices().Warp[0], 1)
	}
	return f, reg
}

func (f *feeder) run(n int) {
	f.left = n
	f.Wake()
	for f.Domain().Step(wire.Never - 1) {
	}
}

func fermi(s *Spec) {
	s.base.SubCores, s.base.Banks, s.base.BankWidth, s.base.BankPorts, s.base.CrossbarOutput = 1, 32, 16, "1r1w", 3
	s.base.Collectors = 10
	s.Liveness = true
}

func cached(env *regfile.Env) (regfile.Design, error) { return NewFile(env, with(fermi)) }

func plain(env *regfile.Env) (regfile.Design, error) {
	s := with(fermi)
	return conventional.New(env, s.base)
}

// BenchmarkOperation is the time of an operation with three sources through the
// whole file, with the cache and without.
func BenchmarkOperation(b *testing.B) {
	for name, build := range map[string]func(*regfile.Env) (regfile.Design, error){"cached": cached, "plain": plain} {
		b.Run(name, func(b *testing.B) {
			f, reg := newFeeder(b, build)
			f.run(4000)
			b.ReportAllocs()
			from := f.Domain().Now()
			b.ResetTimer()
			f.run(b.N)
			b.ReportMetric(float64(b.N)/float64(f.Domain().Now()-from), "ops/cycle")
			if s := reg.Snapshot(); name == "cached" {
				b.ReportMetric(float64(s["regfile.rfc.read_hits"])/float64(s["regfile.rfc.reads"]), "hits/read")
			}
		})
	}
}

func TestARunInSteadyStateAllocatesNothing(t *testing.T) {
	f, reg := newFeeder(t, cached)
	f.run(4000)
	if n := testing.AllocsPerRun(5, func() { f.run(1000) }); n != 0 {
		t.Errorf("%v allocations in 1000 operations", n)
	}
	s := reg.Snapshot()
	for _, name := range []string{"read_hits", "evictions", "flushed", "dead_elided"} {
		if s["regfile.rfc."+name] == 0 {
			t.Errorf("no %s: the run shows little", name)
		}
	}
}
