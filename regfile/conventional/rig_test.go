package conventional

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// rig is a register file with sources and sinks at all its ports.
type rig struct {
	d      *wire.Domain
	f      *File
	reg    stats.Registry
	check  *version.Checker
	issue  []*wiretest.Source[op.Op]
	result []*wiretest.Source[op.Result]
	units  []*wiretest.Sink[op.Op]
	done   []*wiretest.Sink[op.Done]
	early  []*wiretest.Sink[op.Done]
	tag    uint32
	env    *regfile.Env
}

// simple is a file with one sub-core, four banks of one port, and enough
// collectors never to run out.
func simple() Spec {
	s := Default()
	s.SubCores, s.Banks, s.BankPorts, s.BankIndex, s.Collectors, s.Forward = 1, 4, "1rw", "register", 8, 0
	return s
}

func oneScheduler() *regfile.Env {
	return &regfile.Env{Schedulers: 1, IssueWidth: 1, Warps: 8, Registers: 64, Writebacks: 2,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: 0}, {Name: "SFU", Kind: "sfu", Sched: 0}}}
}

func newRig(t testing.TB, s Spec, env *regfile.Env) *rig {
	t.Helper()
	return newRigOf(t, env, func() (*File, error) { return New(env, &s) })
}

// newRigOf is newRig for a file built by a function.
func newRigOf(t testing.TB, env *regfile.Env, build func() (*File, error)) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("Core", 1e9), check: version.NewChecker(env.Warps, env.Registers, 0), env: env}
	env.Domain, env.Stats, env.Name, env.Checker = r.d, &r.reg, "SM[0]", r.check
	f, err := build()
	if err != nil {
		t.Fatal(err)
	}
	r.f = f
	p := f.DataPorts()
	for i := range p.Issue {
		r.issue = append(r.issue, wiretest.NewSource("Scheduler", r.d, p.Issue[i]))
		r.done = append(r.done, wiretest.NewSink("Scoreboard", r.d, p.Done[i], 8))
	}
	for i := range p.Early {
		r.early = append(r.early, wiretest.NewSink("Scoreboard", r.d, p.Early[i], 8))
	}
	for i := range p.Result {
		r.result = append(r.result, wiretest.NewSource("Pipeline", r.d, p.Result[i]))
	}
	for i := range p.Ready {
		r.units = append(r.units, wiretest.NewSink("Unit", r.d, p.Ready[i], 2))
	}
	return r
}

// regs makes an instruction.
func regs(dst []ir.RegID, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{}
	in.T.NSrc, in.T.NDst = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst))
	return in
}

// send issues an instruction so that it is visible to the file at cycle at.
func (r *rig) send(at wire.Cycle, sched, unit int, warp uint16, in *ir.Inst) op.Op {
	r.tag++
	o := op.Op{Inst: in, Tag: r.tag, Exec: version.FullMask, Unit: uint8(unit), Sched: uint8(sched), Warp: warp}
	r.check.Issue(&o)
	r.issue[sched].Send(at-1, o)
	return o
}

// finish makes the result of an operation visible to the file at cycle at.
func (r *rig) finish(at wire.Cycle, port int, o op.Op) { r.result[port].Send(at-1, o.Result()) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()[name] }

// ready runs the file and compares the cycles in which a unit receives operations.
func (r *rig) ready(t *testing.T, unit int, want ...wire.Cycle) {
	t.Helper()
	r.d.RunUntil(r.d.Now() + 300)
	if d := cmp.Diff(want, r.units[unit].Cycles()); d != "" {
		t.Fatalf("unit %d receives at (-want +got):\n%s", unit, d)
	}
	r.sound(t)
}

// sound fails the test if the checker found anything.
func (r *rig) sound(t *testing.T) {
	t.Helper()
	for _, v := range r.check.Violations() {
		t.Error(v)
	}
	for _, w := range r.d.Waiting() {
		t.Error(w)
	}
}
