package conventional

import (
	"kumiko/components/bypass"
	"kumiko/components/collector"
)

// busWidth returns the number of results carried by a sub-core's result bus per cycle.
func (b *builder) busWidth() int {
	if b.spec.BypassWidth > 0 {
		return min(b.spec.BypassWidth, b.env.Writebacks)
	}
	return b.env.Writebacks
}

func (b *builder) bypassSpec() *collector.BypassSpec {
	s := &collector.BypassSpec{Entries: b.spec.BypassEntries, Forward: b.spec.Forward, Warps: b.env.Warps,
		Results: b.busWidth(), Tell: b.env.User != nil}
	for _, u := range b.env.Units {
		s.Units = append(s.Units, u.Times)
	}
	return s
}

func (b *builder) bus(name string) (*bypass.Bus, error) {
	return bypass.NewBus(name, b.env.Domain, bypass.Spec{Width: b.busWidth(), Room: 2 * b.env.Writebacks}, b.env.Stats)
}

// Kept implements regfile.Keeper. With a bypass, results in flight are announced before their value arrives.
func (f *File) Kept() (out []func(context uint16) bool) {
	for _, c := range f.subs {
		if c.bus != nil {
			out = append(out, c.collectors.Flying)
		}
	}
	return out
}
