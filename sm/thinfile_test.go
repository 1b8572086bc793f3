package sm

import (
	"fmt"
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
)

// thinFile is a register file without delay: an issued operation goes to its unit in the
// cycle of its arrival, and a written result can be read in the cycle of its arrival.
type thinFile struct {
	wire.Comp
	issue  []wire.InPort[op.Op]
	ready  []wire.OutPort[op.Op]
	result []wire.InPort[op.Result]
	done   []wire.OutPort[op.Done]
	read   []wire.OutPort[op.Read]
	early  []wire.OutPort[op.Done]
	taken  []wire.OutPort[op.Taken]
	env    regfile.Env

	ops     []op.Op     // as they came
	results []op.Result // as they came
	ports   []int       // the port of each
}

// thinOptions are optional properties of a thinFile.
type thinOptions struct {
	subCores     int
	early, taken bool
	err          error // instead of a file
	gates        []regfile.Gate
	mover        *thinMover
}

type thinGates struct {
	*thinFile
	gates []regfile.Gate
}

func (f *thinGates) Gates() []regfile.Gate { return f.gates }

type thinMover struct {
	*thinFile
	orders  wire.InPort[regfile.Move]
	answers wire.OutPort[regfile.Moved]
}

func (f *thinMover) Mover() (*wire.InPort[regfile.Move], *wire.OutPort[regfile.Moved]) {
	return &f.orders, &f.answers
}

func newThinFile(e *regfile.Env, o *thinOptions) *thinFile {
	n := e.Schedulers
	f := &thinFile{env: *e, issue: make([]wire.InPort[op.Op], n), done: make([]wire.OutPort[op.Done], n),
		read: make([]wire.OutPort[op.Read], n), ready: make([]wire.OutPort[op.Op], len(e.Units)),
		result: make([]wire.InPort[op.Result], o.subCores*e.Writebacks)}
	f.Init("File", e.Domain, f)
	for i := range n {
		f.issue[i].Init(&f.Comp, fmt.Sprintf("Issue[%d]", i), 2)
		f.done[i].Init(&f.Comp, fmt.Sprintf("Done[%d]", i))
		f.read[i].Init(&f.Comp, fmt.Sprintf("Read[%d]", i))
	}
	if o.early {
		f.early = make([]wire.OutPort[op.Done], n)
	}
	if o.taken {
		f.taken = make([]wire.OutPort[op.Taken], n)
	}
	for i := range f.early {
		f.early[i].Init(&f.Comp, fmt.Sprintf("Early[%d]", i))
	}
	for i := range f.taken {
		f.taken[i].Init(&f.Comp, fmt.Sprintf("Taken[%d]", i))
	}
	for i := range f.ready {
		f.ready[i].Init(&f.Comp, fmt.Sprintf("Ready[%d]", i))
	}
	for i := range f.result {
		f.result[i].Init(&f.Comp, fmt.Sprintf("Result[%d]", i), 4)
	}
	return f
}

func places[P any](list []P) (out []*P) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

func (f *thinFile) DataPorts() *regfile.Ports {
	return &regfile.Ports{Issue: places(f.issue), Ready: places(f.ready), Result: places(f.result),
		Done: places(f.done), Read: places(f.read), Early: places(f.early), Taken: places(f.taken), Registers: 1,
		SubCores: len(f.result) / f.env.Writebacks}
}

func (f *thinFile) Tick(wire.Cycle) bool {
	for i := range f.issue {
		for o := f.issue[i].Head(); o != nil && f.ready[o.Unit].CanPut(); o = f.issue[i].Head() {
			f.ops = append(f.ops, *o)
			d := op.Done{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp}
			if f.early != nil && o.Inst.T.NDst > 0 {
				f.early[i].Put(d)
				o.Announced = true
			}
			if f.taken != nil {
				f.taken[i].Put(op.Taken{Unit: o.Unit})
			}
			if o.Inst.T.NSrc > 0 {
				f.read[i].Put(op.Read(d))
			}
			f.ready[o.Unit].Put(*o)
			f.issue[i].Pop()
		}
	}
	for i := range f.result {
		for r := f.result[i].Head(); r != nil; r = f.result[i].Head() {
			f.results, f.ports = append(f.results, *r), append(f.ports, i)
			if !r.Announced {
				f.done[r.Sched].Put(op.Done{Inst: r.Inst, Tag: r.Tag, Warp: r.Warp})
			}
			f.result[i].Pop()
		}
	}
	return false
}

// echo is a memory side answering every access in the cycle of its arrival.
type echo struct {
	wire.Comp
	in  wire.InPort[req.Access]
	out wire.OutPort[req.Reply]
}

func (e *echo) Tick(wire.Cycle) bool {
	for a := e.in.Head(); a != nil && e.out.CanPut(); a = e.in.Head() {
		e.out.Put(req.Reply{Tag: a.Tag, Warp: a.Warp})
		e.in.Pop()
	}
	return false
}

// whole is an SM with a thin register file, a memory side without delay, and the ports of
// the dispatcher.
type whole struct {
	d      *wire.Domain
	m      *SM
	f      *thinFile
	stats  *stats.Registry
	grants *wiretest.Source[message.Grant]
	room   *wiretest.Sink[message.CTACredit]
}

func thinKind(o *thinOptions, made **thinFile) *regfile.Settings {
	return &regfile.Settings{Kind: &regfile.Kind{Name: "thin"}, Build: func(e *regfile.Env) (regfile.Design, error) {
		f := newThinFile(e, o)
		*made = f
		switch {
		case o.err != nil:
			return nil, o.err
		case o.gates != nil:
			return &thinGates{f, o.gates}, nil
		case o.mover != nil:
			o.mover.thinFile = f
			o.mover.orders.Init(&f.Comp, "Orders", 2)
			o.mover.answers.Init(&f.Comp, "Answers")
			return o.mover, nil
		}
		return f, nil
	}}
}

func newWhole(t *testing.T, s *Spec, o *thinOptions) *whole {
	t.Helper()
	w := &whole{d: wire.NewDomain("core", smtest.GHz), stats: &stats.Registry{}}
	var err error
	if w.m, err = New(s, Env{Domain: w.d, Stats: w.stats, Name: "SM", RegFile: thinKind(o, &w.f)}); err != nil {
		t.Fatal(err)
	}
	w.grants = wiretest.NewSource("Grants", w.d, &w.m.Residency.Grants)
	w.room = wiretest.NewSink("Credits", w.d, &w.m.Residency.Credits, 8)
	e := &echo{}
	e.Init("Memory", w.d, e)
	e.in.Init(&e.Comp, "In", 2)
	e.out.Init(&e.Comp, "Out")
	w.m.ConnectMemory(&e.in, &e.out)
	w.m.ConnectInstructions(nil, nil)
	return w
}

// run runs a CTA of a program, granted at cycle 1, and returns the cycle in which the
// dispatcher is informed of its retirement.
func (w *whole) run(t *testing.T, s *Spec, c *stream.CTA) wire.Cycle {
	t.Helper()
	w.m.Load(program.New(c.Kernel, s.Target(), nil), regfile.Residency{Resident: 2, Active: 2}, 0)
	w.grants.Send(1, message.Grant{CTA: c})
	w.d.RunUntil(1000)
	w.m.Finish(1000)
	last := w.room.Got[len(w.room.Got)-1]
	if len(last.Msg.Gone) != 1 {
		t.Fatalf("rooms %+v, want the CTA retired in the end", w.room.Got)
	}
	return last.Cycle
}
