package gpus

import "kumiko/gpus/config"

// countMore lets the SMs count what the configuration asks for.
func (g *gpu) countMore(s *config.AccountSpec) {
	for i, x := range g.sms {
		if s.LiveRegisters {
			x.CountLive(&g.stats)
		}
		if s.Windows {
			x.CountWindows(&g.stats)
		}
		if !s.Reuse {
			continue
		}
		x.CountReuse(&g.stats)
		if l := g.sides[i].L1; l != nil {
			l.CountReuse(&g.stats)
		}
	}
}
