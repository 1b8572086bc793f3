package views

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/result"
)

// launchResultsFlag writes the result of each launch at its end, whatever the number of launches. It keeps none.
type launchResultsFlag struct {
	File string
	out  *app.Pending
	w    *bufio.Writer
	json *json.Encoder
	err  error // the first
}

func (f *launchResultsFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.File, "launch-results", "",
		fmt.Sprintf("write the result of every launch to this file, one JSON document a line; the result itself has "+
			"the first %d launches, and sums of later ones", result.MostLaunches))
}

// Check refuses the file together with estimates, which are made when all launches are over.
func (f *launchResultsFlag) Check(sampled bool) error {
	if f.File != "" && sampled {
		return errors.New("--launch-results: found together with --sample, whose estimates follow the last launch")
	}
	return nil
}

// open creates the file, and has the machine write to it.
func (f *launchResultsFlag) open(opt *gpus.Options) error {
	if f.File == "" {
		return nil
	}
	var err error
	if f.out, err = app.CreatePending(f.File); err != nil {
		return fmt.Errorf("--launch-results: %w", err)
	}
	f.w = bufio.NewWriter(f.out)
	f.json = json.NewEncoder(f.w)
	f.json.SetEscapeHTML(false)
	others := opt.Launched
	opt.Launched = func(k *result.Kernel) {
		if others != nil {
			others(k)
		}
		if f.err == nil {
			f.err = f.json.Encode(k)
		}
	}
	return nil
}

// keep completes the file.
func (f *launchResultsFlag) keep() error {
	if f.out == nil {
		return nil
	}
	if f.err == nil {
		f.err = f.w.Flush()
	}
	if f.err != nil {
		f.drop()
		return fmt.Errorf("--launch-results: cannot write %s: %w", f.File, f.err)
	}
	return f.out.Keep()
}

// drop removes the file. After keep it does nothing.
func (f *launchResultsFlag) drop() {
	if f.out != nil {
		f.out.Drop()
	}
}
