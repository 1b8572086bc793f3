package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"
)

// StuckError reports that a run has work left but makes no progress.
type StuckError struct {
	Time    sim.VTimeInSec
	Cause   string   // "nothing is awake", or the watchdog's observation
	Waiting []string // waits, one line for each component
}

// Error returns the whole report, one line for each component.
func (e *StuckError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stuck at %.10g s: %s", float64(e.Time), e.Cause)
	for _, line := range e.Waiting {
		b.WriteString("\n  ")
		b.WriteString(line)
	}
	return b.String()
}

// Waiting describes the waits of the components of all partitions.
func (e *Engine) Waiting() []string { return e.inOrder((*Domain).waits) }

// inOrder returns lines of all domains: partition by partition, followers with their leaders, and there in the order in
// which the components were built, so that the order does not depend on the number of followers.
func (e *Engine) inOrder(lines func(d *Domain, out []wait) []wait) (out []string) {
	for _, p := range e.parts {
		if p.leader != nil {
			continue
		}
		var all []wait
		for _, x := range append([]*Partition{p}, p.followers...) {
			for _, d := range x.domains {
				all = lines(d, all)
			}
		}
		slices.SortStableFunc(all, func(a, b wait) int { return cmp.Compare(a.built, b.built) })
		for _, w := range all {
			out = append(out, w.line)
		}
	}
	return out
}

// Moves counts the progress of the machine: messages put, events handled, and progress reported by Comp.Progress.
func (e *Engine) Moves() uint64 {
	n := uint64(0)
	for _, p := range e.parts {
		n += p.handled
		for _, d := range p.domains {
			n += d.moves
		}
	}
	return n
}

// SetWatchdog makes a run end as stuck when Moves has not changed for the given number of cycles of a clock,
// although components tick. The number must be larger than the longest wait of a sound machine. Zero cycles: no
// watchdog.
func (e *Engine) SetWatchdog(cycles int, freq sim.Freq) {
	if cycles < 0 || cycles > 0 && freq < 1 {
		panic(fmt.Sprintf("wire: watchdog of %d cycles at %v Hz", cycles, float64(freq)))
	}
	e.watchdog.patience, e.watchdog.hz = Cycle(cycles), uint64(freq)
}

// watchdog ends a run in which nothing moves for longer than patience, in cycles of a clock of hz.
type watchdog struct {
	patience Cycle
	hz       uint64
	moves    uint64 // Engine.Moves when it last changed
	since    Cycle  // the cycle of this change
	fresh    bool   // no check has been made since the run began
}

func (w *watchdog) start(moves uint64) { w.moves, w.fresh = moves, true }

// bites reports whether at time now nothing has moved for too long.
func (w *watchdog) bites(now edge, moves uint64) bool {
	if w.patience == 0 {
		return false
	}
	c := now.floorTo(w.hz)
	if w.fresh || moves != w.moves {
		w.fresh, w.moves, w.since = false, moves, c
		return false
	}
	return c-w.since > w.patience
}

// verdict returns the error of a run with the given outcome.
func (e *Engine) verdict(out Outcome) error {
	var cause string
	switch out {
	case Idle:
		cause = "nothing is awake"
	case Stuck:
		cause = fmt.Sprintf("nothing has moved for %d cycles at %d Hz", e.watchdog.patience, e.watchdog.hz)
	default:
		return nil
	}
	lines := e.Waiting()
	if out == Idle && len(lines) == 0 {
		return nil
	}
	return &StuckError{Time: e.CurrentTime(), Cause: cause, Waiting: append(lines, e.blocked()...)}
}

// blocked lists the links with a sender waiting for space.
func (e *Engine) blocked() []string {
	return e.inOrder(func(d *Domain, out []wait) []wait {
		for _, s := range d.senders {
			if s.q != nil && s.q.marks&blocked != 0 {
				out = append(out, wait{d.built[s.comp.id], fmt.Sprintf("%s: no room in %s", s.name, s.q.name)})
			}
		}
		return out
	})
}
