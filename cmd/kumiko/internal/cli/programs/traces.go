package programs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/code"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
)

// traceAhead is how many thread blocks of a trace are read ahead of the dispatcher. It bounds memory and changes no
// result.
const traceAhead = 8

// Traces is a list of Accel-Sim traces.
type Traces struct {
	name   string
	list   *sass.List
	strict bool
	limits sass.Limits
	Warn   io.Writer
	quit   <-chan struct{}

	kernels map[[sha256.Size]byte]*ir.Kernel // one for all launches of the same code
	unknown map[string]bool                  // opcodes reported so far
	streams sass.Streams                     // of all launches

	clustered bool // clusters were reported
}

func (f *Flags) openTraces(name string) (Program, error) {
	for _, flag := range []string{"launch", "size", "registers", "max-registers"} {
		if f.Command.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: found together with traces, which have launches, sizes and registers of "+
				"their own", flag)
		}
	}
	list, err := sass.OpenList(name)
	if err != nil {
		return nil, err
	}
	return &Traces{name: name, list: list, strict: f.strict, limits: f.Limits.Trace,
		Warn:    app.NewPrinter(f.Command.ErrOrStderr()),
		quit:    quitOf(f.Command.Context()),
		kernels: map[[sha256.Size]byte]*ir.Kernel{}, unknown: map[string]bool{}}, nil
}

// Fit raises the maximum registers per thread of the GPU to the traces' registers. It writes a note about it to w. It
// reads the streams of the traces too.
func (t *Traces) Fit(cfg *config.Config, w io.Writer) error {
	most := cfg.SM.MaxRegs
	t.streams = sass.Streams{}
	for _, c := range t.list.Commands {
		if c.Trace == "" {
			continue
		}
		h, err := sass.ReadHeader(c.Trace, t.limits)
		if err != nil {
			return err
		}
		t.streams.Add(h)
		if h.Registers <= cfg.SM.MaxRegs {
			continue
		}
		cfg.SM.MaxRegs = h.Registers
		fmt.Fprintf(w, "%s:%d: note: kernel %s has %d registers per thread, a thread of this GPU at most %d: the "+
			"trace is of another GPU. It runs as if a thread could have them (sm.max_registers_per_thread); code "+
			"compiled for this GPU would spill instead\n", app.Quoted(c.Trace), h.Line, app.Quoted(h.Name),
			h.Registers, most)
	}
	return nil
}

func quitOf(ctx context.Context) <-chan struct{} {
	if ctx == nil {
		return nil
	}
	return ctx.Done()
}

// Name implements host.Program.
func (t *Traces) Name() string { return t.name }

// Run implements host.Program. It runs the launches of each stream in order. Copies to the device take no simulated
// time.
func (t *Traces) Run(d *host.Device) error {
	m, ok := d.Runner.(Replayer)
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
			Wordless: true, Open: func() (stream.OpenSource, error) { return l.Source(traceAhead), nil },
			Queue: t.streams.Queue(&l.Header)}
		if err := m.ReplayTrace(r, l.Sum[:]); err != nil {
			return atTrace(l, err)
		}
	}
	return nil
}

// atTrace adds the place in the trace to an error without a place: the launch, or the instruction.
func atTrace(l *sass.Launch, err error) error {
	var stopped *stop.Error
	var placed *sass.Error
	if errors.As(err, &stopped) || errors.As(err, &placed) || errors.Is(err, stop.ErrInterrupted) {
		return err
	}
	if in, ok := errors.AsType[*code.InstError](err); ok {
		return fmt.Errorf("%s:%d: %w", l.File, l.LineOf(in.PC), in.Err)
	}
	return fmt.Errorf("%s:%d: %w", l.File, l.Line, err)
}

// load reads a trace for the first time.
func (t *Traces) load(file string) (*sass.Launch, error) {
	l, err := sass.Load(file, sass.Options{Strict: t.strict, Quit: t.quit, Limits: t.limits})
	if errors.Is(err, sass.ErrStopped) {
		return nil, stop.ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	for _, u := range l.Report.Unknown {
		if !t.unknown[u.Opcode] {
			t.unknown[u.Opcode] = true
			fmt.Fprintf(t.Warn, "%s:%d: note: the opcode %s is not known (%d executions in this trace); it is taken "+
				"for an integer operation\n",
				app.Quoted(file), u.Line, app.Quoted(u.Opcode), u.Count)
		}
	}
	t.notePartial(l)
	code := l.Code()
	if k := t.kernels[code]; k != nil {
		l.Kernel = k
	} else {
		t.kernels[code] = l.Kernel
	}
	return l, nil
}

// notePartial names what of a trace is not simulated.
func (t *Traces) notePartial(l *sass.Launch) {
	for _, p := range l.Report.Partial {
		if !t.unknown[p.Opcode] {
			t.unknown[p.Opcode] = true
			fmt.Fprintf(t.Warn, "%s:%d: note: %s is simulated in part (%d executions in this trace): %s\n",
				app.Quoted(l.File), p.Line, app.Quoted(p.Opcode), p.Count, p.Lacks)
		}
	}
	if l.Clustered > 0 && !t.clustered {
		t.clustered = true
		fmt.Fprintf(t.Warn, "%s:%d: note: thread blocks of a cluster are launched one by one, each where an SM has "+
			"room\n", app.Quoted(l.File), l.Clustered)
	}
}

func (t *Traces) Expect(error) []result.Expect { return nil }
func (t *Traces) Compiler() string             { return "" }
func (t *Traces) Modules() []string            { return nil }
func (t *Traces) Saves() []launch.Save         { return nil }
func (t *Traces) Save(string) error            { return nil }

// Replayer is a runner of recorded streams. sum is the digest of the streams' source.
type Replayer interface {
	ReplayTrace(r *gpus.Replay, sum []byte) error
}

// ReplayTrace runs a launch on the machine. The launch's fingerprint is the digest of the trace file.
func (h *Hashing) ReplayTrace(r *gpus.Replay, sum []byte) error {
	m, ok := h.Runner.(interface{ Replay(*gpus.Replay) error })
	if !ok {
		return errors.New("the machine runs no traces")
	}
	h.before(r.Kernel.Name)
	h.Bytes(sum)
	return m.Replay(r)
}
