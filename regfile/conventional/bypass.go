package conventional

import (
	"kumiko/components/bypass"
	"kumiko/components/collector"
)

// busWidth is the number of results that a sub-core's result bus carries per
// cycle.
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

// Kept implements regfile.Keeper: with a bypass, the scheduler hears of results before they are there.
func (f *File) Kept() (out []func(context uint16) bool) {
	for _, c := range f.subs {
		if c.bus != nil {
			out = append(out, c.collectors.Flying)
		}
	}
	return out
}
