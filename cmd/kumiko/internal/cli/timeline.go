package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// timelineFlags are the flags for a drawing of the activity in one SM.
type timelineFlags struct {
	command *cobra.Command
	file    string
	konata  string
	window  string
	sm      int

	out []*pending
	rec *timeline.Recorder
	log *timeline.Konata // nil: stages of instructions are not requested
}

// windowDefault limits a timeline requested without a window to a size suitable for browsers: some megabytes.
const windowDefault = "0:10000"

func (f *timelineFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.file, "timeline", "",
		"write a cycle-by-cycle JSON trace of one SM to this file, for ui.perfetto.dev or chrome://tracing")
	c.Flags().StringVar(&f.konata, "konata", "",
		"write the stages of each warp instruction of one SM to this file, for the pipeline viewer Konata")
	c.Flags().StringVar(&f.window, "window", windowDefault,
		"core cycles FROM:TO, without TO, that --timeline, --konata, --html and --akita-trace show, counted from the "+
			"start of the run; the page has a pipeline view with this or --sm alone")
	c.Flags().IntVar(&f.sm, "sm", 0, "SM that --timeline, --konata, --html and --akita-trace show")
}

// open begins the timeline, the log for Konata or both, if requested.
func (f *timelineFlags) open(opt *gpus.Options) error {
	flags := f.command.Flags()
	page := flags.Changed("html") && (flags.Changed("window") || flags.Changed("sm"))
	if f.file == "" && f.konata == "" && !page {
		for _, name := range []string{"window", "sm"} {
			if flags.Changed(name) && !flags.Changed("akita-trace") {
				return fmt.Errorf("--%s: expected together with --timeline, --konata, --html or --akita-trace", name)
			}
		}
		return nil
	}
	from, to, err := parseWindow(f.window)
	if err != nil {
		return err
	}
	picture, err := f.create("timeline", f.file)
	if err != nil {
		return err
	}
	log, err := f.create("konata", f.konata)
	if err != nil {
		f.drop()
		return err
	}
	if f.rec, err = timeline.New(picture, f.sm, from, to); err != nil {
		f.drop()
		return err
	}
	if f.konata != "" || page {
		f.log = timeline.NewKonata(log)
		f.rec.Log(f.log)
	}
	opt.Timeline = f.rec
	return nil
}

// create creates the file of a flag. Without a file name the output is discarded.
func (f *timelineFlags) create(flag, file string) (io.Writer, error) {
	if file == "" {
		return io.Discard, nil
	}
	if err := place(file); err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, file, err)
	}
	p, err := createPending(file)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	f.out = append(f.out, p)
	return p, nil
}

func parseWindow(s string) (from, to uint64, err error) {
	a, b, ok := strings.Cut(s, ":")
	from, ferr := strconv.ParseUint(a, 10, 63)
	to, terr := strconv.ParseUint(b, 10, 63)
	if !ok || ferr != nil || terr != nil || from >= to {
		return 0, 0, fmt.Errorf("--window %s: expected FROM:TO, two cycles, the first below the second", s)
	}
	return from, to, nil
}

// keep completes the timeline of a run.
func (f *timelineFlags) keep(r *result.Result) error {
	if f.rec == nil {
		return nil
	}
	err := f.rec.Close(map[string]string{
		"version": r.Version, "gpu": r.GPU, "design": r.Design, "program": r.Program, "config_hash": r.ConfigHash,
		"program_hash": r.ProgramHash, "complete": strconv.FormatBool(r.Complete),
	})
	if err != nil {
		f.drop()
		return fmt.Errorf("cannot write %s: %w", cmp.Or(f.file, f.konata), err)
	}
	for _, p := range f.out {
		err = errors.Join(err, p.keep())
	}
	return err
}

// pipeline returns the window for a page; nil: none.
func (f *timelineFlags) pipeline() *runpage.Pipeline {
	if f.log == nil {
		return nil
	}
	from, to := f.rec.Window()
	p := &runpage.Pipeline{SM: f.sm, From: from, To: to, Stages: timeline.Stages}
	for _, in := range f.log.Instructions(to) {
		p.Spans = append(p.Spans, runpage.Span{Warp: in.Warp, Text: in.Text, Begin: in.Begin, End: in.End,
			Bank: in.Bank, Crossbar: in.Crossbar})
	}
	for _, wait := range f.log.Waits() {
		p.Waits = append(p.Waits, runpage.Wait(wait))
	}
	return p
}

// drop removes the files that have not been kept.
func (f *timelineFlags) drop() {
	for _, p := range f.out {
		p.drop()
	}
}
