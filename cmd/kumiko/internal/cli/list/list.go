package list

import (
	"fmt"

	"github.com/spf13/cobra"

	_ "kumiko/benchmarks/all" // the built-in applications
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/gpus/pairs"
)

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "list",
		Short: "List GPUs, designs, benchmarks, recordings, studies, statistics, parameters, PTX",
		Args:  app.NoCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(listGPUs(a), listDesigns(a), listBenchmarks(a), listParams(a), Studies(a, "studies"),
		listFunctions(a), listPTX(a), listCaptures(a))
	if a.New != nil {
		c.AddCommand(listStats(a))
	}
	return c
}

// listing returns a list subcommand. rows returns the rows, printed as JSON or by text.
func listing[T any](a *app.App, name, short string, rows func() ([]T, error),
	text func(*app.Table, []T)) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Args: app.Exactly()}
	f := app.FormatFlag(c, "text", "json")
	c.RunE = func(*cobra.Command, []string) error {
		list, err := rows()
		if err != nil {
			return err
		}
		if *f == "json" {
			return app.WriteJSON(a.Stdout, list)
		}
		t := app.NewTable(a.Stdout)
		text(t, list)
		return t.Flush()
	}
	return c
}

type gpuRow struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Hash string `json:"config_hash"`
	// Measured states which parts of the GPU rest on measurements of the chip; empty: none.
	Measured string `json:"measured"`
}

func listGPUs(a *app.App) *cobra.Command {
	return listing(a, "gpus", "List the built-in GPUs", func() ([]gpuRow, error) {
		var out []gpuRow
		for _, n := range config.Names() {
			c, err := config.Load(config.Request{GPU: n})
			if err != nil {
				return nil, err
			}
			out = append(out, gpuRow{n, c.Doc, c.Hash(), c.Measured})
		}
		return out, nil
	}, func(t *app.Table, rows []gpuRow) {
		for _, r := range rows {
			rests := "not measured: a paper's or a simulator's table"
			if r.Measured != "" {
				rests = "measured: " + r.Measured
			}
			t.Row(r.Name, r.Doc, rests)
		}
	})
}

func listDesigns(a *app.App) *cobra.Command {
	c := listing(a, "designs", "List the register-file designs", config.Designs,
		func(t *app.Table, rows []config.Design) {
			for _, d := range rows {
				t.Row(d.Name, d.Doc)
				t.Row("", "meant for: "+d.Meant)
				for _, s := range d.Sets {
					t.Row("", fmt.Sprintf("%s = %v", s.Key, s.Value), s.Source)
				}
			}
		})
	gpu := c.Flags().String("gpu", "", "list instead which designs run on a GPU, with which settings, and why others "+
		"do not; and the pairs of a kind of register file and a residency")
	presets := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if *gpu == "" {
			return presets(c, args)
		}
		return designsOn(a, *gpu, c.Flag("format").Value.String())
	}
	return c
}

// designsOn lists the designs and the pairs on a GPU.
func designsOn(a *app.App, gpu, format string) error {
	designs, err := pairs.Presets(gpu)
	if err != nil {
		return err
	}
	list, err := pairs.List(gpu)
	if err != nil {
		return err
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, map[string]any{"designs": designs, "pairs": list})
	}
	t := app.NewTable(a.Stdout)
	t.Row("design", "runs", "with")
	for i := range designs {
		switch p := &designs[i]; {
		case p.Why != "":
			t.Row(p.Design, "no", p.Why)
		case len(p.Sets) > 0:
			t.Row(p.Design, "with settings", p.Flags())
		default:
			t.Row(p.Design, "yes", p.Flags())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	t = app.NewTable(a.Stdout)
	t.Row("\nkind", "residency", "runs", "with")
	pairRows(t, list)
	return t.Flush()
}

// pairRows shows, for each pair, whether it runs, and by which flags or why not.
func pairRows(t *app.Table, rows []pairs.Pair) {
	for i := range rows {
		p := &rows[i]
		if p.Why != "" {
			t.Row(p.Path, p.Residency, "no", p.Why)
			continue
		}
		flags := "--design " + p.Design
		for _, s := range p.Sets {
			flags += " --set " + s
		}
		t.Row(p.Path, p.Residency, "yes", flags)
	}
}
