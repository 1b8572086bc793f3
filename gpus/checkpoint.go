package gpus

import (
	"fmt"
	"io"

	"kumiko/components/wire"
	"kumiko/gpus/chip"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"
	"kumiko/internal/snapshot"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/program"
)

// Checkpoints save the state of a machine from time to time. Another machine of the same configuration can
// resume from a saved state, with the same program and the same build of the simulator, and any number of workers. The
// results are equal to an uninterrupted run's.
//
// A state holds all timing state and the results so far. The device's memory is left out: on a restart the host
// program runs from its beginning, and its launches are executed, but not simulated, up to the saved point.
type Checkpoints struct {
	// Due reports whether to save a state now. The machine calls it between chunks of the simulation.
	Due func() bool
	// Keep saves the state at a point. write writes the state. An interrupted machine calls Keep once more.
	Keep func(at Point, write func(io.Writer) error) error
	// From is the state to resume from; nil: start at the beginning.
	From *Restart
}

// Point is a position in a run.
type Point struct {
	Launch int    // number of the launch, from 0
	Kernel string // its kernel
	Cycle  uint64 // since the launch
	CTAs   int    // popped from the launch's streams
}

// Restart is a saved state to resume from.
type Restart struct {
	Point
	State io.Reader
	// Executed is called after all work before the point has been executed. An error ends the run.
	Executed func() error
}

// keeper saves states of a machine, or restores one.
type keeper struct {
	m        *machine
	opt      *Checkpoints
	from     *Restart // nil once restored
	chunk    wire.Cycle
	launch   int // launches begun
	programs []*program.Program
	kernels  []*ir.Kernel // of the launches so far
	src      *taking
}

// taking counts the CTAs popped from a launch's streams.
type taking struct {
	stream.OpenSource
	m     *machine
	taken int
	cut   bool // the streams ended when the run was interrupted
}

// Next implements stream.Source.
func (t *taking) Next() *stream.CTA {
	c := t.OpenSource.Next()
	if c != nil {
		t.taken++
	} else if t.m.interrupted() {
		t.cut = true
	}
	return c
}

// state is the first part of a snapshot.
type state struct {
	gpu      *chip.Chip
	run      *launched
	programs []*program.Program // of the launches so far
	kernels  []*ir.Kernel
	mode     sampling.Mode
	rows     result.Rows
	launches int
	meter    *measure.Meter
}

func (k *keeper) state(run *launched) *state {
	return &state{gpu: k.m.chip, run: run, programs: k.programs, kernels: k.kernels, mode: k.m.mode,
		rows: k.m.rows, launches: k.m.launches, meter: k.m.meter}
}

// next registers the beginning of a launch. It returns the launch's streams. For a launch before the restart
// point it executes the launch and returns nil.
func (k *keeper) next(src stream.OpenSource, kernel *ir.Kernel, a *regfile.Admission) (stream.OpenSource, error) {
	k.src = &taking{OpenSource: src, m: k.m}
	k.programs = append(k.programs, k.m.code.Program(kernel, a.Insert))
	k.kernels = append(k.kernels, kernel)
	k.launch++
	if k.from == nil || k.launch > k.from.Launch {
		return k.src, nil
	}
	for c := k.src.Next(); c != nil; c = k.src.Next() {
	}
	if k.m.interrupted() {
		return nil, stop.ErrInterrupted
	}
	return nil, src.Err()
}

// update restores the saved state if the restart point lies in this launch. Otherwise it saves a state if one is due.
func (k *keeper) update(run *launched) error {
	if k.from != nil {
		return k.restore(run)
	}
	if k.opt.Due() {
		return k.keep(run)
	}
	return nil
}

func (k *keeper) restore(run *launched) error {
	from := k.from
	k.from = nil
	for k.src.taken < from.CTAs && k.src.Next() != nil {
	}
	if k.m.interrupted() {
		return stop.ErrInterrupted
	}
	if k.launch != from.Launch+1 || run.name != from.Kernel || k.src.taken != from.CTAs {
		return fmt.Errorf("the checkpoint is of launch %d of kernel %s with %d CTAs begun, expected launch %d of %s "+
			"with at least %d", from.Launch+1, from.Kernel, from.CTAs, k.launch, run.name, k.src.taken)
	}
	if err := from.Executed(); err != nil {
		return err
	}
	defer k.m.guard()()
	s := k.state(run)
	if err := snapshot.Read(from.State, s, k.src, k.m); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	k.m.rows, k.m.launches = s.rows, s.launches
	k.m.chip.Engine.SetWorkers(max(k.m.opt.Workers, 1))
	return nil
}

func (k *keeper) keep(run *launched) error {
	at := Point{Launch: k.launch - 1, Kernel: run.name, Cycle: k.m.chip.Core.Now() - run.start, CTAs: k.src.taken}
	return k.opt.Keep(at, func(w io.Writer) error { return snapshot.Write(w, k.state(run), k.src, k.m) })
}

// interrupted saves the state of an interrupted launch, unless the launch's streams were cut short by the
// interruption.
func (k *keeper) interrupted(run *launched) error {
	if k.from != nil || k.src.cut || run.done {
		return nil
	}
	return k.keep(run)
}
