package turing

import (
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

const all = version.FullMask

// rig is the file of an SM with one scheduler and three units: 0 of fixed latency, accepting an instruction per cycle;
// 1 of fixed latency, accepting one per two cycles; 2 shared by all sub-cores, so its latency is not fixed.
type rig struct {
	*filetest.Bench
	f *File
}

func newRig(t filetest.Test, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	env := environment(nil, nil, 8)
	r := &rig{}
	r.Bench, r.f = filetest.New(t, env, func() (*File, error) { return New(env, s) }, 4)
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
		Units: []regfile.Unit{
			{Name: "FMA", Kind: "fma", Times: times(1)},
			{Name: "ALU", Kind: "alu", Times: times(2)},
			{Name: "LSU", Kind: "lsu", Sched: regfile.Shared},
		},
		Writebacks: 2, ReadNotice: true}
}

var fma = filetest.FMA

// send makes an operation of a warp visible to Control at cycle at, and returns its tag.
func (r *rig) send(at wire.Cycle, warp uint16, unit uint8, in *ir.Inst) uint32 {
	return r.sendLanes(at, warp, unit, in, all)
}

// sendLanes is send for an operation of some lanes.
func (r *rig) sendLanes(at wire.Cycle, warp uint16, unit uint8, in *ir.Inst, lanes uint32) uint32 {
	return r.Send(at, op.Op{Inst: in, Exec: lanes, Warp: warp, Unit: unit}).Tag
}

// write makes the result of an operation visible on a port at cycle at.
func (r *rig) write(port int, at wire.Cycle, tag uint32, warp uint16, in *ir.Inst) {
	r.Result[port].Send(at-1, op.Result{Inst: in, Tag: tag, Exec: all, Warp: warp})
}

func (r *rig) run() { r.Domain.RunUntil(400) }

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
