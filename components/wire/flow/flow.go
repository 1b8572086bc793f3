// Package flow deals windows of time to workers, for a machine in parts that run alone for a window and then exchange
// what they have sent.
package flow

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Part is a part of the machine. One worker at a time runs it for a window.
type Part struct {
	Neighbours []int // parts with links to it
	Leader     int   // the neighbour, itself without a leader, that runs each window before the part; or NoLeader
}

// NoLeader is the leader of a part that follows none.
const NoLeader = -1

// Flow deals the windows of an epoch to several workers. A part may begin a window as soon as its neighbours have
// finished the one before: everything that reaches it in the window has been sent then. So no worker waits at the end
// of a window for parts that have nothing to do with its own.
//
// Two neighbours are at most one window apart, so that two lists for each direction of a link are enough. A part with a
// leader runs each window between the leader's window of the same number and the leader's next.
type Flow struct {
	parts   []Part
	run     func(part, window int)
	stopped func(part int) bool
	mu      sync.Mutex
	last    int   // windows of the epoch, fewer after a stop
	left    int   // windows of parts not yet finished
	begun   int   // windows of parts, in all epochs
	lots    []lot // by part
	crews   []*crew
	over    atomic.Bool
	epochs  atomic.Uint64 // epochs begun; the helpers wait for it to change
	closed  atomic.Bool
}

// lot says how far a part has come in the epoch.
type lot struct {
	done    int // windows finished
	missing int // neighbours that must finish a window before the part's next one
	running bool
	ran     int // the number of windows that had begun in the machine when the last one of the part did
	crew    int // which runs it first
}

// crew is a worker with the parts that it ran last, because their state is in its caches. It takes over one of
// another worker while its own have to wait.
type crew struct {
	gate  gate
	ready []int        // parts that can run
	n     atomic.Int32 // length of ready
	_     [64]byte     // keeps what a waiting worker polls on lines of their own
}

// New returns a flow for a number of workers: the caller of Run, and goroutines that New starts. They call run for each
// window of a part, for different parts at once, and then stopped, which reports whether the epoch should end early.
func New(parts []Part, workers int, run func(part, window int), stopped func(part int) bool) *Flow {
	f := newFlow(parts, workers, run, stopped)
	for i := 1; i < workers; i++ {
		go f.help(i)
	}
	return f
}

func newFlow(parts []Part, workers int, run func(part, window int), stopped func(part int) bool) *Flow {
	f := &Flow{parts: parts, run: run, stopped: stopped, lots: make([]lot, len(parts))}
	f.over.Store(true)
	for i := range f.lots {
		f.lots[i].crew = i % workers
	}
	for range workers {
		f.crews = append(f.crews, &crew{gate: gate{wake: make(chan struct{}, 1)}})
	}
	return f
}

// Run runs an epoch of the given number of windows, at least 1, without a look at the machine as a whole between them.
// After a stop it ends when all parts have finished the windows that any has begun. It returns the number of windows
// run.
func (f *Flow) Run(windows int) int {
	f.begin(windows)
	f.epochs.Add(1)
	f.openGates()
	f.work(0)
	return f.last
}

// Close ends the goroutines of the workers. No Run may be under way or follow.
func (f *Flow) Close() {
	f.closed.Store(true)
	f.epochs.Add(1)
	f.openGates()
}

func (f *Flow) openGates() {
	for _, c := range f.crews[1:] {
		c.gate.open()
	}
}

// help works in every epoch until the flow is closed.
func (f *Flow) help(worker int) {
	for seen := uint64(0); ; {
		f.crews[worker].gate.await(func() bool { return f.epochs.Load() != seen })
		if seen = f.epochs.Load(); f.closed.Load() {
			return
		}
		f.work(worker)
	}
}

// begin makes every part ready for the first window of an epoch, but those with a leader. Nobody works.
func (f *Flow) begin(windows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = windows
	f.left = f.last * len(f.lots)
	for _, c := range f.crews { // a stop leaves parts ready
		c.ready = c.ready[:0]
		c.n.Store(0)
	}
	for i, p := range f.parts {
		f.lots[i] = lot{crew: f.lots[i].crew, ran: f.lots[i].ran}
		if p.Leader != NoLeader {
			f.lots[i].missing = 1
			continue
		}
		f.push(i)
	}
	f.over.Store(false)
}

// push makes a part ready.
func (f *Flow) push(part int) {
	c := f.crews[f.lots[part].crew]
	c.ready = append(c.ready, part)
	c.n.Add(1)
}

