package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
)

// traceAhead is how many thread blocks of a trace are read ahead of the
// dispatcher. It bounds memory and changes no result.
const traceAhead = 8

// traceProgram is a list of Accel-Sim traces.
type traceProgram struct {
	name   string
	list   *sass.List
	strict bool
	warn   io.Writer
	quit   <-chan struct{}

	kernels map[[sha256.Size]byte]*ir.Kernel // one for all launches of the same code
	unknown map[string]bool                  // opcodes that were named
}

func (f *programFlags) openTraces(name string) (program, error) {
	for _, flag := range []string{"launch", "size", "registers"} {
		if f.command.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: found together with traces, which have launches, sizes and registers of their own", flag)
		}
	}
	list, err := sass.OpenList(name)
	if err != nil {
		return nil, err
	}
	return &traceProgram{name: name, list: list, strict: f.strict, warn: f.command.ErrOrStderr(), quit: quitOf(f.command.Context()),
		kernels: map[[sha256.Size]byte]*ir.Kernel{}, unknown: map[string]bool{}}, nil
}

func quitOf(ctx context.Context) <-chan struct{} {
	if ctx == nil {
		return nil
	}
	return ctx.Done()
}

// Name implements host.Program.
func (t *traceProgram) Name() string { return t.name }

// Run implements host.Program: the launches in order. Copies to the device take
// no simulated time.
func (t *traceProgram) Run(d *host.Device) error {
	m, ok := d.Runner.(replayer)
	if !ok {
		return errors.New("the machine runs no traces")
	}
	for _, c := range t.list.Commands {
		if c.Trace == "" {
			continue
		}
		l, err := t.load(c.Trace)
		if err != nil {
			return err
		}
		r := &gpus.Replay{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, SharedBytes: l.SharedBytes,
			Open: func() (gpus.Source, error) { return l.Source(traceAhead), nil }}
		if err := m.replay(r, l.Sum[:]); err != nil {
			return atTrace(l, err)
		}
	}
	return nil
}

// atTrace puts the place of a launch before an error that says no place itself:
// that the GPU cannot hold it.
func atTrace(l *sass.Launch, err error) error {
	var stop *gpus.StopError
	var placed *sass.Error
	if errors.As(err, &stop) || errors.As(err, &placed) || errors.Is(err, gpus.ErrInterrupted) {
		return err
	}
	return fmt.Errorf("%s:%d: %w", l.File, l.Line, err)
}

// load reads a trace for the first time.
func (t *traceProgram) load(file string) (*sass.Launch, error) {
	l, err := sass.Load(file, sass.Options{Strict: t.strict, Quit: t.quit})
	if errors.Is(err, sass.ErrStopped) {
		return nil, gpus.ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	for _, u := range l.Report.Unknown {
		if !t.unknown[u.Opcode] {
			t.unknown[u.Opcode] = true
			fmt.Fprintf(t.warn, "%s:%d: note: the opcode %s is not known (%d executions in this trace); it is taken for an integer operation\n",
				file, u.Line, u.Opcode, u.Count)
		}
	}
	code := l.Code()
	if k := t.kernels[code]; k != nil {
		l.Kernel = k
	} else {
		t.kernels[code] = l.Kernel
	}
	return l, nil
}

func (t *traceProgram) expect(error) []result.Expect { return nil }
func (t *traceProgram) saves() bool                  { return false }
func (t *traceProgram) save(string) error            { return nil }

// replayer is a runner that takes streams together with the digest of where
// they come from.
type replayer interface {
	replay(r *gpus.Replay, sum []byte) error
}

// replay hands a launch to the machine and takes its fingerprint: that of the
// trace file.
func (h *hashing) replay(r *gpus.Replay, sum []byte) error {
	m, ok := h.Runner.(gpus.Replayer)
	if !ok {
		return errors.New("the machine runs no traces")
	}
	h.before(r.Kernel.Name)
	h.Bytes(sum)
	return m.Replay(r)
}

// recordFlag is where to write traces of what runs.
type recordFlag struct {
	dir string
	rec *sass.Recorder
}

func (r *recordFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&r.dir, "record", "", "write the launches to this folder as Accel-Sim traces")
}

// start makes the folder and has the machine's streams recorded.
func (r *recordFlag) start(program string, o *gpus.Options) error {
	if r.dir == "" {
		return nil
	}
	if sameFolder(r.dir, program) {
		return fmt.Errorf("--record %s: found the folder that the traces are read from, expected another", r.dir)
	}
	rec, err := sass.NewRecorder(r.dir)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	r.rec = rec
	o.Record = func(k *ir.Kernel, grid, block [3]int, shared int, src gpus.Source) (gpus.Source, error) {
		return rec.Record(k, grid, block, shared, unlessInterrupted{src, o.Context})
	}
	return nil
}

// unlessInterrupted is a source that an interrupt ends with an error. By itself a
// source that is cut short looks like one at its end.
type unlessInterrupted struct {
	gpus.Source
	ctx context.Context // nil: never
}

func (s unlessInterrupted) Err() error {
	if err := s.Source.Err(); err != nil || s.ctx == nil || s.ctx.Err() == nil {
		return err
	}
	return gpus.ErrInterrupted
}

func sameFolder(dir, program string) bool {
	d, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for _, p := range []string{program, filepath.Dir(program)} {
		if s, err := os.Stat(p); err == nil && os.SameFile(d, s) {
			return sass.IsTraces(program)
		}
	}
	return false
}

// finish writes the list of what was recorded.
func (r *recordFlag) finish() error {
	if r.rec == nil {
		return nil
	}
	if err := r.rec.Close(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}
