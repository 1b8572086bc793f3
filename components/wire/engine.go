package wire

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// Engine runs the clock domains and Akita events of one simulation. It is a
// sim.Engine, so that stock Akita components run beside ours.
//
// The machine is cut into partitions, which run alone for a window of time and
// then exchange what went over the links between them. Every message, credit
// and signal carries its time, so that results depend neither on the number of
// workers nor on the length and alignment of windows.
type Engine struct {
	sim.HookableBase
	parts     []*Partition
	lanes     []*lane
	taps      []exchanger
	crossings []crossing // of lanes and taps
	window    window
	span      window // in force; zero cycles: to be computed
	workers   int
	rounds    uint64 // windows begun in past runs

	clock    atomic.Uint64 // bits of the current time in seconds
	begun    atomic.Uint64 // those of when the window began, or the last run ended
	stop     atomic.Bool
	running  sync.Mutex
	pausing  sync.Mutex // held by the run within a window, and by a pause
	pauses   sync.Mutex
	paused   bool
	alone    bool // one partition: it stops at the very step
	lockstep bool // hooks look on: things are done in the order of time
	while    func() bool
	horizon  bound // of the last window
	watchdog watchdog
	lookers  []*looker
	atEnd    []sim.SimulationEndHandler
}

// window is the time for which partitions run alone: cycles of a clock of hz.
// Zero cycles: as long as the shortest link between partitions permits.
type window struct {
	cycles Cycle
	hz     uint64
}

// idleWindow is the window in cycles of a machine without links between
// partitions. It bounds how long a pause waits.
const idleWindow = 1024

// NewEngine returns an engine without partitions, with one worker.
func NewEngine() *Engine { return &Engine{workers: 1} }

// NewPartition adds a partition. The first one is the home of events that are
// scheduled at the engine itself.
func (e *Engine) NewPartition(name string) *Partition {
	p := &Partition{engine: e, name: name, index: len(e.parts)}
	e.parts = append(e.parts, p)
	return p
}

// Home is the first partition; it is made when there is none.
func (e *Engine) Home() *Partition {
	if len(e.parts) == 0 {
		e.NewPartition("Home")
	}
	return e.parts[0]
}

// Partitions are the partitions in the order in which they were made. The
// slice must not be changed.
func (e *Engine) Partitions() []*Partition { return e.parts }

// NewDomain adds a clock domain to the home partition.
func (e *Engine) NewDomain(name string, freq sim.Freq) *Domain {
	return e.Home().NewDomain(name, freq)
}

// SetWorkers sets how many goroutines simulate partitions: 1 or more.
func (e *Engine) SetWorkers(n int) {
	if n < 1 {
		panic(fmt.Sprintf("wire: %d workers, want at least 1", n))
	}
	e.workers = n
}

// SetWindow sets for how many cycles of a clock partitions run alone. No link
// between partitions may have a shorter latency. Without it, the window is the
// latency of the shortest such link. Results do not depend on it.
func (e *Engine) SetWindow(cycles int, freq sim.Freq) {
	if cycles < 1 || freq < 1 {
		panic(fmt.Sprintf("wire: window of %d cycles at %v Hz, want at least 1 cycle", cycles, float64(freq)))
	}
	e.window, e.span = window{Cycle(cycles), uint64(freq)}, window{}
	for _, c := range e.crossings {
		c.mustSpan(e.window)
	}
}

// finestClock is the highest frequency in the machine. Without any clock there
// are only events, and a nanosecond is as good as anything.
func (e *Engine) finestClock() uint64 {
	hz := uint64(0)
	for _, p := range e.parts {
		for _, d := range p.domains {
			hz = max(hz, d.hz)
		}
	}
	if hz == 0 {
		return 1e9
	}
	return hz
}

// CurrentTime is the time in seconds: exact for stock components in the home
// partition and in hooks, elsewhere that of the window. Blocks of ours ask
// their own clock instead. It may be called from any goroutine.
func (e *Engine) CurrentTime() sim.VTimeInSec {
	return sim.VTimeInSec(math.Float64frombits(e.clock.Load()))
}

// Schedule queues an event for the home partition.
func (e *Engine) Schedule(ev sim.Event) { e.Home().Schedule(ev) }

// Stop ends the run: after this cycle if there is one partition, otherwise
// after this window. Any goroutine and any component may call it. When nothing
// runs, it ends the next run before that does anything.
func (e *Engine) Stop() { e.stop.Store(true) }

// Pause keeps the simulation from going on until Continue; it returns when
// nothing moves any more. It must not be called by a component: see Stop.
func (e *Engine) Pause() {
	e.pauses.Lock()
	defer e.pauses.Unlock()
	if !e.paused {
		e.pausing.Lock()
		e.paused = true
	}
}

// Continue lets a paused simulation go on.
func (e *Engine) Continue() {
	e.pauses.Lock()
	defer e.pauses.Unlock()
	if e.paused {
		e.paused = false
		e.pausing.Unlock()
	}
}

// RegisterSimulationEndHandler registers what Finished calls.
func (e *Engine) RegisterSimulationEndHandler(h sim.SimulationEndHandler) {
	e.atEnd = append(e.atEnd, h)
}

// Finished calls the registered handlers.
func (e *Engine) Finished() {
	now := e.CurrentTime()
	for _, h := range e.atEnd {
		h.Handle(now)
	}
}

func (e *Engine) announce(pos *sim.HookPos, ev sim.Event) {
	if e.NumHooks() > 0 {
		e.InvokeHook(sim.HookCtx{Domain: e, Pos: pos, Item: ev})
	}
}
