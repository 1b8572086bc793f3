package gpus

import "kumiko/regfile"

// CacheSpec configures what happens to the caches between launches. They are
// cold at the first one.
type CacheSpec struct {
	FlushBetweenLaunches bool `toml:"flush_between_launches" unit:"-" doc:"every launch starts with cold caches; otherwise they stay as the launch before left them"`
}

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
