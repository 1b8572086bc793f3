package sched

import (
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/program"
)

// What a feature can take part in. The feature implements the methods that it needs. A scheduler
// without the feature has nothing to call.
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
	// starter reports whether a warp that starts is active at once.
	starter interface {
		start(slot int, now wire.Cycle) bool
	}
	// leaver hears that the warp of a slot loses it, and reports whether the warp was active.
	leaver interface {
		left(slot int) bool
	}
	seater interface {
		seated(context uint16, slot int) // a context has a slot now
	}
	// beginner decides which warps may issue in a cycle. again: the next cycle may decide otherwise.
	beginner interface {
		begin(now wire.Cycle) (again bool)
	}
	// header computes what depends on the instruction at the head of a slot's buffer. It is called
	// whenever that, or what the instruction waits for, may have changed. x is nil without one.
	header interface {
		head(slot int, w *warpState, x *program.Inst)
	}
	// ranker returns the ready warps that go first.
	ranker interface {
		rank(ready uint64) uint64
	}
	// admitter looks up, for the instruction chosen from a slot, what the instruction needs at issue.
	admitter interface {
		admit(slot int, x *program.Inst, now wire.Cycle) bool
	}
	// issuer hears of an instruction that issues, inserted ones included. tag is 0 without an operation.
	issuer interface {
		issued(slot int, f *message.Fetched, x *program.Inst, tag uint32, now wire.Cycle)
	}
	// hearer hears of operations that have read their sources or written their results.
	hearer interface {
		heard(w *warpState, in *ir.Inst, e ending)
	}
	// finisher ends a cycle. again: there is something left to do in the next one.
	finisher interface {
		finish(now wire.Cycle) (again bool)
	}
	// explainer says, for people, what a warp's next instruction waits for; empty: nothing of the
	// feature.
	explainer interface {
		explain(slot int) string
	}
)

// ending is what has ended of an operation.
type ending uint8

const (
	sourcesRead ending = iota
	resultDone
)

// parts are the features of a scheduler by what they take part in.
type parts struct {
	launchers  []launcher
	closers    []closer
	takers     []taker
	settlers   []settler
	starters   []starter
	leavers    []leaver
	seaters    []seater
	beginners  []beginner
	headers    []header
	rankers    []ranker
	admitters  []admitter
	issuers    []issuer
	hearers    []hearer
	finishers  []finisher
	explainers []explainer
}

// join adds x to a list if x takes part there.
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
	join(&p.seaters, x)
	join(&p.beginners, x)
	join(&p.headers, x)
	join(&p.rankers, x)
	join(&p.admitters, x)
	join(&p.issuers, x)
	join(&p.hearers, x)
	join(&p.finishers, x)
	join(&p.explainers, x)
}

func (p *parts) take() {
	for _, x := range p.takers {
		x.take()
	}
}

func (p *parts) settle(now wire.Cycle) {
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

// left reports whether the warp of a slot that it loses was active.
func (p *parts) left(slot int) bool {
	for _, x := range p.leavers {
		if !x.left(slot) {
			return false
		}
	}
	return true
}

func (p *parts) begin(now wire.Cycle) (again bool) {
	for _, x := range p.beginners {
		again = x.begin(now) || again
	}
	return again
}

func (p *parts) rank(ready uint64) uint64 {
	for _, x := range p.rankers {
		ready = x.rank(ready)
	}
	return ready
}

func (p *parts) heard(w *warpState, in *ir.Inst, e ending) {
	for _, x := range p.hearers {
		x.heard(w, in, e)
	}
}

func (p *parts) finish(now wire.Cycle) (again bool) {
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
