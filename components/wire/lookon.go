package wire

import "github.com/sarchlab/akita/v3/sim"

// looker is one call of LookOn: functions for some cycles of a domain.
type looker struct {
	from, to edge
	begin    func()
	end      func() bool
	looks    bool
}

// LookOn observes a domain from cycle from up to cycle to. It calls begin before any action of cycle from, and end
// after all actions before cycle to, repeatedly until end returns true. Both are called between windows, so begin
// may come up to a window early, and end late. They may attach and remove hooks. end is not called if the run is
// over earlier.
func (e *Engine) LookOn(d *Domain, from, to Cycle, begin func(), end func() bool) {
	e.lookers = append(e.lookers, &looker{from: edge{from, d.hz}, to: edge{to, d.hz}, begin: begin, end: end})
}

// lookOn calls the due functions given to LookOn, before the window from first to the bound.
func (e *Engine) lookOn(first edge, b bound) {
	rest := e.lookers[:0]
	for _, l := range e.lookers {
		if !l.looks && !b.excludes(l.from) && first.compare(l.to) < 0 {
			l.looks = true
			l.begin()
		}
		if first.compare(l.to) < 0 || l.looks && !l.end() {
			rest = append(rest, l)
		}
	}
	e.lookers = rest
}

// removeHook removes a hook. Akita's type has no method for this.
func removeHook(of *sim.HookableBase, h sim.Hook, domains ...*Domain) {
	hooks := of.Hooks()
	*of = sim.HookableBase{}
	for _, x := range hooks {
		if x != h {
			of.AcceptHook(x)
			continue
		}
		for _, d := range domains {
			d.hooks--
		}
	}
}