// pull takes a ready part from a crew, or returns -1. One for which several others wait, such as the chip for
// which all SMs do, goes first, then those with the fewest windows done, and of these the one that has run last.
func (f *Flow) pull(c *crew) int {
	c.ready = slices.DeleteFunc(c.ready, func(i int) bool { return f.lots[i].done >= f.last }) // beyond a stop
	best, part := 0, -1
	for i, p := range c.ready {
		if part < 0 || f.before(p, part) {
			best, part = i, p
		}
	}
	if part >= 0 {
		c.ready = slices.Delete(c.ready, best, best+1)
	}
	c.n.Store(int32(len(c.ready)))
	return part
}

// before reports whether part a should run before b.
func (f *Flow) before(a, b int) bool {
	x, y := &f.lots[a], &f.lots[b]
	return cmp.Or(cmp.Compare(len(f.parts[b].Neighbours), len(f.parts[a].Neighbours)),
		cmp.Compare(x.done, y.done), cmp.Compare(y.ran, x.ran)) < 0
}

// work runs one window of a part after the other until the epoch is over.
func (f *Flow) work(worker int) {
	part := f.take(worker)
	for !f.over.Load() {
		if part < 0 {
			f.await(worker)
			part = f.take(worker)
			continue
		}
		k := f.lots[part].done
		f.run(part, k)
		part = f.finish(worker, part)
	}
}

// take returns the next part for a worker, which runs from now on, or -1.
func (f *Flow) take(worker int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next(worker)
}

func (f *Flow) next(worker int) int {
	for k := range f.crews {
		if part := f.pull(f.crews[(worker+k)%len(f.crews)]); part >= 0 {
			f.start(worker, part)
			return part
		}
	}
	return -1
}

// start begins a window of a part, which is the worker's from now on.
func (f *Flow) start(worker, part int) {
	f.begun++
	l := &f.lots[part]
	l.running, l.ran, l.crew = true, f.begun, worker
}

// finish ends a window of a part, and returns the next part for the worker, or -1. It is the same one if that
// is ready, because its state is in the caches.
func (f *Flow) finish(worker, part int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := &f.lots[part]
	l.done++
	l.running = false
	f.left--
	f.heed(part)
	for _, n := range f.parts[part].Neighbours {
		x := &f.lots[n]
		// Leader and follower wait for each other in turn: who has run a window waits for the other.
		inTurn := f.parts[n].Leader == part || f.parts[part].Leader == n
		if x.done < l.done || inTurn {
			l.missing++
		}
		if x.done == l.done || inTurn {
			if x.missing--; x.missing == 0 && x.done < f.last {
				f.push(n)
			}
		}
	}
	if f.left == 0 {
		f.over.Store(true)
		for _, c := range f.crews {
			c.gate.open()
		}
		return -1
	}
	f.call(worker)
	if l.missing == 0 && l.done < f.last {
		if !f.hasten(part) {
			f.start(worker, part)
			return part
		}
		f.push(part)
	}
	return f.next(worker)
}

// hasten reports whether a neighbour of a part waits for at most half of its own neighbours, which should go first
// then: if each SM ran two windows in a row, nothing would be left to run beside the chip.
func (f *Flow) hasten(part int) bool {
	return slices.ContainsFunc(f.parts[part].Neighbours, func(n int) bool {
		x := &f.lots[n]
		return !x.running && x.missing > 0 && 2*x.missing <= len(f.parts[n].Neighbours)
	})
}

// heed ends the epoch early after a stop: when all parts have finished the windows that any has begun.
func (f *Flow) heed(part int) {
	if !f.stopped(part) {
		return
	}
	last := 0
	for i := range f.lots {
		if n := f.lots[i].done; f.lots[i].running {
			last = max(last, n+1)
		} else {
			last = max(last, n)
		}
	}
	if last < f.last {
		f.left -= (f.last - last) * len(f.lots)
		f.last = last
	}
}

// call wakes the sleeping workers with a part of their own that is ready.
func (f *Flow) call(worker int) {
	for i, c := range f.crews {
		if i != worker && len(c.ready) > 0 {
			c.gate.open()
		}
	}
}

// patience is the number of polls for which a worker waits for a part of its own before it takes one of another: a
// microsecond or two, short beside a window of a busy SM.
const patience = 1 << 10

// await waits until a part is ready, or the epoch is over.
func (f *Flow) await(worker int) {
	own := f.crews[worker]
	for i := range patience {
		if own.n.Load() > 0 || f.over.Load() {
			return
		}
		if i%256 == 255 {
			runtime.Gosched()
		}
	}
	own.gate.await(func() bool {
		return f.over.Load() || slices.ContainsFunc(f.crews, func(c *crew) bool { return c.n.Load() > 0 })
	})
}
