package cli

import (
	"bufio"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"
	"github.com/spf13/cobra"

	"kumiko/components/wire/trace"
)

// simulation is the kind of the task from which Daisen takes the range of time
// that its pages show.
const simulation = "Simulation"

// akitaTraceFlag asks for the messages of one SM as tasks for Akita's Daisen.
type akitaTraceFlag struct {
	file   string
	out    *pending
	rows   *taskRows
	tracer *tracing.DBTracer
	whole  tracing.Task // the window
	now    func() sim.VTimeInSec
}

func (f *akitaTraceFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "akita-trace", "",
		"write the messages in --sm during --window to this file, as tasks in Akita's CSV format; slow")
}

func (f *akitaTraceFlag) prepare() error {
	if f.file == "" {
		return nil
	}
	if err := place(f.file); err != nil {
		return fmt.Errorf("--akita-trace %s: %w", f.file, err)
	}
	return nil
}

// open attaches a tracer to the blocks of an SM. What Akita's tracers are told
// costs a message with an identifier each, for the whole run.
func (f *akitaTraceFlag) open(m Machine, sm int, window string) error {
	if f.file == "" {
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
	if f.out, err = createPending(f.file); err != nil {
		return fmt.Errorf("--akita-trace: %w", err)
	}
	f.rows = &taskRows{w: bufio.NewWriter(f.out)}
	fmt.Fprintln(f.rows.w, "ID, ParentID, Kind, What, Where, Start, End")
	f.tracer = tracing.NewDBTracer(m.Engine(), f.rows)
	at := func(cycle uint64) sim.VTimeInSec { return sim.VTimeInSec(float64(cycle) / float64(d.Freq())) }
	f.tracer.SetTimeRange(at(from), at(to-1))
	f.whole = tracing.Task{ID: "simulation", Kind: simulation, What: "window", Where: fmt.Sprintf("GPU.SM[%d]", sm),
		StartTime: at(from), EndTime: at(to)}
	f.now = m.Engine().CurrentTime
	for _, c := range d.Components() {
		trace.Messages(c.(trace.Block), f.tracer)
	}
	return nil
}

// keep ends the trace: what is under way ends now.
func (f *akitaTraceFlag) keep() error {
	if f.tracer == nil {
		return nil
	}
	f.tracer.Terminate()
	f.whole.EndTime = max(f.whole.StartTime, min(f.whole.EndTime, f.now()))
	f.rows.Write(f.whole)
	f.rows.done = true // Akita terminates the tracer once more when the process ends
	if err := f.rows.w.Flush(); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.file, err)
	}
	return f.out.keep()
}

func (f *akitaTraceFlag) drop() {
	if f.out != nil {
		f.rows.done = true
		f.out.drop()
	}
}

// taskRows writes tasks as Akita's CSVTraceWriter does, which would refuse to
// replace a file and leave half of one behind.
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
