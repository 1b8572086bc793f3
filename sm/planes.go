package sm

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// planes are what a register file wants of the SM beside data (see regfile).
type planes struct {
	gates   []regfile.Gate
	classes []*wire.Signal[regfile.WarpSet]
	notices regfile.Notices
	vacates func(in *ir.Inst) int // nil: warps keep their registers
	// what the design calls the operations that it puts into the stream; empty: there are none
	inserts string
}

// planesOf reads the planes of a design and refuses what no SM could serve.
func planesOf(d regfile.Design, schedulers int) (planes, error) {
	var p planes
	if g, ok := d.(regfile.Gater); ok {
		p.gates = g.Gates()
	}
	if x, ok := d.(regfile.Prioritiser); ok {
		p.classes = x.Classes()
	}
	if l, ok := d.(regfile.Listener); ok {
		p.notices = l.Notices()
	}
	if x, ok := d.(regfile.Inserter); ok {
		p.inserts = x.Inserts()
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

func (p *planes) checkNotices(schedulers int) error {
	n := &p.notices
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

func (p *planes) checkGates(schedulers int) error {
	if len(p.gates) > regfile.MostGates {
		return fmt.Errorf("%d gates: an SM has at most %d", len(p.gates), regfile.MostGates)
	}
	taken := map[string]bool{}
	for i, g := range p.gates {
		if g.Reason == "" || taken[g.Reason] || namesReason(g.Reason) {
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
		if len(p.notices.Warp) == 0 || !p.notices.Events.Has(regfile.WarpHeld) {
			return fmt.Errorf("gate %s asks, but the design does not listen to WarpHeld", g.Reason)
		}
		for s, port := range p.notices.Warp {
			if port == nil {
				return fmt.Errorf("gate %s asks, but the design does not listen to scheduler %d", g.Reason, s)
			}
		}
	}
	return nil
}

// parkable are the events that a design can hear of where warps have no slots for a time.
var parkable = regfile.Events(regfile.WarpStarted, regfile.WarpIssued, regfile.WarpHeld, regfile.WarpFinished)

// checkParking refuses planes that are not served for warps without slots.
func (p *planes) checkParking() error {
	for _, g := range p.gates {
		if g.Shuts != 0 {
			return fmt.Errorf("gate %s shuts by itself: it would forget warps without slots", g.Reason)
		}
	}
	if p.notices.Events&^parkable != 0 {
		return fmt.Errorf("the design listens to events %#x of warps, which those without slots do not tell of",
			p.notices.Events&^parkable)
	}
	return nil
}

// shutters are the events at which a gate can shut by itself.
var shutters = regfile.Events(regfile.WarpActivated, regfile.WarpInserted)

// checkShutting refuses a gate that could not be shut or opened.
func (p *planes) checkShutting(g *regfile.Gate, schedulers int) error {
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
	if g.Shuts&^p.notices.Events != 0 {
		return fmt.Errorf("gate %s shuts at events that the design does not listen to", g.Reason)
	}
	return nil
}

// serve joins a scheduler to the planes of its register file.
func (s *Scheduler) serve(p *planes) {
	for i, g := range p.gates {
		x := gate{name: g.Reason, asks: g.Asks, stops: g.Stops, on: g.Shuts}
		if g.Shuts != 0 {
			x.opens = &wire.InPort[regfile.Open]{}
			x.opens.Init(&s.Comp, fmt.Sprintf("Opens[%d]", i), 2*len(s.contextOf))
			wire.Connect(g.Opens[s.index], x.opens, 1)
		} else {
			x.shut.signal = g.Signal(s.index)
			x.shut.signal.Watch(&s.Comp)
		}
		s.gates.list = append(s.gates.list, x)
	}
	s.inserts = p.inserts
	for _, c := range p.classes {
		s.gates.classes = append(s.gates.classes, slotSignal{signal: c})
	}
	if s.index < len(p.notices.Warp) && p.notices.Warp[s.index] != nil && p.notices.Events != 0 {
		s.teller = &teller{events: p.notices.Events, drained: p.notices.Drained}
		s.teller.out.Init(&s.Comp, "Notices")
		wire.Connect(&s.teller.out, p.notices.Warp[s.index], 1)
	}
	s.gates.warps, s.gates.teller = &s.warpTable, s.teller
	s.special = s.special || s.gates.list != nil || s.teller != nil || s.inserts != ""
}
