package wire

import "github.com/sarchlab/akita/v3/sim"

// looker looks on during some cycles of a domain.
type looker struct {
	from, to edge
	begin    func()
	end      func() bool
	looks    bool
}

// LookOn calls begin before anything is done in cycle from of a domain, and end when all is done that comes before
// cycle to, and then again until end returns true. Both are called between windows, so begin up to a window earlier,
// and end later. They may attach and remove hooks. A run that is over before calls no end.
func (e *Engine) LookOn(d *Domain, from, to Cycle, begin func(), end func() bool) {
	e.lookers = append(e.lookers, &looker{from: edge{from, d.hz}, to: edge{to, d.hz}, begin: begin, end: end})
}

// lookOn calls the functions of LookOn that are due before the window from first to the bound.
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

// removeHook removes a hook, which Akita's type cannot do by itself.
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
