package maxwell

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

const all = version.FullMask

// rig is the file of an SM with one scheduler and two units. The test acts as the scheduler and the units.
type rig struct {
	t       testing.TB
	d       *wire.Domain
	reg     stats.Registry
	f       *File
	check   *version.Checker
	issue   *wiretest.Source[op.Op]
	result  *wiretest.Source[op.Result]
	notice  *wiretest.Source[regfile.WarpNotice]
	ready   [2]*wiretest.Sink[op.Op]
	done    *wiretest.Sink[op.Done]
	read    *wiretest.Sink[op.Read]
	tag     uint32
	stopped bool // unit 1 takes nothing
}

func newRig(t testing.TB, tune func(*Spec)) *rig {
	t.Helper()
	return newRigIn(t, tune, func(*regfile.Env) {})
}

// newRigIn is newRig with a modified SM.
func newRigIn(t testing.TB, tune func(*Spec), change func(*regfile.Env)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{t: t, d: wire.NewDomain("Core", 1e9), check: version.NewChecker(8, 128, 0)}
	env := environment(r.d, &r.reg, 8)
	env.Checker = r.check
	change(env)
	var err error
	if r.f, err = New(env, s); err != nil {
		t.Fatal(err)
	}
	p := r.f.DataPorts()
	r.issue = wiretest.NewSource("Scheduler", r.d, p.Issue[0])
	r.result = wiretest.NewSource("Results", r.d, p.Result[0])
	if n := r.f.Notices(); len(n.Warp) > 0 {
		r.notice = wiretest.NewSource("Warps", r.d, n.Warp[0])
	}
	r.ready[0] = wiretest.NewSink("Unit[0]", r.d, p.Ready[0], 2)
	r.ready[1] = wiretest.NewSink("Unit[1]", r.d, p.Ready[1], env.IssueWidth)
	r.ready[1].Refuse = func(wire.Cycle) bool { return r.stopped }
	r.done = wiretest.NewSink("Done", r.d, p.Done[0], 2)
	r.read = wiretest.NewSink("Read", r.d, p.Read[0], 2)
	return r
}

// environment is an SM of one scheduler with two units.
func environment(d *wire.Domain, reg *stats.Registry, warps int) *regfile.Env {
	return &regfile.Env{Domain: d, Stats: reg, Name: "SM", Schedulers: 1, IssueWidth: 1, Warps: warps, Registers: 128,
		Units:      []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SFU", Kind: "sfu"}},
		Writebacks: 1, ReadNotice: true}
}

// fma reads three registers in slots a, b and c under flags of reuse, a bit per slot, and writes
// one; dst negative: none.
func fma(dst int, reuse uint8, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{Control: ir.Plain(1)}
	in.Control.Reuse = reuse
	in.T.Class = ir.ClassFMA
	in.T.NSrc = uint8(copy(in.T.Src[:], src))
	for i := range src {
		in.T.Slots |= uint32(min(i, ir.OperandSlots-1)) << (2 * i)
	}
	if dst >= 0 {
		in.T.Dst[0], in.T.NDst = ir.RegID(dst), 1
	}
	return in
}

// special reads registers for a unit of special functions, and writes none.
func special(src ...ir.RegID) *ir.Inst {
	in := fma(-1, 0, src...)
	in.T.Class = ir.ClassSFU
	return in
}

// send makes an operation of a warp visible to the slots at cycle at, and returns its tag.
func (r *rig) send(at wire.Cycle, warp uint16, unit uint8, in *ir.Inst) uint32 {
	return r.sendLanes(at, warp, unit, in, all)
}

// sendLanes is send for an operation of some lanes.
func (r *rig) sendLanes(at wire.Cycle, warp uint16, unit uint8, in *ir.Inst, lanes uint32) uint32 {
	r.tag++
	o := op.Op{Inst: in, Issued: at - 1, Tag: r.tag, Exec: lanes, Warp: warp, Unit: unit}
	r.check.Issue(&o)
	r.issue.Send(at-1, o)
	return r.tag
}

// write makes the result of an operation visible at cycle at.
func (r *rig) write(at wire.Cycle, tag uint32, warp uint16, in *ir.Inst) {
	r.result.Send(at-1, op.Result{Inst: in, Tag: tag, Exec: all, Warp: warp})
}

func (r *rig) run() { r.d.RunUntil(200) }

// arrived returns the arrival cycles of operations at a unit.
func (r *rig) arrived(unit int) []wire.Cycle { return r.ready[unit].Cycles() }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile."+name] }

// sound fails the test where an operand was not the newest version, or where not so many
// operands were looked at.
func (r *rig) sound(operands uint64) {
	r.t.Helper()
	if v := r.check.Violations(); len(v) > 0 {
		r.t.Errorf("%d violations: %v", len(v), v[0])
	}
	if n := r.check.Checked(); n != operands {
		r.t.Errorf("%d operands were checked, want %d", n, operands)
	}
}
