package ltrf

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
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
	*filetest.Bench
	f     *File
	p     *part
	opens [numGates]*wiretest.Sink[regfile.Open]
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
	env := &regfile.Env{Schedulers: 1, IssueWidth: 1, Warps: 8, Active: active, TwoLevel: true, Registers: 64,
		Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: 0}}}
	s.base.SubCores, s.base.BankIndex = 1, "register"
	if s.base.Paths.Cycles == 1 {
		s.base.Paths.Cycles = 4
	}
	r := &rig{}
	r.Bench, r.f = filetest.New(t, env, func() (*File, error) { return NewFile(env, s) }, 2)
	r.p = r.f.parts[0]
	r.f.Begin(&Plan{Sets: sets})
	for i, g := range r.f.Gates() {
		r.opens[i] = wiretest.NewSink("Opens"+g.Reason, r.Domain, g.Opens[0], 16)
	}
	return r
}

// notify makes an event happen at cycle at: its notice is there a cycle later.
func (r *rig) notify(at wire.Cycle, warp uint16, e regfile.WarpEvent) {
	r.Warps[0].Send(at, regfile.WarpNotice{Warp: warp, Event: e})
}

// begin starts and activates a warp at cycle at.
func (r *rig) begin(at wire.Cycle, warp uint16) {
	r.notify(at, warp, regfile.WarpStarted)
	r.notify(at, warp, regfile.WarpActivated)
}

// enter issues the prefetch of an interval at cycle at.
func (r *rig) enter(at wire.Cycle, warp uint16, group uint32) {
	r.Warps[0].Send(at, regfile.WarpNotice{Warp: warp, Event: regfile.WarpInserted, PC: group})
}

// do issues an operation at cycle at. Its result, if it has one, comes result cycles later;
// 0: it does not come. It returns the operation's number.
func (r *rig) do(at wire.Cycle, warp uint16, exec uint32, result wire.Cycle, dst []ir.RegID, src ...ir.RegID) uint32 {
	return r.doDead(at, warp, exec, result, 0, dst, src...)
}

// doDead is do with some sources, those in dead, read for the last time.
func (r *rig) doDead(at wire.Cycle, warp uint16, exec uint32, result wire.Cycle, dead uint16, dst []ir.RegID,
	src ...ir.RegID) uint32 {
	in := filetest.Inst(dst, src...)
	in.T.Dead = dead
	o := r.Send(at+1, op.Op{Inst: in, Exec: exec, Warp: warp})
	r.Warps[0].Send(at, regfile.WarpNotice{Warp: warp, Event: regfile.WarpIssued, Inst: in, Tag: o.Tag, Exec: exec})
	if result > 0 {
		r.Finish(at+result+1, 0, o)
	}
	return o.Tag
}

// run lets everything come to rest, and fails the test if operands were wrong.
func (r *rig) run() {
	r.T.Helper()
	r.Domain.RunUntil(5000)
	r.Sound()
}

// opened returns the cycles in which the scheduler sees a gate open.
func (r *rig) opened(gate int) []wire.Cycle { return r.opens[gate].Cycles() }
