package turing

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

// rig is the file of an SM with one scheduler and three units. The test acts as the scheduler and the units: 0 of
// fixed latency, accepting an instruction per cycle; 1 of fixed latency, accepting one per two cycles; 2 shared by
// all sub-cores, so its latency is not fixed.
type rig struct {
	d      *wire.Domain
	reg    stats.Registry
	f      *File
	check  *version.Checker
	issue  *wiretest.Source[op.Op]
	result [2]*wiretest.Source[op.Result]
	notice *wiretest.Source[regfile.WarpNotice]
	ready  [3]*wiretest.Sink[op.Op]
	done   *wiretest.Sink[op.Done]
	read   *wiretest.Sink[op.Read]
	tag    uint32
}

// failer is a test, or a property of rapid.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func newRig(t failer, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{d: wire.NewDomain("Core", 1e9), check: version.NewChecker(8, 128, 0)}
	env := environment(r.d, &r.reg, 8)
	env.Checker = r.check
	var err error
	if r.f, err = New(env, s); err != nil {
		t.Fatal(err)
	}
	p := r.f.DataPorts()
	r.issue = wiretest.NewSource("Scheduler", r.d, p.Issue[0])
	for i := range r.result {
		r.result[i] = wiretest.NewSource("Results", r.d, p.Result[i])
	}
	if n := r.f.Notices(); len(n.Warp) > 0 {
		r.notice = wiretest.NewSource("Warps", r.d, n.Warp[0])
	}
	for u := range r.ready {
		r.ready[u] = wiretest.NewSink("Unit", r.d, p.Ready[u], 4)
	}
	r.done = wiretest.NewSink("Done", r.d, p.Done[0], 4)
	r.read = wiretest.NewSink("Read", r.d, p.Read[0], 8)
	return r
}

// times returns the times of units accepting an instruction every initiation cycles.
func times(initiation int) *op.Times {
	var t op.Times
	for c := range t.Class {
		t.Class[c] = op.Time{Latency: 4, Initiation: uint16(initiation)}
	}
	return &t
}

func environment(d *wire.Domain, reg *stats.Registry, warps int) *regfile.Env {
	return &regfile.Env{Domain: d, Stats: reg, Name: "SM", Schedulers: 1, IssueWidth: 1, Warps: warps, Registers: 128,
		Units: []regfile.Unit{{Name: "FMA", Kind: "fma", Times: times(1)}, {Name: "ALU", Kind: "alu", Times: times(2)},
			{Name: "LSU", Kind: "lsu", Sched: regfile.Shared}},
		Writebacks: 2, ReadNotice: true}
}

// fma reads registers in slots a, b and c under flags of reuse, a bit per slot, and writes one; dst
// negative: none.
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

// send makes an operation of a warp visible to Control at cycle at, and returns its tag.
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

// write makes the result of an operation visible on a port at cycle at.
func (r *rig) write(port int, at wire.Cycle, tag uint32, warp uint16, in *ir.Inst) {
	r.result[port].Send(at-1, op.Result{Inst: in, Tag: tag, Exec: all, Warp: warp})
}

func (r *rig) run() { r.d.RunUntil(400) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile."+name] }

// sound fails the test where an operand was not the newest version, or where not so many
// operands were looked at.
func (r *rig) sound(t *testing.T, operands uint64) {
	t.Helper()
	if v := r.check.Violations(); len(v) > 0 {
		t.Errorf("%d violations: %v", len(v), v[0])
	}
	if n := r.check.Checked(); n != operands {
		t.Errorf("%d operands were checked, want %d", n, operands)
	}
}

// watcher records the cycles in which a gate is closed to warps 0 and 7.
type watcher struct {
	wire.Comp
	signal *wire.Signal[regfile.WarpSet]
	closed []wire.Cycle
}

func watch(d *wire.Domain, s *wire.Signal[regfile.WarpSet]) *watcher {
	w := &watcher{signal: s}
	w.Init("Watcher", d, w)
	return w
}

func (w *watcher) Tick(now wire.Cycle) bool {
	if s := w.signal.Get(); s.Has(0) && s.Has(7) {
		w.closed = append(w.closed, now)
	}
	return true
}
