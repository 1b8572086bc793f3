package study

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
	"kumiko/study/report"
)

func studyReport(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "report STUDY -o FILE.html",
		Short: "Write the report of a study as a page, or its figures as SVG files",
		Long: `Write the report of a study as a self-contained page: figures with the paper's numbers beside ours, issue slots, tables,
storage, the configuration and the provenance.

The report names points that have not been run, and figures and tables that cannot be drawn. If there is one that cannot
be drawn, the exit status is 1.`,
		Example: `  kumiko study report quick -o quick.html
  kumiko study report quick --svg figures`, Args: app.Exactly("STUDY")}
	var f studyFlags
	f.add(c)
	out := c.Flags().StringP("output", "o", "", "write the page to this file")
	dir := c.Flags().String("svg", "", "write every figure as SVG into this folder")
	c.RunE = func(_ *cobra.Command, args []string) error { return writeReport(a, &f, args[0], *out, *dir) }
	return c
}

// writeReport writes the report of a study as a page, and its figures into a folder; empty: not.
func writeReport(a *app.App, f *studyFlags, study, page, dir string) error {
	if page == "" && dir == "" {
		return errors.New("neither -o FILE.html nor --svg FOLDER is given; expected at least one of them")
	}
	if dir != "" && a.Drawer == nil {
		return errors.New("--svg: this program draws no files; expected -o FILE.html, whose figures a browser " +
			"draws and saves, or a program with extras.SVG, as make build makes it")
	}
	if err := app.PlaceOf("-o", page); err != nil {
		return err
	}
	r, err := reportOf(a, f, study)
	if err != nil {
		return err
	}
	if err := reportOutputs(r, study, page, dir).Check(); err != nil {
		return err
	}
	if a.Drawer != nil {
		d, err := a.Drawer()
		if err != nil {
			return err
		}
		r.Draw(d)
	}
	if dir != "" {
		if err := writeAll(r, dir); err != nil {
			return err
		}
	}
	if page != "" {
		if err := app.WriteFile(page, func(w io.Writer) error { return r.Page().Write(w) }); err != nil {
			return err
		}
	}
	if problems := r.Problems(); len(problems) > 0 {
		return app.WithStatus(
			app.CheckFailed,
			strings.Join(problems, "\n")+"\nthe report is written without them",
		)
	}
	return nil
}

// reportOutputs returns the files of a report.
func reportOutputs(r *report.Report, study, page, dir string) *app.Outputs {
	o := &app.Outputs{}
	o.Reads(study, "the study")
	o.File(page, "-o "+page)
	if dir != "" {
		o.Folder(dir, "--svg "+dir)
		for _, f := range r.Figures {
			o.File(filepath.Join(dir, f.ID+".svg"), "the figure "+f.ID+" of --svg "+dir)
		}
	}
	return o
}

// reportOf returns the report of a study, made from its records.
func reportOf(a *app.App, f *studyFlags, name string) (*report.Report, error) {
	ch, err := f.chooseExisting(a, name)
	if err != nil {
		return nil, err
	}
	records, census, err := ch.spec.Collect(ch.store, ch.points, a.Version)
	if err != nil {
		return nil, err
	}
	in := &report.Input{
		Data:     study.NewData(ch.spec, records),
		Census:   census,
		Version:  a.Version,
		Evidence: a.Evidence,
	}
	if in.First, in.Last, err = recorded(ch.store.Dir()); err != nil {
		return nil, err
	}
	return report.New(in)
}

// recorded returns the times of the oldest and of the newest record in a folder, or that of a pack.
func recorded(dir string) (first, last time.Time, err error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return info.ModTime(), info.ModTime(), nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return first, last, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil &&
			(!info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ".json")) {
			continue
		}
		if err != nil {
			return first, last, err
		}
		t := info.ModTime()
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	return first, last, nil
}

// writeAll writes the figures into a folder.
func writeAll(r *report.Report, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	return r.SVG(func(name string, data []byte) error {
		return app.WriteFile(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	})
}

// studyTable prints the results of a study, including points not selected by --only: the baseline of a selected
// variant may be one of them.
func studyTable(a *app.App, ch *chosen) error {
	records, census, err := ch.spec.Collect(ch.store, ch.spec.Points(ch.spec.Perturb), a.Version)
	if err != nil {
		return err
	}
	d := study.NewData(ch.spec, records)
	if !report.Present(d) {
		return nil
	}
	fmt.Fprintln(a.Text())
	if err := report.Terminal(a.Text(), d); err != nil {
		return err
	}
	return noteOthers(a.Text(), census.Others())
}

// noteOthers notes, beside displayed numbers, that some of them come from another version of the simulator.
func noteOthers(w io.Writer, others string) error {
	if others == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "note: %s\n", others)
	return err
}
