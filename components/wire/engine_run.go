package wire

import (
	"math"
	"slices"

	"github.com/sarchlab/akita/v3/sim"
)

// Outcome is the reason for the end of a run.
type Outcome uint8

// The outcomes of a run.
const (
	Idle         Outcome = iota // nothing is awake and no event is queued
	Stopped                     // Stop was called
	LimitReached                // of RunUntil
	Stuck                       // nothing has moved for as long as the watchdog permits
)

var outcomes = [...]string{"idle", "stopped", "limit reached", "stuck"}

// String returns the outcome in words.
func (o Outcome) String() string { return outcomes[o] }

// Run runs until nothing is awake and no event is queued, or until Stop is called. It returns a *StuckError if work
// is left although nothing is awake, or if the watchdog expires.
func (e *Engine) Run() error {
	_, err := e.run(noBound)
	return err
}

// RunUntil runs as Run does, but not beyond the given cycle of a domain, and returns the reason for the end. When
// the limit is reached every clock stands there.
func (e *Engine) RunUntil(d *Domain, limit Cycle) (Outcome, error) {
	return e.run(bound{edge{limit, d.hz}, true})
}

var noBound = bound{edge{Never, 1}, false}

func (e *Engine) run(limit bound) (out Outcome, err error) {
	e.running.Lock()
	defer e.running.Unlock()
	e.Home()
	e.alone = len(e.parts) == 1
	pool := newPool(e)
	defer pool.close()
	defer e.stop.Store(false)
	e.watchdog.start(e.Moves())
	e.halves[0].until, e.halves[1].until = 0, 0
	for {
		out, more := e.round(limit, pool)
		if more {
			continue
		}
		e.settle(limit, out)
		return out, e.verdict(out)
	}
}

// observed reports whether any hook is attached.
func (e *Engine) observed() bool {
	for _, p := range e.parts {
		if slices.ContainsFunc(p.domains, func(d *Domain) bool { return d.hooks > 0 }) {
			return true
		}
	}
	return e.NumHooks() > 0
}

// windows returns the number of windows that may run without a look at the machine between them. It is one where
// somebody looks: a watcher, or stock components, which read the time of the window.
func (e *Engine) windows() int {
	if e.workers == 1 || len(e.watchers) > 0 {
		return 1
	}
	for _, p := range e.parts {
		if p.akita.Load() || p.events.waiting.Load() != 0 {
			return 1
		}
	}
	return windowsOfEpoch
}

// round runs one epoch, or one turn of a half. more is false when the run is over.
func (e *Engine) round(limit bound, pool *pool) (out Outcome, more bool) {
	e.pausing.Lock()
	defer e.pausing.Unlock()
	e.deliverMail()
	w := e.spanOfWindow()
	if e.stop.Load() {
		e.catchUp(w, limit)
		return Stopped, false
	}
	first, ok := e.next(w.hz, limit)
	switch {
	case !ok:
		return Idle, false
	case limit.excludes(first):
		return LimitReached, false
	case e.watchdog.bites(first, e.Moves()):
		return Stuck, false
	}
	var h *half
	ahead := epoch{first.floorTo(w.hz), w, limit, e.windows()}
	b := ahead.end(0)
	if e.workers == 1 && len(e.halves[1].parts) > 0 {
		h, b = e.nextTurn(first.floorTo(w.hz), w)
		b = b.earlier(limit)
	}
	e.watch(first, b)
	e.lockstep = e.observed()
	e.horizon = b
	e.clock.Store(math.Float64bits(float64(first.seconds())))
	if e.lockstep {
		e.runInStep(b)
		return out, true
	}
	e.begun.Store(e.clock.Load())
	if h != nil {
		h.run(b)
	} else {
		e.horizon = pool.run(ahead)
	}
	e.exchange(0)
	return out, true
}

// next returns the time of the first tick or event in the machine, as Partition.next does.
func (e *Engine) next(hz uint64, limit bound) (first edge, ok bool) {
	for _, p := range e.parts {
		if t, some := p.next(hz, limit); some && (!ok || t.compare(first) < 0) {
			first, ok = t, true
		}
	}
	return first, ok
}

func (e *Engine) deliverMail() {
	for _, p := range e.parts {
		for _, d := range p.domains {
			if d.mail.full.Load() {
				t := d.now + 1
				if e.horizon.hz != 0 {
					t = max(t, e.horizon.last(d.hz)+1)
				}
				d.mail.deliver(d, t)
			}
		}
	}
}

// settle sets every clock to the time of the last action, or to the limit.
func (e *Engine) settle(limit bound, out Outcome) {
	var last edge
	now := sim.VTimeInSec(0)
	for _, p := range e.parts {
		if p.akita.Load() {
			now = max(now, p.CurrentTime())
		}
		for _, d := range p.domains {
			if last.hz == 0 || last.compare(d.edge()) < 0 {
				last = d.edge()
			}
		}
	}
	if out == LimitReached {
		last = limit.edge
	}
	if last.hz != 0 {
		now = max(now, last.seconds())
	}
	for _, p := range e.parts {
		for _, d := range p.domains {
			d.advance(max(last.floorTo(d.hz), lastEdgeAt(now, d.hz)))
		}
		p.clock.Store(math.Float64bits(float64(now)))
	}
	e.clock.Store(math.Float64bits(float64(now)))
	e.begun.Store(e.clock.Load())
}

// runInStep runs all partitions up to the bound in the order of time, so that hooks never see time go back.
func (e *Engine) runInStep(b bound) {
	for {
		var first *Partition
		var at sim.VTimeInSec
		for _, p := range e.parts {
			p.setLimits(b)
			if t, ok := p.nextTime(); ok && (first == nil || t < at) {
				first, at = p, t
			}
		}
		if first == nil {
			return
		}
		e.clock.Store(math.Float64bits(float64(at)))
		if !first.step(b) {
			return
		}
		e.exchange(0)
		if e.alone && e.stop.Load() {
			return
		}
	}
}
