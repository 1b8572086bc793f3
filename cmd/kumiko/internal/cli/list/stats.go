package list

import (
	"io"
	"kumiko/cmd/kumiko/internal/cli/app"

	"github.com/spf13/cobra"
)

func listStats(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "stats",
		Short: "List the statistics of all GPUs and designs, or of one machine",
		Long: `List the statistics of all GPUs and designs: name, unit and what is counted. Behind them stand the keys and terms of a
result that are derived from statistics, with their formulas.

With --gpu, --design or --set the list has the statistics of that machine alone.

PART selects the rows that have it in their names, such as regfile or ipc.

--format json also has the block of each row; derived rows have "derived": true, and their formula as the description.
--format markdown writes the rows as tables, a section for each block.`,
		Example: `  kumiko list stats regfile.bank
  kumiko list stats ipc
  kumiko list stats --gpu fermi --design rfc
  kumiko list stats --format markdown > statistics.md`}
	part := namePart(c)
	r := app.GPUFlags(c)
	f := app.FormatFlag(c, "text", "json", "markdown")
	c.RunE = func(*cobra.Command, []string) error {
		list := func() ([]app.Stat, error) { return glossaryRows(a) }
		if c.Flags().Changed("gpu") || c.Flags().Changed("set") || c.Flags().Changed("design") {
			list = func() ([]app.Stat, error) { return a.StatsOf(*r) }
		}
		rows, err := list()
		if err != nil {
			return err
		}
		if rows, err = withPart(rows, func(s app.Stat) string { return s.Name }, *part, "statistic"); err != nil {
			return err
		}
		switch *f {
		case "json":
			return app.WriteJSON(a.Stdout, rows)
		case "markdown":
			return glossary(a.Stdout, rows)
		}
		return statLines(a.Text(), rows)
	}
	return c
}

// statLines prints a line for each statistic, and derived rows behind them.
func statLines(w io.Writer, rows []app.Stat) error {
	t := app.NewTable(w)
	counted := 0
	for _, r := range rows {
		if !r.Derived {
			t.Row(r.Name, r.Unit, r.Description)
			counted++
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	derivedLines(w, rows[counted:], counted > 0)
	return nil
}

// glossaryRows returns the statistics, and the derived rows behind them.
func glossaryRows(a *app.App) ([]app.Stat, error) {
	rows, err := a.AllStats()
	if err != nil {
		return nil, err
	}
	derived, err := derivedRows()
	return append(rows, derived...), err
}
