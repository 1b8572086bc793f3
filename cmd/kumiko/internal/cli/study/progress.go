package study

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study/pool"
	"kumiko/study/record"
)

// studyProgress shows the progress of a study: a bar on a terminal, and a line for each point elsewhere. It is used
// by one goroutine at a time.
type studyProgress struct {
	w        io.Writer // of the bar
	text     io.Writer
	terminal bool
	bar      *progressbar.ProgressBar
	counted  int
}

func newStudyProgress(w io.Writer) *studyProgress {
	f, ok := w.(*os.File)
	return &studyProgress{w: w, text: app.NewPrinter(w), terminal: ok && app.IsTerminal(f)}
}

// report shows a finished point.
func (s *studyProgress) report(e pool.Event) {
	if !s.terminal {
		fmt.Fprintf(s.text, "[%d/%d] %s%s\n", e.Done, e.Total, studyPoint(&e), remaining(&e))
		return
	}
	s.open(int64(max(e.BudgetTotal, 1)))
	if e.Record.Failed != "" {
		_ = s.bar.Clear() // errors of drawing do not matter
		fmt.Fprintf(s.text, "%s\n", studyPoint(&e))
	}
	s.bar.Describe(fmt.Sprintf("%d/%d%s", e.Done, e.Total, remaining(&e)))
	_ = s.bar.Set64(int64(e.BudgetDone))
}

func (s *studyProgress) open(most int64) {
	if s.bar == nil {
		s.bar = progressbar.NewOptions64(most, progressbar.OptionSetWriter(s.w), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionFullWidth())
	}
}

// count shows the number of finished points. The waiting code may call it at any rate.
func (s *studyProgress) count(done, total int) {
	switch {
	case s.terminal && total > 0:
		s.open(int64(total))
		s.bar.Describe(fmt.Sprintf("%d/%d", done, total))
		_ = s.bar.Set(done) // errors of drawing do not matter
	case done > s.counted:
		fmt.Fprintf(s.text, "[%d/%d]\n", done, total)
	}
	s.counted = done
}

// note prints a note.
func (s *studyProgress) note(text string) {
	s.clear()
	fmt.Fprintln(s.text, text)
}

// clear removes the bar from the terminal.
func (s *studyProgress) clear() {
	if s.bar != nil {
		_ = s.bar.Clear()
	}
}

// readProgress shows the progress of reading records on a terminal, once the command has run for longer than
// patience.
type readProgress struct {
	show  *studyProgress
	begun time.Time // of the command
}

func newReadProgress(a *app.App) *readProgress {
	return &readProgress{show: newStudyProgress(a.Stderr), begun: a.Begun}
}

// stage shows a step of the command.
func (r *readProgress) stage(step string, done, total int) {
	if r.show.terminal && time.Since(r.begun) >= app.Patience {
		r.show.count(done, total)
		r.show.bar.Describe(step)
	}
}

// end removes the bar.
func (r *readProgress) end() {
	r.show.clear()
	r.show.bar = nil
}

// observe makes a store report its progress and its notes.
func (r *readProgress) observe(store *record.Store, notes io.Writer) {
	store.Progress = r.report
	store.Note = func(text string) {
		r.show.clear()
		fmt.Fprintln(notes, "note:", text)
	}
}

// report shows the number of points looked up.
func (r *readProgress) report(done, total int) {
	switch {
	case done == total:
		r.end()
	case r.show.terminal && time.Since(r.begun) >= app.Patience:
		r.show.count(done, total)
	}
}

func studyPoint(e *pool.Event) string {
	r := e.Record
	switch {
	case r.Refused():
		return fmt.Sprintf("%s: %s", &r.Point, r.Failed)
	case r.Failed != "":
		return fmt.Sprintf("%s: FAILED: %s", &r.Point, r.Failed)
	case r.Result == nil:
		return fmt.Sprintf("%s: measured (%.1f s)", &r.Point, r.Seconds)
	case r.Split != nil && len(r.Split.Parts) == 0:
		return fmt.Sprintf("%s: no launches are left for it", &r.Point)
	case e.Same:
		return fmt.Sprintf("%s: %d cycles, IPC %.2f (a configuration that was done)", &r.Point, r.Result.Total.Cycles,
			r.Result.Total.IPC)
	}
	return fmt.Sprintf("%s: %d cycles, IPC %.2f (%.1f s)", &r.Point, r.Result.Total.Cycles, r.Result.Total.IPC,
		r.Seconds)
}

// remaining returns the estimated remaining time as text.
func remaining(e *pool.Event) string {
	if e.Done == e.Total {
		return ""
	}
	if e.Left < 2*time.Minute {
		return fmt.Sprintf("; about %d s left", int(e.Left.Seconds())+1)
	}
	return fmt.Sprintf("; about %d min left", int(e.Left.Minutes()+0.5))
}
