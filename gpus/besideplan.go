package gpus

import (
	"math"
	"slices"

	"kumiko/components/spec"
	"kumiko/gpus/code"
	"kumiko/gpus/measure"
	"kumiko/gpus/timeline"
	"kumiko/regfile"
	"kumiko/sm/residency"
)

// beginBeside is begin for launches side by side.
func (m *machine) beginBeside(list []queued, t *residency.Together, x *code.Linked) (*launched, error) {
	defer m.guard()()
	if m.cfg.Cache.FlushBetweenLaunches && m.launches > 0 {
		m.chip.Flush()
	}
	run := &launched{name: nameOf(list), start: m.chip.Core.Now(), before: m.meter.Account()}
	sets, shared := 0, 0 // of the launch that leaves least to the L1
	for i := range list {
		a := &list[i].admit
		run.ctas += len(list[i].ctas)
		if n := a.L1Sets; n > 0 && (sets == 0 || n < sets) {
			sets, shared = n, a.Resident*t.Grids[i].Needs.Shared
		}
	}
	if sets > 0 {
		m.chip.Divide(sets)
		t.SM.Shared = shared
	}
	plans, err := m.plansOf(list, t, x)
	if err != nil {
		return run, err
	}
	for _, s := range m.chip.SMs {
		plan := plans.Plan
		for d := range regfile.Layers(s.Regfile) {
			if p, ok := d.(regfile.Planned); ok {
				p.Begin(plan)
			}
			plan = plans.Path
		}
		s.LoadSeveral(x.Program, plans.Residency, run.start)
	}
	for _, s := range m.chip.Sides {
		s.Launch()
	}
	if m.beside == nil {
		m.beside = measure.NewBeside(m.chip, m.spec)
	}
	m.beside.Begin(len(list), run.start)
	m.chip.Dispatcher.Stagger(starts(m.cfg, run.start, m.launches, len(m.chip.SMs)))
	err = m.chip.Dispatcher.LaunchTogether(t, func(now uint64) {
		run.end, run.done = now, true
		m.chip.Engine.Stop()
	})
	return run, m.cfg.Locate(spec.Within("residency", err))
}

// plansOf joins the register file's plans for launches side by side into one. If the joined plan decides which
// registers the CTAs of a launch take, plansOf sets them in t.
func (m *machine) plansOf(list []queued, t *residency.Together, x *code.Linked) (regfile.Admission, error) {
	// Registers may be dealt to banks linearly, by the registers of a warp. Each warp then gets as many as the largest
	// kernel needs, because one register file has one layout.
	largest := slices.MaxFunc(list, func(a, b queued) int { return a.Kernel.Footprint - b.Kernel.Footprint })
	out := regfile.Admission{Plan: largest.admit.Plan, Path: largest.admit.Path,
		Residency: regfile.Residency{Resident: t.SM.CTAs, Active: m.spec.CTAs}}
	rf, parts := m.cfg.RegFile.Settings(), x.Parts()
	if rf.Admit == nil {
		return out, nil
	}
	if inner := m.cfg.RegFile.Inner(); inner != nil {
		for i := range list {
			parts[t.Grids[i].Kernel].Plan = list[i].admit.Path
		}
		merged, err := inner.Merge(parts)
		if err != nil {
			return out, err
		}
		out.Path = merged.Plan
	}
	for i := range list {
		parts[t.Grids[i].Kernel].Plan = list[i].admit.Plan
	}
	merged, err := rf.Merge(parts)
	if err != nil {
		return out, err
	}
	out.Plan = merged.Plan
	t.SM.Registers -= merged.Apart
	for _, g := range t.Grids {
		if merged.OfCTA != nil {
			g.Needs.Registers = merged.OfCTA[g.Kernel]
		}
	}
	if n := merged.Registers; n > 0 {
		most := 1
		for _, g := range t.Grids {
			most = max(most, g.Needs.Registers)
		}
		t.SM.Registers, out.Residency.Registers, out.Residency.Held = math.MaxInt32, n, max(1, n/most)
	}
	return out, nil
}

// codesOf returns the kernels of launches side by side as a timeline takes them.
func codesOf(list []queued, grids []*residency.Grid, parts []regfile.Part) []timeline.Code {
	out := make([]timeline.Code, len(parts))
	for i := range list {
		k := grids[i].Kernel
		out[k] = timeline.Code{Kernel: list[i].Kernel.Name, Stream: list[i].Stream, First: uint32(parts[k].First),
			Insts: list[i].Kernel.Insts}
	}
	return out
}

// draw draws launches side by side in the timeline.
func (m *machine) draw(run *launched, list []queued, grids []*residency.Grid) {
	t := m.opt.Timeline
	if t == nil {
		return
	}
	t.Together(nil)
	for i, g := range grids {
		end := g.End
		if end == 0 {
			end = run.end
		}
		if g.Begin > 0 {
			t.Stream(list[i].Stream, list[i].Kernel.Name, g.Begin, end)
		}
	}
}
