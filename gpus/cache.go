package gpus

import "kumiko/regfile"

// flush makes every cache cold. Nothing may be under way.
func (g *gpu) flush() {
	for _, s := range g.sides {
		s.Flush()
	}
	for _, s := range g.sms {
		if c, ok := s.Regfile.(regfile.DataCache); ok {
			c.Flush()
		}
		s.FlushCode()
	}
	g.memory.Flush()
}

// divide gives the L1s so many sets. Those of another size lose their lines.
func (g *gpu) divide(sets int) {
	for _, s := range g.sides {
		if s.L1 == nil {
			continue
		}
		if err := s.L1.Resize(sets); err != nil {
			panic(err) // the index is linear, and the pool is within the bounds of a cache
		}
	}
}
