package views

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
)

// Flags are further outputs of a run besides its result, which they leave as it is, except that a profile adds its
// operand waits.
type Flags struct {
	Timeline timelineFlags
	Akita    akitaTraceFlag
	monitor  monitorFlag
	HTML     htmlFlag
	Launches launchResultsFlag
}

func (v *Flags) Add(c *cobra.Command) {
	v.Timeline.add(c)
	v.Akita.add(c)
	v.monitor.add(c)
	v.HTML.add(c)
	v.Launches.add(c)
}

// Prepare checks, before anything runs, that the outputs can be written.
func (v *Flags) Prepare() error {
	return errors.Join(app.PlaceOf("--html", v.HTML.File), app.PlaceOf("--akita-trace", v.Akita.File),
		app.PlaceOf("--launch-results", v.Launches.File))
}

// Open creates the views needed before the machine is built.
func (v *Flags) Open(opt *gpus.Options) error {
	if err := v.Timeline.open(opt); err != nil {
		return err
	}
	if err := v.Launches.open(opt); err != nil {
		return err
	}
	return v.monitor.open(opt)
}

// Attach attaches the views to the machine.
func (v *Flags) Attach(ctx context.Context, m app.Machine, notes io.Writer) error {
	if err := v.Akita.open(m, v.Timeline.sm, v.Timeline.window); err != nil {
		return err
	}
	return v.monitor.serve(ctx, m, notes)
}

// Keep completes the outputs of a run.
func (v *Flags) Keep(r *result.Result, cfg *config.Config, m app.Machine) error {
	return errors.Join(v.Timeline.keep(r), v.Akita.keep(), v.Launches.keep(),
		v.HTML.write(r, cfg, m, v.Timeline.pipeline(),
			v.Timeline.waits()))
}

// Close ends the views. It removes files not completed by keep.
func (v *Flags) Close() {
	v.Timeline.drop()
	v.Akita.drop()
	v.Launches.drop()
	v.monitor.close()
}
