package sched

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Planes has what a register file demands of the SM, except for the data plane (see package regfile).
type Planes struct {
	Gates   []regfile.Gate
	classes []*wire.Signal[regfile.WarpSet]
	// Notices belong to the outer layer, which manages the CTAs; its gates may ask. inner belongs to the register
	// file inside this layer.
	Notices regfile.Notices
	inner   regfile.Notices
	vacates func(in *ir.Inst) int // nil: warps keep their registers
	// Inserts is the design's name for operations inserted into the stream; empty: none
	Inserts string
}

// PlanesOf reads the planes of all layers of a design. It returns an error for planes that no SM could serve.
func PlanesOf(d regfile.Design, schedulers int) (Planes, error) {
	var p Planes
	for l := range regfile.Layers(d) {
		p.add(l, l == d)
	}
	for i, c := range p.classes {
		if c == nil {
			return p, fmt.Errorf("priority class %d has no signal", i)
		}
	}
	for _, n := range []*regfile.Notices{&p.Notices, &p.inner} {
		if err := checkNotices(n, schedulers); err != nil {
			return p, err
		}
	}
	return p, p.checkGates(schedulers)
}

// add adds the planes of a layer.
func (p *Planes) add(d regfile.Design, outer bool) {
	if g, ok := d.(regfile.Gater); ok {
		p.Gates = append(p.Gates, g.Gates()...)
	}
	if x, ok := d.(regfile.Prioritiser); ok {
		p.classes = append(p.classes, x.Classes()...)
	}
	if l, ok := d.(regfile.Listener); ok {
		if outer {
			p.Notices = l.Notices()
		} else {
			p.inner = l.Notices()
		}
	}
	if x, ok := d.(regfile.Inserter); ok {
		p.Inserts = x.Inserts()
	}
	if x, ok := d.(regfile.Vacater); ok {
		p.vacates = x.Vacates
	}
}

// events returns the events to which any layer listens.
func (p *Planes) events() regfile.EventSet { return p.Notices.Events | p.inner.Events }

func checkNotices(n *regfile.Notices, schedulers int) error {
	if len(n.Warp) != 0 && len(n.Warp) != schedulers {
		return fmt.Errorf("notice ports for %d schedulers: the SM has %d", len(n.Warp), schedulers)
	}
	for _, port := range n.Warp {
		if port != nil && port.Capacity() < leastNotices {
			return fmt.Errorf("port %s holds %d notices: expected at least %d, those of one cycle", port.Name(),
				port.Capacity(), leastNotices)
		}
	}
	return nil
}

func (p *Planes) checkGates(schedulers int) error {
	if len(p.Gates) > regfile.MostGates {
		return fmt.Errorf("%d gates: an SM has at most %d", len(p.Gates), regfile.MostGates)
	}
	taken := map[string]bool{}
	for i, g := range p.Gates {
		if g.Reason == "" || taken[g.Reason] || named(g.Reason) {
			return fmt.Errorf("gate %d is named %q: expected a name that no other reason for a lost issue slot has", i,
				g.Reason)
		}
		taken[g.Reason] = true
		if err := p.checkShutting(&g, schedulers); err != nil {
			return err
		}
		if !g.Asks {
			continue
		}
		if len(p.Notices.Warp) == 0 || !p.Notices.Events.Has(regfile.WarpHeld) {
			return fmt.Errorf("gate %s asks, but the design does not listen to WarpHeld", g.Reason)
		}
		for s, port := range p.Notices.Warp {
			if port == nil {
				return fmt.Errorf("gate %s asks, but the design does not listen to scheduler %d", g.Reason, s)
			}
		}
	}
	return nil
}

// unparkable are the events not reported for warps without slots.
var unparkable = regfile.Events(regfile.WarpAtBarrier, regfile.WarpReleased)

// CheckSwitching returns an error for planes not supported for warps without slots.
func (p *Planes) CheckSwitching() error {
	if e := p.events() & unparkable; e != 0 {
		return fmt.Errorf("the design listens to events %#x of warps, which those without slots do not tell of", e)
	}
	return nil
}

// shutters are the events allowed to shut a self-shutting gate.
var shutters = regfile.Events(regfile.WarpActivated, regfile.WarpInserted)

// checkShutting returns an error for a gate that could not be shut or opened.
func (p *Planes) checkShutting(g *regfile.Gate, schedulers int) error {
	for s := range schedulers {
		switch {
		case g.Shuts == 0 && g.Signal(s) == nil:
			return fmt.Errorf("gate %s has no signal for scheduler %d", g.Reason, s)
		case g.Shuts != 0 && (s >= len(g.Opens) || g.Opens[s] == nil):
			return fmt.Errorf("gate %s shuts by itself, and scheduler %d has no port on which it is opened", g.Reason,
				s)
		}
	}
	if g.Shuts&^shutters != 0 {
		return fmt.Errorf("gate %s shuts at events %#x: expected WarpActivated, WarpInserted or both", g.Reason,
			g.Shuts)
	}
	if g.Shuts&^p.events() != 0 {
		return fmt.Errorf("gate %s shuts at events that the design does not listen to", g.Reason)
	}
	return nil
}
