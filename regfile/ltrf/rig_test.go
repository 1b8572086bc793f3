package ltrf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

const all = version.FullMask

func setOf(regs ...int) (s intervals.Set) {
	for _, r := range regs {
		s.Add(r)
	}
	return s
}

// from is the set of n registers from first on.
func from(first, n int) (s intervals.Set) {
	for r := first; r < first+n; r++ {
		s.Add(r)
	}
	return s
}

// rig is a register file with a cache, one scheduler of eight warps and one unit.
type rig struct {
	t      testing.TB
	d      *wire.Domain
	f      *File
	p      *part
	reg    stats.Registry
	check  *version.Checker
	issue  *wiretest.Source[op.Op]
	result *wiretest.Source[op.Result]
	notice *wiretest.Source[regfile.WarpNotice]
	unit   *wiretest.Sink[op.Op]
	opens  [numGates]*wiretest.Sink[regfile.Open]
	tag    uint32
}

// newRig builds a file whose kernel has the given intervals. Sub-cores and banks are set so that register R lies in
// bank R of the main file.
func newRig(t testing.TB, s Spec, active int, sets ...intervals.Set) *rig {
	t.Helper()
	s.base.Banks = 64
	return build(t, s, active, sets...)
}

// newRigOf is newRig with so few banks of the main file.
func newRigOf(t testing.TB, s Spec, banks int, sets ...intervals.Set) *rig {
	t.Helper()
	s.base.Banks = banks
	return build(t, s, 2, sets...)
}

func build(t testing.TB, s Spec, active int, sets ...intervals.Set) *rig {
	t.Helper()
	r := &rig{t: t, d: wire.NewDomain("Core", 1e9), check: version.NewChecker(8, 64, 0)}
	env := &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM[0]", Schedulers: 1, IssueWidth: 1, Warps: 8,
		Active: active, TwoLevel: true, Registers: 64,
		Writebacks: 1, Checker: r.check, Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: 0}}}
	s.base.SubCores, s.base.BankIndex = 1, "register"
	if s.base.CrossbarCycles == 1 {
		s.base.CrossbarCycles = 4
	}
	f, err := NewFile(env, s)
	if err != nil {
		t.Fatal(err)
	}
	r.f, r.p = f, f.parts[0]
	f.Begin(&Plan{Sets: sets})
	p := f.DataPorts()
	r.issue = wiretest.NewSource("Scheduler", r.d, p.Issue[0])
	r.result = wiretest.NewSource("Pipeline", r.d, p.Result[0])
	r.notice = wiretest.NewSource("Warps", r.d, f.Notices().Warp[0])
	r.unit = wiretest.NewSink("Unit", r.d, p.Ready[0], 2)
	wiretest.NewSink("Scoreboard", r.d, p.Done[0], 8)
	for i, g := range f.Gates() {
		r.opens[i] = wiretest.NewSink("Opens"+g.Reason, r.d, g.Opens[0], 16)
	}
	return r
}

// tell makes an event happen at cycle at: its notice is there a cycle later.
func (r *rig) tell(at wire.Cycle, warp uint16, e regfile.WarpEvent) {
	r.notice.Send(at, regfile.WarpNotice{Warp: warp, Event: e})
}

// begin starts and activates a warp at cycle at.
func (r *rig) begin(at wire.Cycle, warp uint16) {
	r.tell(at, warp, regfile.WarpStarted)
	r.tell(at, warp, regfile.WarpActivated)
}

// enter issues the prefetch of an interval at cycle at.
func (r *rig) enter(at wire.Cycle, warp uint16, group uint32) {
	r.notice.Send(at, regfile.WarpNotice{Warp: warp, Event: regfile.WarpInserted, PC: group})
}

// do issues an operation at cycle at. Its result, if it has one, comes result cycles later;
// 0: it does not come. It returns the operation's number.
func (r *rig) do(at wire.Cycle, warp uint16, exec uint32, result wire.Cycle, dst []ir.RegID, src ...ir.RegID) uint32 {
	return r.doDead(at, warp, exec, result, 0, dst, src...)
}

// doDead is do with some sources, those in dead, read for the last time.
func (r *rig) doDead(at wire.Cycle, warp uint16, exec uint32, result wire.Cycle, dead uint16, dst []ir.RegID,
	src ...ir.RegID) uint32 {
	r.tag++
	in := &ir.Inst{}
	in.T.NSrc, in.T.NDst, in.T.Dead = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst)), dead
	o := op.Op{Inst: in, Tag: r.tag, Exec: exec, Warp: warp}
	r.check.Issue(&o)
	r.issue.Send(at, o)
	r.notice.Send(at, regfile.WarpNotice{Warp: warp, Event: regfile.WarpIssued, Inst: in, Tag: o.Tag, Exec: exec})
	if result > 0 {
		r.result.Send(at+result, o.Result())
	}
	return o.Tag
}

// run lets everything come to rest, and fails the test if operands were wrong.
func (r *rig) run() {
	r.t.Helper()
	r.d.RunUntil(5000)
	for _, v := range r.check.Violations() {
		r.t.Error(v)
	}
}

// opened returns the cycles in which the scheduler sees a gate open.
func (r *rig) opened(gate int) []wire.Cycle { return r.opens[gate].Cycles() }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile."+name] }

func same[T any](t testing.TB, what string, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
