package contracttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// buffered is a small register file. Results wait in a write buffer for a fixed time, and reads search the buffer
// too.
type buffered struct {
	wire.Comp
	env   *regfile.Env
	issue []wire.InPort[op.Op]
	ready []wire.OutPort[op.Op]
	in    []wire.InPort[op.Result]
	done  []wire.OutPort[op.Done]
	read  []wire.OutPort[op.Read]

	regs   []version.Content // by warp and register
	buffer []write           // oldest first
	stale  bool              // the fault: of two results for a register in the buffer reads see the older
}

type write struct {
	at   int // register, as an index into regs
	what version.Content
	due  wire.Cycle // when it leaves the buffer
}

// held is the time of a result in the buffer, in cycles. It is long enough for two dependent writes and a read
// after the Done.
const held = 10

func bufferedKind(stale bool) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "buffered"}, regfile.Builder[struct{}]{
		Default: func() struct{} { return struct{}{} },
		Build: func(env *regfile.Env, _ *struct{}) (regfile.Design, error) {
			f := &buffered{
				env: env, stale: stale, regs: make([]version.Content, env.Warps*env.Registers),
				issue: make([]wire.InPort[op.Op], env.Schedulers), ready: make([]wire.OutPort[op.Op], len(env.Units)),
				in: make([]wire.InPort[op.Result], env.Writebacks), done: make([]wire.OutPort[op.Done], env.Schedulers),
			}
			f.Init(env.Name+".Buffered", env.Domain, f)
			if env.ReadNotice {
				f.read = make([]wire.OutPort[op.Read], env.Schedulers)
			}
			return f, nil
		},
	})
}

// DataPorts makes the ends of the file.
func (f *buffered) DataPorts() *regfile.Ports {
	p := &regfile.Ports{SubCores: 1}
	for i := range f.issue {
		f.issue[i].Init(&f.Comp, fmt.Sprintf("Issue[%d]", i), 4)
		p.Issue = append(p.Issue, &f.issue[i])
		f.done[i].Init(&f.Comp, fmt.Sprintf("Done[%d]", i))
		p.Done = append(p.Done, &f.done[i])
	}
	for i := range f.read {
		f.read[i].Init(&f.Comp, fmt.Sprintf("Read[%d]", i))
		p.Read = append(p.Read, &f.read[i])
	}
	for i := range f.ready {
		f.ready[i].Init(&f.Comp, fmt.Sprintf("Ready[%d]", i))
		p.Ready = append(p.Ready, &f.ready[i])
	}
	for i := range f.in {
		f.in[i].Init(&f.Comp, fmt.Sprintf("Result[%d]", i), 2)
		p.Result = append(p.Result, &f.in[i])
	}
	return p
}

// Tick reads, accepts results and writes the due results of the buffer.
func (f *buffered) Tick(now wire.Cycle) bool {
	for i := range f.issue {
		if o := f.issue[i].Head(); o != nil {
			f.hand(now, i, o)
		}
	}
	for i := range f.in {
		if r := f.in[i].Head(); r != nil {
			f.take(now, i, r)
		}
	}
	for len(f.buffer) > 0 && f.buffer[0].due <= now {
		w := &f.buffer[0]
		f.regs[w.at] = f.regs[w.at].Overlay(w.what)
		f.buffer = f.buffer[1:]
	}
	return f.left()
}

// left reports whether there is something to do in the next cycle.
func (f *buffered) left() bool {
	for i := range f.issue {
		if f.issue[i].Head() != nil {
			return true
		}
	}
	for i := range f.in {
		if f.in[i].Head() != nil {
			return true
		}
	}
	return len(f.buffer) > 0
}

// hand reads the sources of an operation and hands it to its unit.
func (f *buffered) hand(now wire.Cycle, sched int, o *op.Op) {
	notice := f.read != nil && o.Inst.T.NSrc > 0
	if !f.ready[o.Unit].CanPut() || notice && !f.read[sched].CanPut() {
		return
	}
	for i, r := range o.Inst.T.Src[:o.Inst.T.NSrc] {
		x := f.lookUp(f.place(o.Warp, r))
		f.env.Checker.Operand(f.Name(), now, o, i, &x)
	}
	f.env.Checker.AtUnit(f.Name(), now, o)
	if notice {
		f.read[sched].Put(op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp})
	}
	f.ready[o.Unit].Put(*o)
	f.issue[sched].Pop()
}

func (f *buffered) place(warp uint16, r ir.RegID) int { return int(warp)*f.env.Registers + int(r) }

// lookUp returns the content of a register as seen by a read.
func (f *buffered) lookUp(at int) version.Content {
	var found []version.Content
	for _, w := range f.buffer {
		if w.at == at {
			found = append(found, w.what)
		}
	}
	if f.stale {
		slices.Reverse(found)
	}
	x := f.regs[at]
	for _, c := range found {
		x = x.Overlay(c)
	}
	return x
}

// take puts the registers of a result into the buffer.
func (f *buffered) take(now wire.Cycle, port int, r *op.Result) {
	if !f.done[r.Sched].CanPut() {
		return
	}
	for _, d := range r.Inst.T.Dst[:r.Inst.T.NDst] {
		f.buffer = append(f.buffer, write{f.place(r.Warp, d), version.Content{Seq: r.Tag, Lanes: r.Exec}, now + held})
	}
	f.done[r.Sched].Put(op.Done{Inst: r.Inst, Tag: r.Tag, Warp: r.Warp})
	f.in[port].Pop()
}

func TestAFileWithAWriteBufferKeepsTheContract(t *testing.T) {
	Contract(t, bufferedKind(false), nil)
}

// Every configuration shows the fault, the one with 256 registers and 3 warps
// too: its programs come to two results in the buffer by bursts alone.
func TestAReadOfTheOlderOfTwoResultsInAWriteBufferIsReported(t *testing.T) {
	for name, c := range Configs() {
		o, err := Run(bufferedKind(true).Settings(), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		if report := strings.Join(o.Problems, "\n"); !strings.Contains(report, "want version") {
			t.Errorf("%s: problems %q, want an operand with an older version", name, report)
		}
	}
}
