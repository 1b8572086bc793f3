package contracttest

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// FeederWarps is the number of warps of a Feeder. Half of them are active.
const FeederWarps = 16

// Feeder keeps a register file busy at little cost of its own. It issues an operation per cycle, its warps in turn,
// and executes it in no time. A warp's next operation comes late enough for every hazard to be over. Instruction k
// of eight reads the results of k-2, k-3 and k-4, the last of them for the last time. If the file listens, every
// 64th cycle a warp pauses and another one comes back.
type Feeder struct {
	wire.Comp
	out    wire.OutPort[op.Op]
	done   wire.InPort[op.Done]
	unit   wire.InPort[op.Op]
	result wire.OutPort[op.Result]
	notice wire.OutPort[regfile.WarpNotice]
	insts  [8]ir.Inst
	n      uint32
	left   int
}

// NewFeeder joins a feeder to a file.
func NewFeeder(t testing.TB, build func(env *regfile.Env) (regfile.Design, error)) (*Feeder, *stats.Registry) {
	d, reg := wire.NewDomain("Core", 1e9), &stats.Registry{}
	design, err := build(&regfile.Env{Domain: d, Stats: reg, Name: "SM[0]", Schedulers: 1, IssueWidth: 1,
		Warps: FeederWarps, Active: FeederWarps / 2,
		Registers: 32, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}})
	if err != nil {
		t.Fatal(err)
	}
	f := &Feeder{}
	for k := range f.insts {
		x := &f.insts[k].T
		x.NSrc, x.NDst, x.Dst[0], x.Dead = 3, 1, ir.RegID(k), 4
		for i := range 3 {
			x.Src[i] = ir.RegID((k + 8 - 2 - i) % 8)
		}
	}
	f.Init("Feeder", d, f)
	f.out.Init(&f.Comp, "Out")
	f.done.Init(&f.Comp, "Done", 4)
	f.unit.Init(&f.Comp, "Unit", 2)
	f.result.Init(&f.Comp, "Result")
	f.notice.Init(&f.Comp, "Notices")
	p := design.DataPorts()
	wire.Connect(&f.out, p.Issue[0], 1)
	wire.Connect(p.Done[0], &f.done, 1)
	wire.Connect(p.Ready[0], &f.unit, 1)
	wire.Connect(&f.result, p.Result[0], 1)
	if l, ok := design.(regfile.Listener); ok && len(l.Notices().Warp) > 0 {
		wire.Connect(&f.notice, l.Notices().Warp[0], 1)
	}
	return f, reg
}

// Tick issues and executes.
func (f *Feeder) Tick(wire.Cycle) bool {
	for f.done.Head() != nil {
		f.done.Pop()
	}
	for o := f.unit.Head(); o != nil && f.result.CanPut(); o = f.unit.Head() {
		f.result.Put(o.Result())
		f.unit.Pop()
	}
	if f.left > 0 && f.out.CanPut() {
		w, k := f.n%FeederWarps, f.n/FeederWarps
		if f.notice.Connected() && f.n%64 == 0 && f.notice.Room(2) >= 2 {
			p := uint16(k / 4 % FeederWarps)
			f.notice.Put(regfile.WarpNotice{Warp: p, Event: regfile.WarpSuspended})
			f.notice.Put(regfile.WarpNotice{Warp: (p + FeederWarps/2) % FeederWarps, Event: regfile.WarpActivated})
		}
		f.out.Put(op.Op{Inst: &f.insts[k%8], Tag: f.n + 1, Exec: version.FullMask, Warp: uint16(w)})
		f.n++
		f.left--
	}
	return f.left > 0 || f.unit.Head() != nil
}

// Run issues n operations and waits until all is at rest.
func (f *Feeder) Run(n int) {
	f.left = n
	f.Wake()
	for f.Domain().Step(wire.Never - 1) {
	}
}
