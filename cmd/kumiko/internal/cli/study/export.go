package study

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
	"kumiko/study/record"
)

func studyExport(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "export STUDY",
		Short: "Export the results of a study as a table",
		Long: `Export the results of a study as a table for other programs. Each point that has a record is a row. The columns are
the point, its scalar results and every statistic.`,
		Example: `  kumiko study export quick -o quick.csv
  kumiko study export quick --format jsonl
  kumiko study export quick --format parquet -o quick.parquet`,
		Args: app.Exactly("STUDY"),
	}
	var f studyFlags
	f.add(c)
	out := c.Flags().StringP("output", "o", "-", "write the table to this file; -: to standard output")
	formats := []string{"csv", "jsonl"}
	if a.Parquet != nil {
		formats = append(formats, "parquet")
	}
	kind := app.FormatFlag(c, formats...)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o := &app.Outputs{}
		o.Reads(args[0], "the study")
		if *out != "-" {
			o.File(*out, "-o "+*out)
		}
		if err := o.Check(); err != nil {
			return err
		}
		_, records, err := f.collect(a, args[0])
		if err != nil {
			return err
		}
		write := func(w io.Writer) error {
			switch *kind {
			case "csv":
				return record.WriteCSV(w, records)
			case "parquet":
				return a.Parquet(w, records)
			}
			return record.WriteJSONLines(w, records)
		}
		if *out == "-" {
			return write(a.Stdout)
		}
		if err := app.PlaceOf("-o", *out); err != nil {
			return err
		}
		return app.WriteFile(*out, write)
	}
	return c
}

// collect returns a study and its records. It notes how many points are missing, failed, or come from another version.
func (f *studyFlags) collect(a *app.App, name string) (*study.Spec, []*record.Record, error) {
	ch, err := f.chooseExisting(a, name)
	if err != nil {
		return nil, nil, err
	}
	records, census, err := ch.spec.Collect(ch.store, ch.points, a.Version)
	if err != nil {
		return nil, nil, err
	}
	w := a.Notes()
	if n := len(census.Missing); n > 0 {
		fmt.Fprintf(w, "note: %d of %d points are missing\n", n, census.Points)
	}
	if n := len(census.Failed); n > 0 {
		fmt.Fprintf(w, "note: %d of %d points failed or were refused; see kumiko study status\n", n,
			census.Points)
	}
	if others := census.Others(); others != "" {
		fmt.Fprintf(w, "note: %s\n", others)
	}
	return ch.spec, records, nil
}
