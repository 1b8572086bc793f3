package emu

import (
	"fmt"
	"sync/atomic"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// HangError reports a launch without end: its warps wait for ever, or a limit is reached.
type HangError struct{ err error }

func (e *HangError) Error() string { return e.err.Error() }

// Stats has counts of executed CTAs and instructions of a launch.
type Stats struct {
	CTAs uint64
	// WarpInsts counts warp instructions; ThreadInsts is the sum of their lanes with a true guard.
	WarpInsts   uint64
	ThreadInsts uint64
	// Class has the warp instructions of each timing class. It is filled for kernels with Timing set.
	Class [ir.NumClasses]uint64
	// Executed has the number of executions of each PC by a warp.
	Executed []uint64
}

// engine executes one launch.
type engine struct {
	l    *Launch
	prog *Program
	mem  *mem.Memory
	// noted has the pages written, nil where they are not noted.
	noted *mem.Pages
	err   error
	// version counts the stores, each of which may have changed memory.
	version uint64
	// visible counts the stores that other lanes may see: all but those to local memory.
	visible uint64
	// started[pc] counts the runs beginning at pc, ended[pc] the runs ending before pc.
	started, ended []uint64
	threadInsts    uint64
	views          []view
	texViews       []texView

	record   bool
	deliver  func(*stream.CTA) bool
	shelf    shelf // of CTAs handed over
	quit     atomic.Bool
	cut      bool  // a CTA has been cut short
	now      *warp // the warp in its turn
	free     []*cta
	resident []*cta // in grid order
	most     int    // largest number of resident CTAs
	next     int    // the first CTA not yet begun
	total    int
	done     uint64
}

func newEngine(l *Launch, record bool, deliver func(*stream.CTA) bool) *engine {
	n := len(l.Prog.code) + 1
	most, _ := l.mostResident()
	return &engine{
		most: most,
		l:    l, prog: l.Prog, mem: l.Mem, noted: l.Mem.Noted(), record: record, deliver: deliver, total: l.ctas(),
		started: make([]uint64, n), ended: make([]uint64, n), views: make([]view, l.Prog.views),
		texViews: make([]texView, l.Prog.texViews),
	}
}

// ownShared returns the size of a CTA's own shared memory, and sharedBytes with that of the system, if it has any.
func (e *engine) ownShared() int { return e.prog.k.SharedBytes + e.l.DynShared }

func (e *engine) sharedBytes() int {
	if n := e.ownShared(); n > 0 {
		return e.prog.k.SystemShared + n
	}
	return 0
}

func (e *engine) closed() bool { return e.quit.Load() }

// run executes the launch. A panic becomes its error, an *ir.InternalError.
func (e *engine) run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			e.err = e.internal(p)
			err = e.err
		}
	}()
	return e.execute()
}

// internal returns the error for a panic. Its place is the warp's last instruction able to fail; later arithmetic
// is not recorded.
func (e *engine) internal(p any) error {
	if e.now == nil || e.now.pos == nil {
		return ir.Internal(e.prog.k, nil, p)
	}
	return ir.Internal(e.prog.k, e.now.pos.src, p)
}

// execute executes the CTAs in grid order: each to its end before the next begins, unless it cannot end before
// later ones have run.
func (e *engine) execute() error {
	for e.next < e.total || len(e.resident) > 0 {
		if len(e.resident) == 0 {
			e.admit()
		}
		if !e.turn() {
			if e.cut && !e.closed() {
				e.err = nil // errors after an incompletely executed CTA may be its consequence
			}
			return e.err
		}
	}
	return nil
}

func (e *engine) admit() {
	var c *cta
	if n := len(e.free); n > 0 {
		c, e.free = e.free[n-1], e.free[:n-1]
	} else {
		c = takeCTA(e)
	}
	c.start(e.next)
	e.next++
	e.resident = append(e.resident, c)
}

// turn runs every unfinished resident CTA once. If none of them finishes, it admits another one and runs it too.
// Then it hands over the finished CTAs at the front.
func (e *engine) turn() bool {
	before := e.version
	ended, stuck, admitted := false, true, false
	for i := 0; i < len(e.resident); i++ {
		c := e.resident[i]
		if c.state != finished {
			c.state = c.run()
			ended = ended || c.state == finished
			stuck = stuck && c.state == spinning
		}
		if c.state == failed {
			return false
		}
		last := i == len(e.resident)-1
		if last && !ended && !admitted && e.next < e.total && len(e.resident) < e.most &&
			(stuck || e.recorded() < e.l.Limits.RecordBytes/4) {
			e.admit()
			admitted = true
		}
	}
	if !e.handOver() {
		return false
	}
	if stuck && !admitted && len(e.resident) > 0 && e.version == before {
		e.deadlock()
		return false
	}
	return true
}

// handOver passes the finished CTAs at the front to the consumer.
func (e *engine) handOver() bool {
	n := 0
	for n < len(e.resident) && e.resident[n].state == finished {
		c := e.resident[n]
		n++
		e.done++
		for i := range c.warps {
			e.threadInsts += c.warps[i].lanes
		}
		if e.deliver != nil && !e.deliver(c.stream()) {
			return false
		}
		e.free = append(e.free, c)
	}
	e.resident = append(e.resident[:0], e.resident[n:]...)
	return true
}

// deadlock fails the launch: every resident CTA waits for a store, and no warp is left to store.
func (e *engine) deadlock() {
	c := e.resident[0]
	for _, c = range e.resident {
		if c.state == spinning {
			break
		}
	}
	more := ""
	if e.next < e.total {
		_, why := e.l.mostResident()
		more = fmt.Sprintf(" (%d CTAs are resident, %s, and %d have not begun)", len(e.resident), why, e.total-e.next)
	}
	e.hang("CTA %s: no warp can go on%s:%s", c.name(), more, c.waits())
}

// fail records an error at a warp's current instruction.
func (e *engine) fail(w *warp, format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("%s: kernel %s, CTA %s, warp %d: %s: %s", position(e.prog.k, w.pos.src), e.prog.k.Name,
			w.cta.name(), w.index, describe(w.pos.src), fmt.Sprintf(format, args...))
	}
}

// failAt records an error without a single instruction as its place.
func (e *engine) failAt(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("kernel %s: %s", e.prog.k.Name, fmt.Sprintf(format, args...))
	}
}

// hang records a HangError.
func (e *engine) hang(format string, args ...any) {
	e.failAt(format, args...)
	e.err = &HangError{e.err}
}

// recorded returns the approximate size, in bytes, of the streams of the resident CTAs.
func (e *engine) recorded() int {
	n := 0
	for _, c := range e.resident {
		for i := range c.warps {
			n += c.warps[i].rec.bytes()
		}
	}
	return n
}

// stats returns the counts so far.
func (e *engine) stats() Stats {
	s := Stats{CTAs: e.done, ThreadInsts: e.threadInsts, Executed: make([]uint64, len(e.prog.k.Insts))}
	at := uint64(0)
	for pc := range s.Executed {
		at += e.started[pc] - e.ended[pc]
		s.Executed[pc] = at
		s.WarpInsts += at
		if c := e.prog.k.Insts[pc].T.Class; c < ir.NumClasses {
			s.Class[c] += at
		}
	}
	return s
}
