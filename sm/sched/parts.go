package sched

import (
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/program"
)

// Interfaces of features. A feature implements the methods of the events it takes part in. A scheduler
// without the feature calls nothing.
type (
	launcher interface {
		launch() // the SM is idle
	}
	closer interface {
		close(now wire.Cycle) // the launch has ended
	}
	taker interface {
		take() // messages about operations
	}
	settler interface {
		settle(now wire.Cycle) // all messages of the cycle are taken
	}
	// starter reports whether a starting warp is active at once.
	starter interface {
		start(slot int, now wire.Cycle) bool
	}
	// leaver is notified of a warp losing its slot, and reports whether the warp was active.
	leaver interface {
		left(slot int) bool
	}
	enterer interface {
		entered(context uint16, slot int) // a context has a slot now
	}
	// beginner selects the warps that may issue in a cycle. again: the selection may differ in the next cycle.
	beginner interface {
		begin(now wire.Cycle) (again bool)
	}
	// header computes the state depending on the instruction at the head of a slot's buffer. It is called
	// after every possible change of the instruction. x is nil for an empty buffer.
	header interface {
		head(slot int, w *warpState, x *program.Inst)
	}
	// depender computes the dependences of the instruction at the head. It is called after the headers. If the warp
	// is not in the set Clear, it is called too when one of the warp's operations has read its sources or has its
	// result.
	depender interface {
		depend(slot int, w *warpState, x *program.Inst)
	}
	// ranker returns the preferred ones among the ready warps.
	ranker interface {
		rank(ready uint64) uint64
	}
	// admitter reports whether the instruction chosen from a slot has a resource needed at issue.
	admitter interface {
		admit(slot int, x *program.Inst, now wire.Cycle) bool
	}
	// issuer is notified of every issued instruction, inserted ones included. tag is 0 without an operation.
	issuer interface {
		issued(slot int, f *message.Fetched, x *program.Inst, tag uint32, now wire.Cycle)
	}
	// completer is notified when an operation has read its sources and when its results are written.
	completer interface {
		completed(w *warpState, in *ir.Inst, tag uint32, e ending)
	}
	// finisher ends a cycle. again: there is something left to do in the next one.
	finisher interface {
		finish(now wire.Cycle) (again bool)
	}
	// explainer describes the feature's reason for a warp's wait; empty if the feature
	// has none.
	explainer interface {
		explain(slot int) string
	}
)

// ending is an event of an operation in flight that may end another instruction's wait.
type ending uint8

const (
	sourcesRead ending = iota
	resultDone
)

// parts has the features of a scheduler, listed by interface.
type parts struct {
	has        present
	launchers  []launcher
	closers    []closer
	takers     []taker
	settlers   []settler
	starters   []starter
	leavers    []leaver
	enterers   []enterer
	beginners  []beginner
	headers    []header
	dependers  []depender
	rankers    []ranker
	admitters  []admitter
	issuers    []issuer
	completers []completer
	finishers  []finisher
	explainers []explainer
}

// present reports for some lists whether the list has a feature. These are the lists asked for in every cycle or with
// every instruction. The flags lie on one line of a host's cache, the lists on several.
type present struct {
	takers, settlers, beginners, headers, dependers, rankers, admitters, issuers, completers, finishers bool
}

// join adds x to a list if x implements its interface.
func join[T any](list *[]T, x any) {
	if y, ok := x.(T); ok {
		*list = append(*list, y)
	}
}

func (p *parts) add(x any) {
	join(&p.launchers, x)
	join(&p.closers, x)
	join(&p.takers, x)
	join(&p.settlers, x)
	join(&p.starters, x)
	join(&p.leavers, x)
	join(&p.enterers, x)
	join(&p.beginners, x)
	join(&p.headers, x)
	join(&p.dependers, x)
	join(&p.rankers, x)
	join(&p.admitters, x)
	join(&p.issuers, x)
	join(&p.completers, x)
	join(&p.finishers, x)
	join(&p.explainers, x)
	p.has = present{takers: len(p.takers) > 0, settlers: len(p.settlers) > 0, beginners: len(p.beginners) > 0,
		headers: len(p.headers) > 0, dependers: len(p.dependers) > 0, rankers: len(p.rankers) > 0,
		admitters: len(p.admitters) > 0, issuers: len(p.issuers) > 0, completers: len(p.completers) > 0,
		finishers: len(p.finishers) > 0}
}

// The methods for the events of every cycle and every instruction test first whether there is any such feature: most
// schedulers have few, and the test is shorter than an empty loop.

func (p *parts) take() {
	if !p.has.takers {
		return
	}
	for _, x := range p.takers {
		x.take()
	}
}

func (p *parts) settle(now wire.Cycle) {
	if !p.has.settlers {
		return
	}
	for _, x := range p.settlers {
		x.settle(now)
	}
}

func (p *parts) start(slot int, now wire.Cycle) bool {
	for _, x := range p.starters {
		if !x.start(slot, now) {
			return false
		}
	}
	return true
}

// left reports whether the warp losing its slot was active.
func (p *parts) left(slot int) bool {
	for _, x := range p.leavers {
		if !x.left(slot) {
			return false
		}
	}
	return true
}

func (p *parts) begin(now wire.Cycle) (again bool) {
	if !p.has.beginners {
		return false
	}
	for _, x := range p.beginners {
		again = x.begin(now) || again
	}
	return again
}

func (p *parts) head(slot int, w *warpState, x *program.Inst) {
	if !p.has.headers {
		return
	}
	for _, h := range p.headers {
		h.head(slot, w, x)
	}
}

func (p *parts) depend(slot int, w *warpState, x *program.Inst) {
	if !p.has.dependers {
		return
	}
	for _, d := range p.dependers {
		d.depend(slot, w, x)
	}
}

func (p *parts) rank(ready uint64) uint64 {
	if !p.has.rankers {
		return ready
	}
	for _, x := range p.rankers {
		ready = x.rank(ready)
	}
	return ready
}

func (p *parts) completed(w *warpState, in *ir.Inst, tag uint32, e ending) {
	if !p.has.completers {
		return
	}
	for _, x := range p.completers {
		x.completed(w, in, tag, e)
	}
}

func (p *parts) finish(now wire.Cycle) (again bool) {
	if !p.has.finishers {
		return false
	}
	for _, x := range p.finishers {
		again = x.finish(now) || again
	}
	return again
}

func (p *parts) explain(slot int) string {
	for _, x := range p.explainers {
		if why := x.explain(slot); why != "" {
			return why
		}
	}
	return ""
}
