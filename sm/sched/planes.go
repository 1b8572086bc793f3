package sched

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Planes are what a register file wants of the SM beside data (see regfile).
type Planes struct {
	Gates   []regfile.Gate
	classes []*wire.Signal[regfile.WarpSet]
	Notices regfile.Notices
	vacates func(in *ir.Inst) int // nil: warps keep their registers
	// what the design calls the operations that it puts into the stream; empty: there are none
	Inserts string
}

// PlanesOf reads the planes of a design and refuses what no SM could serve.
func PlanesOf(d regfile.Design, schedulers int) (Planes, error) {
	var p Planes
	if g, ok := d.(regfile.Gater); ok {
		p.Gates = g.Gates()
	}
	if x, ok := d.(regfile.Prioritiser); ok {
		p.classes = x.Classes()
	}
	if l, ok := d.(regfile.Listener); ok {
		p.Notices = l.Notices()
	}
	if x, ok := d.(regfile.Inserter); ok {
		p.Inserts = x.Inserts()
	}
	if x, ok := d.(regfile.Vacater); ok {
		p.vacates = x.Vacates
	}
	for i, c := range p.classes {
		if c == nil {
			return p, fmt.Errorf("priority class %d has no signal", i)
		}
	}
	if err := p.checkNotices(schedulers); err != nil {
		return p, err
	}
	return p, p.checkGates(schedulers)
}

func (p *Planes) checkNotices(schedulers int) error {
	n := &p.Notices
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

// parkable are the events that a design can hear of where warps have no slots for a time.
var parkable = regfile.Events(regfile.WarpStarted, regfile.WarpIssued, regfile.WarpHeld, regfile.WarpFinished)

// CheckParking refuses planes that are not served for warps without slots.
func (p *Planes) CheckParking() error {
	for _, g := range p.Gates {
		if g.Shuts != 0 {
			return fmt.Errorf("gate %s shuts by itself: it would forget warps without slots", g.Reason)
		}
	}
	if p.Notices.Events&^parkable != 0 {
		return fmt.Errorf("the design listens to events %#x of warps, which those without slots do not tell of",
			p.Notices.Events&^parkable)
	}
	return nil
}

// shutters are the events at which a gate can shut by itself.
var shutters = regfile.Events(regfile.WarpActivated, regfile.WarpInserted)

// checkShutting refuses a gate that could not be shut or opened.
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
	if g.Shuts&^p.Notices.Events != 0 {
		return fmt.Errorf("gate %s shuts at events that the design does not listen to", g.Reason)
	}
	return nil
}
