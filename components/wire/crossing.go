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

// exchanger transfers messages or signal changes between partitions, between windows.
type exchanger interface {
	exchange()
}

func (e *Engine) addLane(l *lane) {
	c := crossing{"link " + l.out.name, l.rx.name, l.out.dom, l.rx.dom, l.latency}
	c.mustSpan(e.window)
	e.crossings = append(e.crossings, c)
	e.lanes = append(e.lanes, l)
	e.span = window{}
}

func (e *Engine) addCrossing(x exchanger, c crossing) {
	c.mustSpan(e.window)
	e.crossings = append(e.crossings, c)
	e.taps = append(e.taps, x)
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
		e.halves = e.split()
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

func (e *Engine) exchange() {
	for _, l := range e.lanes {
		l.exchange()
	}
	for _, x := range e.taps {
		x.exchange()
	}
}
