package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
)

// views are the ways to look at a run other than its result. None of them
// changes it.
type views struct {
	timeline timelineFlags
	akita    akitaTraceFlag
	monitor  monitorFlag
	html     htmlFlag
}

func (v *views) add(c *cobra.Command) {
	v.timeline.add(c)
	v.akita.add(c)
	v.monitor.add(c)
	v.html.add(c)
}

// prepare checks, before anything runs, that the outputs can be written.
func (v *views) prepare() error { return errors.Join(v.html.prepare(), v.akita.prepare()) }

// open begins what must be there before the machine is.
func (v *views) open(opt *gpus.Options) error {
	if err := v.timeline.open(opt); err != nil {
		return err
	}
	return v.monitor.open(opt)
}

// attach shows them the machine.
func (v *views) attach(ctx context.Context, m Machine, notes io.Writer) error {
	if err := v.akita.open(m, v.timeline.sm, v.timeline.window); err != nil {
		return err
	}
	return v.monitor.serve(ctx, m, notes)
}

// keep completes what is written of a run.
func (v *views) keep(r *result.Result, cfg *config.Config, m Machine) error {
	return errors.Join(v.timeline.keep(r), v.akita.keep(), v.html.write(r, cfg, m, v.timeline.pipeline(), v.timeline.waits()))
}

// close ends them; what keep has not completed is removed.
func (v *views) close() {
	v.timeline.drop()
	v.akita.drop()
	v.monitor.close()
}
