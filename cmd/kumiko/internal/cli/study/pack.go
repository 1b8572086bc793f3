package study

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study/query"
	"kumiko/study/record"
)

func studyPack(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "pack STUDY -o FILE" + record.PackSuffix,
		Short: "Write the records of a study into one compact file",
		Long: `Write the records of a study into one compact file, a pack. The commands that read records take a pack as --dir. So
whoever has the pack sees the figures and tables without running a point.

A pack leaves out what no expression of the study reads: other statistics, the counters of single SMs,
and those of perturbed runs. Its records are found by the names of study, variant and program alone:
those of another version of the simulator count too, and are noted.`,
		Example: `  kumiko study pack quick -o quick.jsonl.zst
  kumiko study report quick --dir quick.jsonl.zst -o quick.html`,
		Args: app.Exactly("STUDY"),
	}
	var f studyFlags
	f.add(c)
	out := c.Flags().StringP("output", "o", "", "write the pack to this file")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if !strings.HasSuffix(*out, record.PackSuffix) {
			return fmt.Errorf("-o %q: expected a name that ends in %s", *out, record.PackSuffix)
		}
		o := &app.Outputs{}
		o.Reads(args[0], "the study")
		o.File(*out, "-o "+*out)
		if err := errors.Join(o.Check(), app.Place(*out)); err != nil {
			return fmt.Errorf("-o %s: %w", *out, err)
		}
		spec, records, err := f.collect(a, args[0])
		if err != nil {
			return err
		}
		read := query.Reads(spec)
		if a.Evidence != nil {
			if read, err = a.Evidence.Reads(spec); err != nil {
				return err
			}
		}
		return app.WriteFile(
			*out,
			func(w io.Writer) error { return record.WritePack(w, spec.Name, records, spec.NamesKernel, read) },
		)
	}
	return c
}
