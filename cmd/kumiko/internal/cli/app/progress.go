package app

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"kumiko/gpus"
)

// Progress is shown for runs longer than patience. It is updated every redraw on a terminal, and every lineEvery
// elsewhere.
const (
	Patience  = 1500 * time.Millisecond
	redraw    = 100 * time.Millisecond
	lineEvery = 10 * time.Second
)

// Reporter shows the progress of a run. It is used by one goroutine.
type Reporter struct {
	w        io.Writer
	terminal bool
	start    time.Time
	last     time.Time
	bar      *progressbar.ProgressBar
	kernel   string
	launches int
}

func NewReporter(w io.Writer) *Reporter {
	f, ok := w.(*os.File)
	return &Reporter{w: w, terminal: ok && IsTerminal(f), start: time.Now()}
}

func IsTerminal(f *os.File) bool {
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0
}

// Launched counts the launches, to name them.
func (r *Reporter) Launched(kernel string) {
	r.launches++
	r.kernel = fmt.Sprintf("%s (launch %d)", KernelName(kernel), r.launches)
	r.Clear()
}

// Report shows progress. The simulator may call it at any rate.
func (r *Reporter) Report(p gpus.Progress) {
	now := time.Now()
	if now.Sub(r.start) < Patience {
		return
	}
	if !r.terminal {
		if now.Sub(r.last) >= lineEvery {
			r.last = now
			if p.Executing {
				fmt.Fprintf(r.w, "%s: executing a CTA before its simulation, %.0f s\n", r.kernel,
					now.Sub(r.start).Seconds())
				return
			}
			fmt.Fprintf(r.w, "%s: cycle %d, %d of %d CTAs done, %.0f s\n", r.kernel, p.Cycle, p.Done, p.CTAs,
				now.Sub(r.start).Seconds())
		}
		return
	}
	if now.Sub(r.last) < redraw {
		return
	}
	r.last = now
	if r.bar == nil {
		r.bar = progressbar.NewOptions(p.CTAs, progressbar.OptionSetWriter(r.w),
			progressbar.OptionSetDescription(r.kernel),
			progressbar.OptionShowCount(), progressbar.OptionSetItsString("CTA"), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth())
	}
	if p.Executing {
		r.bar.Describe(r.kernel + ": executing a CTA before its simulation")
		return
	}
	r.bar.Describe(r.kernel)
	_ = r.bar.Set(p.Done) // errors of drawing do not matter
}

// Clear removes the bar from the terminal.
func (r *Reporter) Clear() {
	if r.bar != nil {
		_ = r.bar.Clear()
		r.bar = nil
	}
}
