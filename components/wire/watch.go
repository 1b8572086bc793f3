package wire

import "github.com/sarchlab/akita/v3/sim"

// watcher is one call of Watch: the functions to call for a range of cycles of a domain.
type watcher struct {
	from, to edge
	begin    func()
	end      func() bool
	watching bool
}

// Watch observes a domain from cycle from up to cycle to. It calls begin before any action of cycle from, and end
// after all actions before cycle to, repeatedly until end returns true. Both are called between windows, so begin
// may come up to a window early, and end late. They may attach and remove hooks. end is not called if the run is
// over earlier.
func (e *Engine) Watch(d *Domain, from, to Cycle, begin func(), end func() bool) {
	e.watchers = append(e.watchers, &watcher{from: edge{from, d.hz}, to: edge{to, d.hz}, begin: begin, end: end})
}

// watch calls the functions given to Watch that are due, before the window from first to the bound is simulated.
func (e *Engine) watch(first edge, b bound) {
	rest := e.watchers[:0]
	for _, l := range e.watchers {
		if !l.watching && !b.excludes(l.from) && first.compare(l.to) < 0 {
			l.watching = true
			l.begin()
		}
		if first.compare(l.to) < 0 || l.watching && !l.end() {
			rest = append(rest, l)
		}
	}
	e.watchers = rest
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
