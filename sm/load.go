package sm

import (
	"cmp"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/program"
	"kumiko/sm/residency"
)

// Load prepares the idle SM for a launch.
func (m *SM) Load(p *program.Program, ctas regfile.Residency, now wire.Cycle) {
	m.load(p, ctas, p.Kernel.Footprint, now)
}

// LoadSeveral prepares the idle SM for launches side by side, which have one program together. The CTAs of each have
// the registers of their own kernel.
func (m *SM) LoadSeveral(p *program.Program, ctas regfile.Residency, now wire.Cycle) {
	m.load(p, ctas, residency.OfKernel, now)
}

func (m *SM) load(p *program.Program, ctas regfile.Residency, registers int, now wire.Cycle) {
	m.idle.Begin(now)
	plan := m.planes.Plan(p)
	for _, s := range m.schedulers {
		s.Load(plan, now)
	}
	m.fetch.Load(p)
	if m.l1i != nil {
		m.l1i.Load(p)
	}
	m.steady.Begin()
	m.live.load(p)
	if m.windows != nil {
		m.windows.footprint = uint64(p.Kernel.Footprint)
	}
	m.Residency.Limit(ctas, registers)
	if m.switcher != nil {
		m.switcher.Load(cmp.Or(ctas.Registers, ctas.Held))
	}
}

// Finish closes the account of issue slots at the last cycle of a launch.
func (m *SM) Finish(now wire.Cycle) {
	m.idle.Finish(now)
	for _, s := range m.schedulers {
		s.Finish(now)
	}
}
