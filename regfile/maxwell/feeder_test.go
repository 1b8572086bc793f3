package maxwell

import (
	"math/rand/v2"
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// feeder issues a sequence of instructions over and over, as the stalls of warps permit: from the warp of the last
// issue if possible, else from the first warp. Stalls are counted on a clock stopped while the gate is closed. Only
// stalls are obeyed; the sequences have no other hazards.
type feeder struct {
	wire.Comp
	gate   *wire.Signal[regfile.WarpSet]
	clock  wire.Cycle
	deaf   bool // it does not look at the gate
	out    wire.OutPort[op.Op]
	done   wire.InPort[op.Done]
	read   wire.InPort[op.Read]
	check  *version.Checker // nil: none
	seq    []ir.Inst
	stalls []wire.Cycle // of each instruction
	soon   []wire.Cycle // by warp: it may issue from then on
	next   []int        // by warp: its next instruction
	last   int
	tag    uint32
	left   int
}

// Tick issues an instruction.
func (f *feeder) Tick(now wire.Cycle) bool {
	for f.done.Head() != nil {
		f.done.Pop()
	}
	for f.read.Head() != nil {
		f.read.Pop()
	}
	if f.left == 0 {
		return false
	}
	if g := f.gate.Get(); g.Has(0) && !f.deaf {
		return true
	}
	f.clock++
	if !f.out.CanPut() {
		return true
	}
	w := f.last
	for i := 0; f.soon[w] > f.clock; i++ {
		if i == len(f.soon) {
			return true
		}
		w = i
	}
	f.tag++
	f.left--
	f.last = w
	o := op.Op{Inst: &f.seq[f.next[w]], Issued: now, Tag: f.tag, Exec: all, Warp: uint16(w)}
	f.check.Issue(&o)
	f.out.Put(o)
	f.soon[w] = f.clock + f.stalls[f.next[w]]
	if f.next[w]++; f.next[w] == len(f.seq) {
		f.next[w] = 0
	}
	return f.left > 0
}

// echo executes an operation in a cycle. With the link, its result is at the file two cycles after the operation
// arrived here, as for a unit of latency 4 with results announced 2 cycles ahead. It records the cycles of
// operations.
type echo struct {
	wire.Comp
	in   wire.InPort[op.Op]
	out  wire.OutPort[op.Result]
	got  int
	at   []wire.Cycle
	next op.Result // of the last cycle; none if Inst is nil
}

func (e *echo) Tick(now wire.Cycle) bool {
	if e.next.Inst != nil {
		if !e.out.CanPut() {
			return true
		}
		e.out.Put(e.next)
		e.next.Inst = nil
	}
	if o := e.in.Head(); o != nil {
		e.at[e.got%len(e.at)] = now
		e.got++
		e.next = o.Result()
		e.in.Pop()
	}
	return e.next.Inst != nil
}

// load is the work of a feeder.
type load struct {
	seq    []ir.Inst
	warps  int
	stalls []int  // of each instruction; nil: 1
	seed   uint64 // of the phases in which warps begin; 0: all at once
	n      int    // instructions in all
}

// drive is a sub-core between a feeder and a unit.
type drive struct {
	d   *wire.Domain
	reg stats.Registry
	f   *feeder
	e   *echo
}

func newDrive(t testing.TB, s Spec, l load, check bool) *drive {
	t.Helper()
	x := &drive{d: wire.NewDomain("Core", 1e9)}
	env := environment(x.d, &x.reg, l.warps)
	if check {
		env.Checker = version.NewChecker(l.warps, 128, 0)
	}
	file, err := New(env, s)
	if err != nil {
		t.Fatal(err)
	}
	p := file.DataPorts()
	x.f = &feeder{check: env.Checker, seq: l.seq, stalls: make([]wire.Cycle, len(l.seq)),
		soon: make([]wire.Cycle, l.warps), next: make([]int, l.warps), left: l.n, gate: file.Gates()[0].Signal(0)}
	longest := 1
	for i := range x.f.stalls {
		x.f.stalls[i] = 1
		if l.stalls != nil {
			x.f.stalls[i] = wire.Cycle(l.stalls[i])
			longest = max(longest, l.stalls[i])
		}
	}
	if l.seed != 0 {
		rng := rand.New(rand.NewPCG(l.seed, 1))
		for w := range x.f.soon {
			x.f.soon[w], x.f.next[w] = wire.Cycle(rng.IntN(2*longest)), rng.IntN(len(l.seq))
		}
	}
	x.f.Init("Feeder", x.d, x.f)
	x.f.out.Init(&x.f.Comp, "Out")
	x.f.done.Init(&x.f.Comp, "Done", 2)
	x.f.read.Init(&x.f.Comp, "Read", 2)
	wire.Connect(&x.f.out, p.Issue[0], 1)
	wire.Connect(p.Done[0], &x.f.done, 1)
	wire.Connect(p.Read[0], &x.f.read, 1)
	x.e = &echo{at: make([]wire.Cycle, l.n)}
	x.e.Init("Unit", x.d, x.e)
	x.e.in.Init(&x.e.Comp, "In", 2)
	x.e.out.Init(&x.e.Comp, "Out")
	wire.Connect(p.Ready[0], &x.e.in, 1)
	wire.Connect(&x.e.out, p.Result[0], 1)
	return x
}

// perSix is how many cycles six instructions take in the second half of a run.
func perSix(t testing.TB, s Spec, l load) float64 {
	t.Helper()
	if l.n == 0 {
		l.n = 60 * len(l.seq) * l.warps
	}
	x := newDrive(t, s, l, false)
	for x.d.Step(wire.Cycle(100 * l.n)) {
	}
	if x.e.got != l.n {
		t.Fatalf("%d instructions arrived, want %d", x.e.got, l.n)
	}
	half := l.n / 2
	return 6 * float64(x.e.at[l.n-1]-x.e.at[half-1]) / float64(l.n-half)
}

// sequence makes instructions, each writing a register read by none of them.
func sequence(list ...*ir.Inst) []ir.Inst {
	var out []ir.Inst
	for i, in := range list {
		in.T.Dst[0], in.T.NDst = ir.RegID(18+i%6), 1
		out = append(out, *in)
	}
	return out
}

// repeat is an instruction over and over.
func repeat(n int, in *ir.Inst) (out []*ir.Inst) {
	for range n {
		c := *in
		out = append(out, &c)
	}
	return out
}
