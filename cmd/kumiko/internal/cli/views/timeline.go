package views

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// timelineFlags are the flags for a drawing of the activity in one SM.
type timelineFlags struct {
	command *cobra.Command
	File    string
	Konata  string
	Profile string
	sampled int // --profile-interval
	window  string
	sm      int

	out []*app.Pending
	rec *timeline.Recorder
	log *timeline.Konata // nil: stages of instructions are not requested
	// counts is nil without a profile; counted is the file that it is written to.
	counts  *timeline.Profile
	counted io.Writer
}

// windowDefault limits a timeline requested without a window to a size suitable for browsers: some megabytes.
const windowDefault = "0:10000"

func (f *timelineFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.File, "timeline", "",
		"write a cycle-by-cycle JSON trace of one SM to this file, for ui.perfetto.dev or chrome://tracing")
	c.Flags().StringVar(&f.Konata, "konata", "",
		"write the stages of each warp instruction of one SM to this file, for the pipeline viewer Konata")
	c.Flags().StringVar(&f.Profile, "profile", "",
		"write to this file, by instruction of one SM, the cycles that operands waited for banks and the crossbar, "+
			"and which instructions held the banks; as JSON if the name ends in .json. The whole run, without --window")
	c.Flags().IntVar(&f.sampled, "profile-interval", 1,
		"with --profile: record the instructions issued in one of this many windows of cycles; 1: all")
	c.Flags().StringVar(&f.window, "window", windowDefault,
		"core cycles FROM:TO, without TO, that --timeline, --konata, --profile, --html and --akita-trace show, "+
			"counted from the start of the run; the page has a pipeline view with this or --sm alone")
	c.Flags().IntVar(&f.sm, "sm", 0, "SM that --timeline, --konata, --profile, --html and --akita-trace show")
}

// open begins the timeline, the log for Konata or both, if requested.
func (f *timelineFlags) open(opt *gpus.Options) error {
	flags := f.command.Flags()
	if err := f.checkInterval(); err != nil {
		return err
	}
	page := flags.Changed("html") && (flags.Changed("window") || flags.Changed("sm") && f.Profile == "")
	if f.File == "" && f.Konata == "" && f.Profile == "" && !page {
		for _, name := range []string{"window", "sm"} {
			if flags.Changed(name) && !flags.Changed("akita-trace") {
				return fmt.Errorf("--%s: expected together with --timeline, --konata, --profile, --html or "+
					"--akita-trace", name)
			}
		}
		return nil
	}
	from, to, err := parseWindow(f.window)
	if err != nil {
		return err
	}
	if f.File == "" && f.Konata == "" && !page && !flags.Changed("window") {
		to = math.MaxUint64 // a profile of the whole run
	}
	picture, err := f.create("timeline", f.File)
	if err != nil {
		return err
	}
	log, err := f.create("konata", f.Konata)
	if err == nil && f.Profile != "" {
		f.counted, err = f.create("profile", f.Profile)
	}
	if err != nil {
		f.drop()
		return err
	}
	if f.rec, err = timeline.New(picture, f.sm, from, to); err != nil {
		f.drop()
		return err
	}
	if f.Konata != "" || page {
		if log == nil {
			log = io.Discard
		}
		f.log = timeline.NewKonata(log)
		f.rec.Log(f.log)
	}
	if f.Profile != "" {
		f.counts = timeline.NewProfile(f.sampled)
		f.rec.Profile(f.counts)
	}
	opt.Timeline = f.rec
	return nil
}

// mostInterval bounds --profile-interval.
const mostInterval = 1_000_000

// checkInterval refuses intervals of no profile.
func (f *timelineFlags) checkInterval() error {
	switch {
	case f.sampled < 1 || f.sampled > mostInterval:
		return fmt.Errorf("--profile-interval %d: expected 1 to %d", f.sampled, mostInterval)
	case f.Profile == "" && f.command.Flags().Changed("profile-interval"):
		return errors.New("--profile-interval: found without --profile FILE, expected with it")
	}
	return nil
}

// create creates the file of a flag. Without a file the writer is nil.
func (f *timelineFlags) create(flag, file string) (io.Writer, error) {
	if file == "" {
		return nil, nil
	}
	if err := app.PlaceOf("--"+flag, file); err != nil {
		return nil, err
	}
	p, err := app.CreatePending(file)
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
		return fmt.Errorf("cannot write %s: %w", cmp.Or(f.File, f.Konata), err)
	}
	if f.counts != nil {
		report := f.rec.Report()
		r.Waits = report.Waits()
		if err := writeProfile(f.counted, f.Profile, report); err != nil {
			f.drop()
			return fmt.Errorf("cannot write %s: %w", f.Profile, err)
		}
	}
	for _, p := range f.out {
		err = errors.Join(err, p.Keep())
	}
	return err
}

// waits returns the profile for a page; nil: there is none.
func (f *timelineFlags) waits() *runpage.OperandWaits {
	if f.counts == nil {
		return nil
	}
	return operandWaits(f.rec.Report())
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
		p.Drop()
	}
}
