package views

import (
	"bufio"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/components/wire/trace"
)

// simulation is the task kind from which Daisen takes the range of time on its pages.
const simulation = "Simulation"

// akitaTraceFlag writes the messages of one SM as tasks for Akita's Daisen.
type akitaTraceFlag struct {
	File   string
	out    *app.Pending
	rows   *taskRows
	tracer *windowTracer
	whole  tracing.Task // the task that spans the window; Daisen takes its range of time from it
	now    func() sim.VTimeInSec
}

func (f *akitaTraceFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.File, "akita-trace", "",
		"write the messages in --sm during --window to this file, as tasks in Akita's CSV format; slow")
}

// open attaches a tracer to the blocks of an SM for the window. Akita's tracers need a message with an identifier
// for each event, at the cost of simulation time.
func (f *akitaTraceFlag) open(m app.Machine, sm int, window string) error {
	if f.File == "" {
		return nil
	}
	from, to, err := parseWindow(window)
	if err != nil {
		return err
	}
	d, err := m.Domain(sm)
	if err != nil {
		return fmt.Errorf("--akita-trace: %w", err)
	}
	if f.out, err = app.CreatePending(f.File); err != nil {
		return fmt.Errorf("--akita-trace: %w", err)
	}
	f.rows = &taskRows{w: bufio.NewWriter(f.out)}
	fmt.Fprintln(f.rows.w, "ID, ParentID, Kind, What, Where, Start, End")
	clock := &trace.Clock{TimeTeller: m.Engine()}
	f.tracer = &windowTracer{DBTracer: tracing.NewDBTracer(clock, f.rows), clock: clock, open: map[string]bool{}}
	at := func(cycle uint64) sim.VTimeInSec { return sim.VTimeInSec(float64(cycle) / float64(d.Freq())) }
	f.tracer.SetTimeRange(at(from), at(to-1))
	f.tracer.last = at(to - 1)
	f.whole = tracing.Task{ID: "simulation", Kind: simulation, What: "window", Where: fmt.Sprintf("GPU.SM[%d]", sm),
		StartTime: at(from), EndTime: at(to)}
	f.now = m.Engine().CurrentTime
	var ends []func()
	m.Engine().Watch(d, from, to, func() {
		for _, c := range d.Components() {
			ends = append(ends, trace.Messages(c.(trace.Block), f.tracer, clock))
		}
	}, func() bool {
		if len(f.tracer.open) > 0 {
			return false
		}
		for _, end := range ends {
			end()
		}
		return true
	})
	return nil
}

// keep completes the trace. Tasks in flight end now.
func (f *akitaTraceFlag) keep() error {
	if f.tracer == nil {
		return nil
	}
	f.tracer.Terminate()
	f.whole.EndTime = max(f.whole.StartTime, min(f.whole.EndTime, f.now()))
	f.rows.Write(f.whole)
	f.rows.done = true // Akita terminates the tracer once more when the process ends
	if err := f.rows.w.Flush(); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.File, err)
	}
	return f.out.Keep()
}

func (f *akitaTraceFlag) drop() {
	if f.out != nil {
		f.rows.done = true
		f.out.Drop()
	}
}

// windowTracer records the tasks of the window. open holds the tasks begun in the window and not yet ended.
type windowTracer struct {
	*tracing.DBTracer
	clock *trace.Clock
	last  sim.VTimeInSec // in the window
	open  map[string]bool
}

// StartTask implements tracing.Tracer.
func (t *windowTracer) StartTask(k tracing.Task) {
	if t.clock.CurrentTime() <= t.last {
		t.open[k.ID] = true
	}
	t.DBTracer.StartTask(k)
}

// EndTask implements tracing.Tracer.
func (t *windowTracer) EndTask(k tracing.Task) {
	delete(t.open, k.ID)
	t.DBTracer.EndTask(k)
}

// taskRows writes tasks in the format of Akita's CSVTraceWriter. CSVTraceWriter itself would refuse to replace a
// file, and leave a partial file behind.
type taskRows struct {
	w    *bufio.Writer
	done bool
}

// Write implements tracing.TracerBackend.
func (t *taskRows) Write(k tracing.Task) {
	if !t.done {
		fmt.Fprintf(t.w, "%s, %s, %s, %s, %s, %.10f, %.10f\n", k.ID, k.ParentID, k.Kind, k.What, k.Where, k.StartTime,
			k.EndTime)
	}
}

// Flush implements tracing.TracerBackend.
func (t *taskRows) Flush() {}
