package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/regfile"
	"kumiko/sm/sched"
)

//go:generate sh -c "go run kumiko/cmd/kumiko list stats --format markdown > ../../../../docs/statistics.md"

type statRow struct {
	Name        string `json:"name"`
	Unit        string `json:"unit"`
	Description string `json:"description"`
}

func (a *App) listStats() *cobra.Command {
	c := &cobra.Command{Use: "stats",
		Short: "List the statistics of all GPUs and designs, or of one machine",
		Long: `List the statistics of all GPUs and designs, or, with --gpu, --design or --set, those of one machine.

PART selects the statistics that have it in their names, such as regfile.

--format markdown writes the glossary, docs/statistics.md, which also has the formulas of derived quantities.`}
	part := namePart(c)
	r := gpuFlags(c)
	f := format(c, "text", "json", "markdown")
	c.RunE = func(*cobra.Command, []string) error {
		if *f == "markdown" {
			for _, name := range []string{"gpu", "design", "set"} {
				if c.Flags().Changed(name) {
					return fmt.Errorf("--%s: the glossary is that of every GPU and design; expected another --format",
						name)
				}
			}
			if *part != "" {
				return fmt.Errorf("%s: the glossary has every statistic; expected another --format", *part)
			}
			return a.glossary(a.Stdout)
		}
		list := a.allStats
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
		if *f == "json" {
			return writeJSON(a.Stdout, rows)
		}
		t := newTable(a.Stdout)
		for _, r := range rows {
			t.row(r.Name, r.Unit, r.Description)
		}
		return t.flush()
	}
	return c
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
		out = append(out, statRow{s.Name, s.Unit, s.Description})
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

// anyGate represents the gates of any design.
var anyGate = regfile.Gate{Reason: "<gate>",
	Doc: "a warp could issue but for a gate of the register file's design; each of them has a name and a reason of " +
		"its own"}

// glossary writes docs/statistics.md.
func (a *App) glossary(w io.Writer) error {
	rows, err := a.allStats()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(glossaryHead)
	b.WriteString("| reason | the slot |\n|---|---|\n")
	for _, r := range sched.Reasons(&sched.Config{Width: 2, Choice: sched.Spec{Policy: sched.TwoLevel}},
		&sched.Planes{Gates: []regfile.Gate{anyGate}, Inserts: "operations"}) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Name, strings.TrimPrefix(strings.TrimPrefix(r.Doc, "issue slots "),
			"that "))
	}
	b.WriteString(glossaryDerived)
	section := ""
	for _, r := range rows {
		parts := strings.Split(r.Name, ".")
		if s := strings.Join(parts[:min(2, len(parts)-1)], "."); s != section {
			section = s
			fmt.Fprintf(&b, "\n### %s\n\n| statistic | unit | what it counts |\n|---|---|---|\n", s)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Unit, strings.ReplaceAll(r.Description, "|", `\|`))
	}
	_, err = io.WriteString(w, b.String())
	return err
}
