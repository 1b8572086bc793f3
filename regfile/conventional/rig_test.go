package conventional

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// rig is a register file with sources and sinks at all its ports.
type rig struct {
	*filetest.Bench
	f   *File
	env *regfile.Env
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
	r := &rig{env: env}
	r.Bench, r.f = filetest.New(t, env, build, 2)
	return r
}

// send issues an instruction so that it is visible to the file at cycle at.
func (r *rig) send(at wire.Cycle, sched, unit int, warp uint16, in *ir.Inst) op.Op {
	return r.Send(at, op.Op{Inst: in, Exec: version.FullMask, Unit: uint8(unit), Sched: uint8(sched), Warp: warp})
}

// ready runs the file and compares the cycles in which a unit receives operations.
func (r *rig) ready(t *testing.T, unit int, want ...wire.Cycle) {
	t.Helper()
	r.Domain.RunUntil(r.Domain.Now() + 300)
	if d := cmp.Diff(want, r.Units[unit].Cycles()); d != "" {
		t.Fatalf("unit %d receives at (-want +got):\n%s", unit, d)
	}
	r.sound(t)
}

// sound fails the test if the checker found anything.
func (r *rig) sound(t *testing.T) {
	t.Helper()
	r.Sound()
	for _, w := range r.Domain.Waiting() {
		t.Error(w)
	}
}
