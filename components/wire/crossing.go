package wire

import "fmt"

// crossing describes a link or a signal between two partitions for the engine. Nothing may arrive over it within
// the window in which it was sent.
type crossing struct {
	what, whereto string
	from, to      *Domain
	latency       Cycle // in cycles of from
}

func (c crossing) span() edge { return edge{c.latency, c.from.hz} }

func (c crossing) mustSpan(w window) {
	if w.cycles == 0 || c.span().compare(edge{w.cycles, w.hz}) >= 0 {
		return
	}
	panic(fmt.Sprintf("wire: %s -> %s joins partitions %s and %s with a latency of %d cycles at %d Hz, shorter than "+
		"the window of %d cycles at %d Hz",
		c.what, c.whereto, c.from.part.name, c.to.part.name, c.latency, c.from.hz, w.cycles, w.hz))
}

// mustSuitFollowers panics if a follower is joined to others than its leader.
func (c crossing) mustSuitFollowers() {
	if from, to := c.from.part, c.to.part; !related(from, to) && (from.leader != nil || to.leader != nil) {
		panic(fmt.Sprintf("wire: %s -> %s joins partitions %s and %s, of which one follows another partition",
			c.what, c.whereto, from.name, to.name))
	}
}

// tapped is a Tap, whatever its values: bring takes over the changes of windows of a parity.
type tapped interface {
	bring(parity int)
}

func (e *Engine) addLane(l *lane) {
	from, to := l.out.dom.part, l.rx.dom.part
	e.addCrossing(crossing{"link " + l.out.name, l.rx.name, l.out.dom, l.rx.dom, l.latency})
	from.outgoing = append(from.outgoing, l)
	to.incoming = append(to.incoming, l)
}

func (e *Engine) addTap(t tapped, c crossing) {
	e.addCrossing(c)
	c.to.part.taps = append(c.to.part.taps, t)
}

func (e *Engine) addCrossing(c crossing) {
	c.mustSuitFollowers()
	c.mustSpan(e.window)
	e.crossings = append(e.crossings, c)
	meet(c.from.part, c.to.part)
	e.span = window{}
}

// spanOfWindow returns the window in force. It is recomputed only after a change, because machines have more than a
// hundred links between partitions.
func (e *Engine) spanOfWindow() window {
	if e.span.cycles == 0 {
		e.span = e.window
		if e.span.cycles == 0 {
			e.span = e.shortestCrossing()
		}
		e.halves = e.split(e.span)
	}
	return e.span
}

func (e *Engine) shortestCrossing() window {
	w := window{idleWindow, e.finestClock()}
	for _, c := range e.crossings {
		if s := c.span(); s.compare(edge{w.cycles, w.hz}) < 0 {
			w = window{s.at, s.hz}
		}
	}
	return w
}

// exchange brings in everywhere what has been sent in windows of a parity. No partition runs meanwhile.
func (e *Engine) exchange(parity int) {
	for _, p := range e.parts {
		p.collect(parity)
	}
}
