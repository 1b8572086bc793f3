package cli

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

// views are further outputs of a run besides its result. Views do not change the result.
type views struct {
	timeline timelineFlags
	akita    akitaTraceFlag
	monitor  monitorFlag
	html     htmlFlag
	launches launchResultsFlag
}

func (v *views) add(c *cobra.Command) {
	v.timeline.add(c)
	v.akita.add(c)
	v.monitor.add(c)
	v.html.add(c)
	v.launches.add(c)
}

// prepare checks, before anything runs, that the outputs can be written.
func (v *views) prepare() error {
	return errors.Join(v.html.prepare(), v.akita.prepare(), v.launches.prepare())
}

// open creates the views needed before the machine is built.
func (v *views) open(opt *gpus.Options) error {
	if err := v.timeline.open(opt); err != nil {
		return err
	}
	if err := v.launches.open(opt); err != nil {
		return err
	}
	return v.monitor.open(opt)
}

// attach attaches the views to the machine.
func (v *views) attach(ctx context.Context, m app.Machine, notes io.Writer) error {
	if err := v.akita.open(m, v.timeline.sm, v.timeline.window); err != nil {
		return err
	}
	return v.monitor.serve(ctx, m, notes)
}

// keep completes the outputs of a run.
func (v *views) keep(r *result.Result, cfg *config.Config, m app.Machine) error {
	return errors.Join(v.timeline.keep(r), v.akita.keep(), v.launches.keep(),
		v.html.write(r, cfg, m, v.timeline.pipeline(),
			v.timeline.waits()))
}

// close ends the views. It removes files not completed by keep.
func (v *views) close() {
	v.timeline.drop()
	v.akita.drop()
	v.launches.drop()
	v.monitor.close()
}
