package views

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/monitor"
	"kumiko/gpus"
	"kumiko/kernel/launch"
)

// monitorFlag is the flag for a server that shows the simulation while it runs.
type monitorFlag struct {
	address string
	server  *monitor.Monitor
}

func (f *monitorFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.address, "monitor", "",
		"serve Akita's monitor page at HOST:PORT during the run; without HOST, on the loopback interface")
}

// open binds the server, and makes the simulation report its progress to it.
func (f *monitorFlag) open(opt *gpus.Options) error {
	if f.address == "" {
		return nil
	}
	s, err := monitor.Listen(f.address)
	if err != nil {
		return fmt.Errorf("--monitor: %w", err)
	}
	f.server = s
	opt.Guard = s.Locker()
	before := opt.Progress
	opt.Progress = func(p gpus.Progress) {
		s.Progress(launch.Shown(p.Kernel), p.Done, p.CTAs)
		if before != nil {
			before(p)
		}
	}
	return nil
}

// serve shows a machine until the context is cancelled or close is called.
func (f *monitorFlag) serve(ctx context.Context, m app.Machine, w io.Writer) error {
	if f.server == nil {
		return nil
	}
	f.server.Serve(m.Engine(), func(err error) {
		fmt.Fprintf(w, "note: the monitor has ended, and the simulation goes on: %v\n", err)
	})
	context.AfterFunc(ctx, f.server.Close) // an interrupt also ends a pause
	fmt.Fprintf(w, "monitor: %s\n", f.server.URL())
	if !f.server.Loopback() {
		fmt.Fprintln(w, "note: the monitor asks nobody for a password; whoever reaches this address can read and "+
			"pause the simulation")
	}
	return nil
}

func (f *monitorFlag) close() {
	if f.server != nil {
		f.server.Close()
	}
}
