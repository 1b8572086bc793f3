package wire

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// Engine runs the clock domains and Akita events of one simulation. It is a sim.Engine, so that stock Akita
// components run beside Kumiko's.
//
// The machine is divided into partitions. They run alone for a window of time and then exchange the messages on the
// links between them. Every message, credit and signal carries its time, so results depend neither on the number of
// workers nor on the length and alignment of windows.
//
// A single worker runs the two halves of a machine in turn if every link joins a partition of one half to one of the
// other. Several workers run a partition as soon as those linked to it have finished the window before. A follower runs
// each window after its leader.
type Engine struct {
	sim.HookableBase
	parts     []*Partition
	crossings []crossing // of lanes and taps
	window    window
	span      window // in force; zero cycles: to be computed
	halves    [2]half
	workers   int
	rounds    uint64 // windows begun in past runs
	comps     int    // components built

	clock    atomic.Uint64 // bits of the current time in seconds
	begun    atomic.Uint64 // bits of the time when the window began, or the last run ended
	stop     atomic.Bool
	running  sync.Mutex
	pausing  sync.Mutex // held by the run within a window, and by a pause
	pauses   sync.Mutex
	paused   bool
	alone    bool  // one partition: a run stops at the exact step
	lockstep bool  // with hooks: partitions run in the order of time
	horizon  bound // of the last window
	watchdog watchdog
	watchers []*watcher
	atEnd    []sim.SimulationEndHandler
}

// window is the time for which partitions run alone, in cycles of a clock of hz. Zero cycles: as long as the
// shortest link between partitions permits.
type window struct {
	cycles Cycle
	hz     uint64
}

// idleWindow is the window in cycles of a machine without links between
// partitions. It bounds how long a pause waits.
const idleWindow = 1024

// NewEngine returns an engine without partitions, with one worker.
func NewEngine() *Engine { return &Engine{workers: 1} }

// NewPartition adds a partition. The first one is the home of events scheduled at the engine itself.
func (e *Engine) NewPartition(name string) *Partition {
	p := &Partition{engine: e, name: name, index: len(e.parts)}
	e.parts = append(e.parts, p)
	return p
}

// Home returns the first partition. It makes one if there is none.
func (e *Engine) Home() *Partition {
	if len(e.parts) == 0 {
		e.NewPartition("Home")
	}
	return e.parts[0]
}

// Partitions returns the partitions in the order of their creation. The slice must not be changed.
func (e *Engine) Partitions() []*Partition { return e.parts }

// NewDomain adds a clock domain to the home partition.
func (e *Engine) NewDomain(name string, freq sim.Freq) *Domain {
	return e.Home().NewDomain(name, freq)
}

// SetWorkers sets the number of goroutines simulating partitions, at least 1.
func (e *Engine) SetWorkers(n int) {
	if n < 1 {
		panic(fmt.Sprintf("wire: %d workers, want at least 1", n))
	}
	e.workers = n
}

// SetWindow sets the number of cycles of a clock for which partitions run alone. No link between partitions may
// have a shorter latency. By default, the window is the latency of the shortest such link. Results do not depend on
// it.
func (e *Engine) SetWindow(cycles int, freq sim.Freq) {
	if cycles < 1 || freq < 1 {
		panic(fmt.Sprintf("wire: window of %d cycles at %v Hz, want at least 1 cycle", cycles, float64(freq)))
	}
	e.window, e.span = window{Cycle(cycles), uint64(freq)}, window{}
	for _, c := range e.crossings {
		c.mustSpan(e.window)
	}
}

// finestClock returns the highest frequency in the machine. A machine without clocks has only events; a nanosecond
// is as good as anything for it.
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

// CurrentTime returns the time in seconds. It is exact for stock components in the home partition and in hooks;
// elsewhere it is the time of the window. Kumiko's blocks read their own clock instead. It may be called from any
// goroutine.
func (e *Engine) CurrentTime() sim.VTimeInSec {
	return sim.VTimeInSec(math.Float64frombits(e.clock.Load()))
}

// Schedule queues an event for the home partition.
func (e *Engine) Schedule(ev sim.Event) { e.Home().Schedule(ev) }

// Stop ends the run: after this cycle if there is one partition, otherwise after this window, or this turn of a half.
// Several workers end the run when all partitions have finished the windows that any has begun.
// Any goroutine and any component may call it. If no run is in progress, the next run ends at once.
func (e *Engine) Stop() { e.stop.Store(true) }

// Pause halts the simulation until Continue. It returns when the simulation stands still. A component must not call
// it: see Stop.
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

// RegisterSimulationEndHandler registers a handler to be called by Finished.
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
