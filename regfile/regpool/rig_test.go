package regpool

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// rig has the pools of 16 contexts of two schedulers, with 64 blocks of eight registers, and sources of notices.
// CTA c has the four contexts from 4 c on.
type rig struct {
	d     *wire.Domain
	x     *Pool
	warps [2]*wiretest.Source[regfile.WarpNotice]
	ctas  *wiretest.Source[regfile.CTANotice]
	reg   stats.Registry
}

func newRig(p plan, tune func(*Spec)) *rig {
	s := Default()
	tune(&s)
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	r.x = NewPool("Registers", r.d, &PoolSpec{Spec: s, Contexts: 16, CTAs: 4, Schedulers: 2, Blocks: 64}, &r.reg)
	for i := range r.warps {
		r.warps[i] = wiretest.NewSource("Scheduler", r.d, &r.x.Warp[i])
	}
	r.ctas = wiretest.NewSource("Residency", r.d, &r.x.CTAs)
	r.x.Load(&p)
	return r
}

// ofCTA is a rig with a pool for each CTA. Warps begin with four blocks.
func ofCTA(tune func(*Spec)) *rig { return newRig(plan{on: true, start: 4, most: 8}, tune) }

// ofSM returns a rig whose SM has a pool of the given number of blocks, beside the two blocks that each warp begins
// with. A warp asks for six blocks at most.
func ofSM(pool int, tune func(*Spec)) *rig {
	return newRig(plan{on: true, start: 2, most: 6, pool: pool}, func(s *Spec) {
		s.Pool, s.Reserve = PoolSM, ReserveNone
		tune(s)
	})
}

func same(*Spec) {}

func change(blocks int, grow bool) *ir.Inst {
	in := &ir.Inst{Op: ir.OpSetmaxnreg, Src: []ir.Operand{ir.Imm(uint64(8*blocks), 1)}}
	in.Mods.Grow = grow
	return in
}

func (r *rig) begin(c wire.Cycle, cta uint16) {
	n := regfile.CTANotice{CTA: cta}
	for w := range uint16(4) {
		n.Contexts = append(n.Contexts, 4*cta+w)
	}
	r.ctas.Send(c, n)
}

func (r *rig) event(c wire.Cycle, w int, e regfile.WarpEvent, in *ir.Inst) {
	r.warps[w%2].Send(c, regfile.WarpNotice{Warp: uint16(w), Event: e, Inst: in})
}

func (r *rig) ask(c wire.Cycle, w, blocks int) { r.event(c, w, regfile.WarpHeld, change(blocks, true)) }
func (r *rig) take(c wire.Cycle, w, blocks int) {
	r.event(c, w, regfile.WarpIssued, change(blocks, true))
}
func (r *rig) give(c wire.Cycle, w, blocks int) {
	r.event(c, w, regfile.WarpIssued, change(blocks, false))
}
func (r *rig) end(c wire.Cycle, w int) { r.event(c, w, regfile.WarpFinished, nil) }

// opens checks that the gate is closed to a warp up to a cycle, and open from the next one on.
func (r *rig) opens(t *testing.T, w int, at wire.Cycle) {
	t.Helper()
	r.d.RunUntil(at - 1)
	if v := r.x.Closed.Get(); !v.Has(w) {
		t.Fatalf("the gate is open to warp %d in cycle %d", w, at-1)
	}
	r.d.RunUntil(at)
	if v := r.x.Closed.Get(); v.Has(w) {
		t.Fatalf("the gate is closed to warp %d in cycle %d", w, at)
	}
}

// waits checks that the gate is closed to a warp in a cycle.
func (r *rig) waits(t *testing.T, w int, at wire.Cycle) {
	t.Helper()
	r.d.RunUntil(at)
	if v := r.x.Closed.Get(); !v.Has(w) {
		t.Fatalf("the gate is open to warp %d in cycle %d", w, at)
	}
}

func (r *rig) stat(t *testing.T, name string, want uint64) {
	t.Helper()
	if got := r.reg.Snapshot()["regfile.regpool."+name]; got != want {
		t.Errorf("%s = %d, want %d", name, got, want)
	}
}
