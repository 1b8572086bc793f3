package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/cudart"
	"kumiko/gpus/config"
	"kumiko/kernel/recording"
)

// CaptureCommand returns the command that records an application.
func CaptureCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "capture -o FILE.kumiko -- APPLICATION [ARGUMENTS]",
		Short: "Record a CUDA application, to run it without its host part",
		Long: `Run a CUDA application, compiled by kumiko nvcc, on an emulated GPU, and record its kernels, its launches and the
data of its copies. kumiko run FILE.kumiko repeats the launches on any GPU and design, without the application, its input
and a compiler, and compares the memory after each launch with the recording.

Exit status: that of the application, or 2 where it could not be recorded.`,
		Example: `  kumiko capture -o bfs.kumiko -- ./bfs graph.txt
  kumiko run bfs.kumiko --gpu fermi --design rfc`,
		Args: app.AtLeast("APPLICATION"),
	}
	var file string
	c.Flags().StringVarP(&file, "output", "o", "", "write the recording to this file, whose name ends in .kumiko")
	c.RunE = func(c *cobra.Command, args []string) error {
		if !recording.Is(file) || filepath.Base(file) == recording.Suffix {
			return fmt.Errorf("--output %q: expected the name of a file ending in %s", file, recording.Suffix)
		}
		if err := app.PlaceOf("--output", file); err != nil {
			return err
		}
		ctx := a.Heed(c)
		return programs.InTemporary(ctx, func(dir string) error { return capture(ctx, a, args, file, dir) })
	}
	return c
}

// capture runs an application and records it.
func capture(ctx context.Context, a *app.App, args []string, file, dir string) error {
	cfg, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		return err
	}
	var end cudart.Ended
	err = app.WriteFile(file, func(w io.Writer) (err error) {
		g := cudart.Emulated(cfg)
		if g.Record, err = recording.NewWriter(w); err != nil {
			return err
		}
		it := cudart.Application{Args: args, Stdin: os.Stdin, Stdout: app.Plain(a.Stdout), Stderr: a.Stderr,
			Cancel: func() {}}
		end, err = it.Run(ctx, g, dir)
		if err == nil && end.Launches == 0 {
			err = errors.New("the application has launched no kernel: expected one compiled by kumiko nvcc")
		}
		return errors.Join(err, g.Record.Close())
	})
	if err != nil || end.Status == 0 {
		return err
	}
	return app.WithStatus(end.Status, "the application "+end.Text+"; the recording is complete up to there")
}
