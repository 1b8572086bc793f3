package maxwell

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

const all = version.FullMask

// rig is the file of an SM with one scheduler and two units.
type rig struct {
	*filetest.Bench
	f       *File
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
	env := environment(nil, nil, 8)
	change(env)
	r := &rig{}
	r.Bench, r.f = filetest.New(t, env, func() (*File, error) { return New(env, s) }, 2, env.IssueWidth)
	r.Units[1].Refuse = func(wire.Cycle) bool { return r.stopped }
	return r
}

// environment is an SM of one scheduler with two units.
func environment(d *wire.Domain, reg *stats.Registry, warps int) *regfile.Env {
	return &regfile.Env{Domain: d, Stats: reg, Name: "SM", Schedulers: 1, IssueWidth: 1, Warps: warps, Registers: 128,
		Units:      []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SFU", Kind: "sfu"}},
		Writebacks: 1, ReadNotice: true}
}

var fma = filetest.FMA

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
	return r.Send(at, op.Op{Inst: in, Exec: lanes, Warp: warp, Unit: unit}).Tag
}

// write makes the result of an operation visible at cycle at.
func (r *rig) write(at wire.Cycle, tag uint32, warp uint16, in *ir.Inst) {
	r.Result[0].Send(at-1, op.Result{Inst: in, Tag: tag, Exec: all, Warp: warp})
}

func (r *rig) run() { r.Domain.RunUntil(200) }

// arrived returns the arrival cycles of operations at a unit.
func (r *rig) arrived(unit int) []wire.Cycle { return r.Units[unit].Cycles() }
