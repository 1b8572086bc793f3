package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	_ "kumiko/benchmarks/all" // the built-in applications
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
	"kumiko/gpus/pairs"
	"kumiko/regfile"
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

// paramRow is one parameter with its value in each GPU having the parameter.
type paramRow struct {
	Key      string                  `json:"key"`
	Type     string                  `json:"type"`
	Unit     string                  `json:"unit"`
	Range    string                  `json:"range,omitempty"`
	Alias    string                  `json:"alias,omitempty"` // a shorter name that --set takes too
	Doc      string                  `json:"doc"`
	Defaults map[string]paramDefault `json:"defaults"`
}

type paramDefault struct {
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// paramGroup is machines that agree in the value of a parameter and in its source.
type paramGroup struct {
	names string
	paramDefault
}

// groups returns a group for each machine in the order of their names, but the largest set of machines that agree is
// one group: "all" if there are no others, and otherwise the last. Sixteen equal lines would hide the one that differs.
func (p *paramRow) groups() (out []paramGroup) {
	names := app.SortedKeys(p.Defaults)
	agree := map[string]int{}
	text := func(n string) string { return fmt.Sprint(p.Defaults[n].Value, "\n", p.Defaults[n].Source) }
	most := ""
	for _, n := range names {
		d := text(n)
		agree[d]++
		if agree[d] > agree[most] {
			most = d
		}
	}
	if agree[most] < 2 {
		most = ""
	}
	common := paramGroup{names: "the others"}
	if agree[most] == len(names) {
		common.names = "all"
	}
	for _, n := range names {
		if text(n) == most {
			common.paramDefault = p.Defaults[n]
		} else {
			out = append(out, paramGroup{n, p.Defaults[n]})
		}
	}
	if most != "" {
		out = append(out, common)
	}
	return out
}

func listParams(a *app.App) *cobra.Command {
	var r *config.Request
	var c *cobra.Command
	var part *string
	c = listing(a, "params", "List the parameters with their values", func() ([]*paramRow, error) {
		of := machines()
		if c.Flags().Changed("gpu") || c.Flags().Changed("set") || c.Flags().Changed("design") {
			if _, err := diagnose.Load(*r); err != nil {
				return nil, err
			}
			of = []machine{{r.GPU, *r}}
		}
		rows, err := params(of)
		if err != nil {
			return nil, err
		}
		return withPart(rows, func(p *paramRow) string { return p.Key }, *part, "parameter")
	}, func(t *app.Table, rows []*paramRow) {
		for _, p := range rows {
			t.Printf("%s (%s%s%s%s): %s\n", p.Key, p.Type, unit(p.Unit), further(p.Range), further(alias(p.Alias)),
				p.Doc)
			for _, g := range p.groups() {
				t.Row("    "+g.names, g.Value, g.Source)
			}
		}
	})
	part = namePart(c)
	c.Long = "List the parameters with their values in every built-in GPU and register file, or in one machine " +
		"(--gpu, --design, --set). Machines that agree are one line: all, or the others.\n\n" +
		"PART selects the parameters that have it in their names, such as regfile."
	r = app.GPUFlags(c)
	return c
}

// machine is a configuration with the name used to list its values.
type machine struct {
	name string
	config.Request
}

// machines returns the built-in GPUs, and one machine for each kind of register file.
func machines() []machine {
	var out []machine
	for _, n := range config.Names() {
		out = append(out, machine{n, config.Request{GPU: n}})
	}
	for _, k := range regfile.Names() {
		set := []string{"regfile.kind=" + k}
		kind, err := regfile.Find(k)
		if err == nil && kind.OnChip != "" {
			set = append(set, "onchip.memory="+kind.OnChip)
		}
		if err == nil && kind.Switching != "" {
			set = append(set, "cta.switching="+kind.Switching)
		}
		out = append(out, machine{set[0], config.Request{GPU: "gtx980", Set: set}})
	}
	return out
}

// params returns the parameters of some machines. A machine with another register file has parameters absent from
// every built-in GPU.
func params(list []machine) ([]*paramRow, error) {
	var out []*paramRow
	byKey := map[string]*paramRow{}
	for i := range list {
		m := &list[i]
		cfg, err := config.Load(m.Request)
		if err != nil {
			return nil, err
		}
		for _, p := range cfg.Params() {
			if p.Where == "" {
				continue // a parameter of a block absent from this GPU
			}
			row := byKey[p.Key]
			switch {
			case row == nil:
				row = &paramRow{Key: p.Key, Type: p.Type, Unit: p.Unit, Range: p.Range, Doc: p.Doc,
					Alias: config.AliasOf(p.Key), Defaults: map[string]paramDefault{}}
				byKey[p.Key] = row
				out = append(out, row)
			case m.name != m.GPU:
				continue
			}
			row.Defaults[m.name] = paramDefault{p.Value, p.Source}
		}
	}
	slices.SortStableFunc(out, func(a, b *paramRow) int {
		sa, _, _ := strings.Cut(a.Key, ".")
		sb, _, _ := strings.Cut(b.Key, ".")
		return strings.Compare(sa, sb)
	})
	return out, nil
}

func unit(u string) string {
	if u == "-" || u == "" {
		return ""
	}
	return ", " + u
}

func alias(name string) string {
	if name == "" {
		return ""
	}
	return "also " + name
}

// further returns what the listing says of a parameter after its unit; empty: nothing.
func further(text string) string {
	if text == "" {
		return ""
	}
	return ", " + text
}
