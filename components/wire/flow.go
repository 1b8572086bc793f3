package wire

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// flow deals the windows of an epoch to several workers. A partition may begin a window as soon as its neighbours, the
// partitions to which it has links, have finished the one before: everything that reaches it in the window has been
// sent then. So no worker waits at the end of a window for partitions that have nothing to do with its own.
//
// Two neighbours are at most one window apart, so that two lists for each direction of a link are enough: see lane.
type flow struct {
	engine *Engine
	mu     sync.Mutex
	epoch  epoch
	last   int   // windows of the epoch, fewer after a stop
	left   int   // windows of partitions not yet finished
	begun  int   // windows of partitions, in all epochs
	lots   []lot // by partition
	crews  []*crew
	over   atomic.Bool
}

// epoch is a number of windows in a row, without a look at the machine as a whole between them.
type epoch struct {
	first   Cycle // of the window's clock
	window  window
	limit   bound
	windows int
}

// windowsOfEpoch is the number of windows in an epoch: many, so that workers seldom wait for each other at its end, and
// not more, because a machine that falls idle still passes through the rest.
const windowsOfEpoch = 32

// end returns the end of window k.
func (e *epoch) end(k int) bound {
	return bound{edge{e.first + Cycle(k+1)*e.window.cycles, e.window.hz}, false}.earlier(e.limit)
}

// lot is the state of a partition in the epoch.
type lot struct {
	done    int // windows finished
	missing int // neighbours that have finished fewer windows
	running bool
	ran     int // the number of windows that had begun in the machine when the last one of the partition did
	crew    int // which runs it first
}

// crew is a worker with the partitions that it ran last, because their state is in its caches. It takes over one of
// another worker while its own have to wait.
type crew struct {
	gate  gate
	ready []int        // partitions that can run
	n     atomic.Int32 // length of ready
	_     [64]byte     // keeps what a waiting worker polls on lines of their own
}

func newFlow(e *Engine, workers int) *flow {
	f := &flow{engine: e, lots: make([]lot, len(e.parts))}
	f.over.Store(true)
	for i := range f.lots {
		f.lots[i].crew = i % workers
	}
	for range workers {
		f.crews = append(f.crews, &crew{gate: gate{wake: make(chan struct{}, 1)}})
	}
	return f
}

// begin makes every partition ready for the first window of an epoch. Nobody works.
func (f *flow) begin(e epoch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.epoch, f.last = e, 1
	for f.last < e.windows && e.end(f.last-1) != e.limit {
		f.last++
	}
	f.left = f.last * len(f.lots)
	for _, c := range f.crews { // a stop leaves partitions ready
		c.ready = c.ready[:0]
		c.n.Store(0)
	}
	for i := range f.lots {
		f.lots[i] = lot{crew: f.lots[i].crew, ran: f.lots[i].ran}
		f.push(i)
	}
	f.over.Store(false)
}

// push makes a partition ready.
func (f *flow) push(part int) {
	c := f.crews[f.lots[part].crew]
	c.ready = append(c.ready, part)
	c.n.Add(1)
}

// pull takes a ready partition from a crew, or returns -1. One for which several others wait, such as the chip for
// which all SMs do, goes first, then those with the fewest windows done, and of these the one that has run last.
func (f *flow) pull(c *crew) int {
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

// before reports whether partition a should run before b.
func (f *flow) before(a, b int) bool {
	x, y := &f.lots[a], &f.lots[b]
	return cmp.Or(cmp.Compare(len(f.engine.parts[b].neighbours), len(f.engine.parts[a].neighbours)),
		cmp.Compare(x.done, y.done), cmp.Compare(y.ran, x.ran)) < 0
}

// work runs one window of a partition after the other until the epoch is over.
func (f *flow) work(worker int) {
	part := f.take(worker)
	for !f.over.Load() {
		if part < 0 {
			f.await(worker)
			part = f.take(worker)
			continue
		}
		k := f.lots[part].done
		f.engine.parts[part].runGuarded(k, f.epoch.end(k))
		part = f.finish(worker, part)
	}
}

// take returns the next partition for a worker, which runs from now on, or -1.
func (f *flow) take(worker int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next(worker)
}

func (f *flow) next(worker int) int {
	for k := range f.crews {
		if part := f.pull(f.crews[(worker+k)%len(f.crews)]); part >= 0 {
			f.start(worker, part)
			return part
		}
	}
	return -1
}

// start begins a window of a partition, which is the worker's from now on.
func (f *flow) start(worker, part int) {
	f.begun++
	l := &f.lots[part]
	l.running, l.ran, l.crew = true, f.begun, worker
}

// finish ends a window of a partition, and returns the next partition for the worker, or -1. It is the same one if that
// is ready, because its state is in the caches.
func (f *flow) finish(worker, part int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := &f.lots[part]
	l.done++
	l.running = false
	f.left--
	f.heed(part)
	for _, n := range f.engine.parts[part].neighbours {
		x := &f.lots[n]
		switch {
		case x.done < l.done: // it has waited for nothing here
			l.missing++
		case x.done == l.done:
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

// hasten reports whether a neighbour of a partition waits for at most half of its own neighbours, which should go first
// then: if each SM ran two windows in a row, nothing would be left to run beside the chip.
func (f *flow) hasten(part int) bool {
	return slices.ContainsFunc(f.engine.parts[part].neighbours, func(n int) bool {
		x := &f.lots[n]
		return !x.running && x.missing > 0 && 2*x.missing <= len(f.engine.parts[n].neighbours)
	})
}

// heed ends the epoch early after a stop, or a panic of the partition: when all partitions have finished the windows
// that any has begun.
func (f *flow) heed(part int) {
	if f.engine.parts[part].failure == nil && !f.engine.stop.Load() {
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

// call wakes the sleeping workers with a partition of their own that is ready.
func (f *flow) call(worker int) {
	for i, c := range f.crews {
		if i != worker && len(c.ready) > 0 {
			c.gate.open()
		}
	}
}

// patience is the number of polls for which a worker waits for a partition of its own before it takes one of another: a
// microsecond or two, short beside a window of a busy SM.
const patience = 1 << 10

// await waits until a partition is ready, or the epoch is over.
func (f *flow) await(worker int) {
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
