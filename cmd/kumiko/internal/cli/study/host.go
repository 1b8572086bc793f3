package study

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
	"kumiko/study/record"
)

// Host is what the program gives a command of another package (Extras.Study): the flags that select records, the
// records, and where to write.
type Host struct {
	app   *app.App
	flags recordFlags
	show  *readProgress
}

// AddFlags gives the command the flags that select records.
func (h *Host) AddFlags(c *cobra.Command) { h.flags.add(c) }

// Format gives the command the flag --format with these names, the first of which is the default.
func (h *Host) Format(c *cobra.Command, names ...string) *string {
	return app.FormatFlag(c, names...)
}

// CheckFlags refuses values that no study takes.
func (h *Host) CheckFlags() error { return h.flags.check() }

// GivenFlag returns the first of the flags that the user has set, or "".
func (h *Host) GivenFlag() string { return h.flags.given() }

// Stage shows on a terminal that one of several steps begins, if the command takes long.
func (h *Host) Stage(step string, done, total int) {
	h.show = newReadProgress(h.app)
	h.show.stage(step, done, total)
}

// EndStage takes the last stage from the terminal.
func (h *Host) EndStage() { h.show.end() }

// Text returns standard output for text, without signs that a terminal would obey.
func (h *Host) Text() io.Writer { return h.app.Text() }

// Notes returns standard error for text.
func (h *Host) Notes() io.Writer { return h.app.Notes() }

// WriteJSON writes a value to standard output.
func (h *Host) WriteJSON(v any) error { return app.WriteJSON(h.app.Stdout, v) }

// Records returns the records of a study that the flags select. A study that nobody has run has none.
func (h *Host) Records(s *study.Spec) (*study.Data, *study.Census, error) {
	a, flags := h.app, &h.flags
	dir, err := flags.apply(s)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if flags.dir != "" {
			return nil, nil, fmt.Errorf("--dir %s: %w", dir, errors.Unwrap(err))
		}
		return study.NewData(
			s,
			nil,
		), &study.Census{}, nil // and no program need be begun for the names of its records
	}
	store, err := record.OpenReadOnly(dir)
	if err != nil {
		return nil, nil, err
	}
	newReadProgress(a).observe(store, a.Notes())
	records, census, err := s.Collect(store, s.Points(s.Perturb), a.Version)
	if err != nil {
		return nil, nil, err
	}
	return study.NewData(s, records), census, nil
}
