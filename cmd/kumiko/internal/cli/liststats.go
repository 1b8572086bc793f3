package cli

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/config"
)

// statRow is a statistic, or a key or term of a result that has a formula.
type statRow struct {
	Name        string `json:"name"`
	Unit        string `json:"unit"`
	Description string `json:"description"` // of a derived row: the formula
	Block       string `json:"block"`       // what counts it, or the subject of a derived row
	Derived     bool   `json:"derived,omitempty"`
}

// newStat returns the row of a statistic. Its block is the beginning of its name: mem.l1 of mem.l1.hits.load.
func newStat(name, unit, description string) statRow {
	parts := strings.Split(name, ".")
	return statRow{Name: name, Unit: unit, Description: description,
		Block: strings.Join(parts[:min(2, len(parts)-1)], ".")}
}

func (a *App) listStats() *cobra.Command {
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
	r := gpuFlags(c)
	f := format(c, "text", "json", "markdown")
	c.RunE = func(*cobra.Command, []string) error {
		list := a.glossaryRows
		if c.Flags().Changed("gpu") || c.Flags().Changed("set") || c.Flags().Changed("design") {
			list = func() ([]statRow, error) { return a.statsOf(*r) }
		}
		rows, err := list()
		if err != nil {
			return err
		}
		if rows, err = withPart(rows, func(s statRow) string { return s.Name }, *part, "statistic"); err != nil {
			return err
		}
		switch *f {
		case "json":
			return writeJSON(a.Stdout, rows)
		case "markdown":
			return glossary(a.Stdout, rows)
		}
		return statLines(a.text(), rows)
	}
	return c
}

// statLines prints a line for each statistic, and derived rows behind them.
func statLines(w io.Writer, rows []statRow) error {
	t := newTable(w)
	counted := 0
	for _, r := range rows {
		if !r.Derived {
			t.row(r.Name, r.Unit, r.Description)
			counted++
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	derivedLines(w, rows[counted:])
	return nil
}

// glossaryRows returns the statistics, and the derived rows behind them.
func (a *App) glossaryRows() ([]statRow, error) {
	rows, err := a.allStats()
	if err != nil {
		return nil, err
	}
	derived, err := derivedRows()
	return append(rows, derived...), err
}

func (a *App) statsOf(r config.Request) ([]statRow, error) {
	cfg, err := config.Load(r)
	if err != nil {
		return nil, err
	}
	m, err := a.New(cfg, gpus.Options{})
	if err != nil {
		return nil, err
	}
	out := []statRow{}
	for _, s := range m.Stats() {
		out = append(out, newStat(s.Name, s.Unit, s.Description))
	}
	return out, nil
}

// allStats returns the statistics of every built-in GPU and of every design.
func (a *App) allStats() ([]statRow, error) {
	designs, err := config.Designs()
	if err != nil {
		return nil, err
	}
	var requests []config.Request
	for _, n := range config.Names() {
		requests = append(requests, config.Request{GPU: n, Set: []string{"sm.count=2"}})
	}
	for _, d := range designs {
		requests = append(requests, having(d.Name))
	}
	requests = append(requests, config.Request{GPU: "gtx980", Set: []string{"sm.count=2", "sched.policy=two-level"}},
		config.Request{GPU: "gtx980", Set: []string{"sm.count=2", "account.reuse=true", "account.live_registers=true",
			"account.windows=true"}})
	seen := map[string]bool{}
	var all []statRow
	for _, r := range requests {
		rows, err := a.statsOf(r)
		if err != nil {
			return nil, err
		}
		for _, s := range rows {
			if !seen[s.Name] {
				seen[s.Name] = true
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b statRow) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// having returns a GPU for a design: the GTX 980 or, if the design does not fit the GTX 980, the first fitting GPU.
func having(design string) config.Request {
	two := []string{"sm.count=2"}
	for _, n := range append([]string{"gtx980"}, config.Names()...) {
		r := config.Request{GPU: n, Design: design, Set: two}
		c, err := config.Load(r)
		if err == nil {
			_, err = gpus.New(c, gpus.Options{})
		}
		if err == nil {
			return r
		}
	}
	return config.Request{GPU: "gtx980", Design: design, Set: two} // loading it reports the error
}
