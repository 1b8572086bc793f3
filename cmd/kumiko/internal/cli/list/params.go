package list

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
	"kumiko/regfile"
)

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

// groups returns a group for each value with one source, in the order of the first machine's name, but the largest set
// of machines that agree is last: "all GPUs" or "all that have it" if there are no others. Sixteen equal lines would
// hide the one that differs.
func (p *paramRow) groups() (out []paramGroup) {
	members := map[string][]string{}
	var order []string
	for _, n := range app.SortedKeys(p.Defaults) {
		text := fmt.Sprint(p.Defaults[n].Value, "\n", p.Defaults[n].Source)
		if members[text] == nil {
			order = append(order, text)
		}
		members[text] = append(members[text], n)
	}
	most := slices.MaxFunc(order, func(a, b string) int { return cmp.Compare(len(members[a]), len(members[b])) })
	for _, text := range order {
		if text != most {
			out = append(out, paramGroup{strings.Join(members[text], ", "), p.Defaults[members[text][0]]})
		}
	}
	same, names := members[most], "the others"
	switch {
	case len(same) == 1:
		names = same[0]
	case len(out) > 0:
	case len(same) == len(config.Names()):
		names = "all GPUs"
	default:
		names = "all that have it"
	}
	return append(out, paramGroup{names, p.Defaults[same[0]]})
}

// mostValues is how many values of a parameter a line names.
const mostValues = 4

// values returns the values of a parameter, the most frequent first.
func (p *paramRow) values() string {
	count := map[string]int{}
	for _, d := range p.Defaults {
		count[fmt.Sprint(d.Value)]++
	}
	values := app.SortedKeys(count)
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	if len(values) == 1 && count[values[0]] == len(config.Names()) {
		return values[0] + " (all GPUs)"
	}
	if len(values) > mostValues {
		values = append(values[:mostValues], "...")
	}
	return strings.Join(values, ", ")
}

// screen is the number of lines up to which parameters are listed in full.
const screen = 40

func listParams(a *app.App) *cobra.Command {
	var r *config.Request
	var c *cobra.Command
	var part *string
	var full bool
	c = listing(a, "params", "List the parameters with their values", func() ([]*paramRow, error) {
		of := machines()
		if c.Flags().Changed("gpu") || c.Flags().Changed("set") || c.Flags().Changed("design") {
			if _, err := diagnose.Load(*r); err != nil {
				return nil, err
			}
			of = []machine{{r.GPU, *r}}
			full = true
		}
		rows, err := params(of)
		if err != nil {
			return nil, err
		}
		for _, p := range rows {
			if *part == p.Key || *part != "" && *part == p.Alias {
				return []*paramRow{p}, nil
			}
		}
		return withPart(rows, func(p *paramRow) string { return p.Key + "\n" + p.Alias }, *part, "parameter")
	}, func(t *app.Table, rows []*paramRow) {
		if full || lines(rows) <= screen {
			paramsInFull(t, rows)
		} else {
			paramsInBrief(t, rows)
		}
	})
	part = namePart(c)
	c.Flags().BoolVar(&full, "full", false, "list all parameters in full, however many")
	c.Long = "List the parameters with their values in every built-in GPU and register file, or in one machine " +
		"(--gpu, --design, --set). Machines that agree are one line: all GPUs, or the others.\n\n" +
		"PART selects the parameters that have it in their names, such as regfile. If these would not fit on a " +
		"screen, each is one line; the whole name of one, or --full, shows the value of each GPU with its source."
	r = app.GPUFlags(c)
	return c
}

// lines returns the number of lines of parameters in full.
func lines(rows []*paramRow) (n int) {
	for _, p := range rows {
		n += 1 + len(p.groups())
	}
	return n
}

// paramsInFull lists each parameter with its values and their sources.
func paramsInFull(t *app.Table, rows []*paramRow) {
	for _, p := range rows {
		t.Printf("%s (%s%s%s%s): %s\n", p.Key, p.Type, unit(p.Unit), suffix(p.Range), suffix(alias(p.Alias)), p.Doc)
		for _, g := range p.groups() {
			t.Row("    "+g.names, g.Value, g.Source)
		}
	}
}

// briefDoc and briefValues are the most letters of a line's description and values.
const briefDoc, briefValues = 80, 40

// cut shortens a text.
func cut(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-3]) + "..."
	}
	return text
}

// paramsInBrief lists each parameter as a line.
func paramsInBrief(t *app.Table, rows []*paramRow) {
	for _, p := range rows {
		doc, _, _ := strings.Cut(p.Doc, ". ")
		doc = cut(doc, briefDoc)
		if p.Alias != "" {
			doc += " (also " + p.Alias + ")"
		}
		t.Row(p.Key, cut(p.values(), briefValues), doc)
	}
	t.Printf("\n%d parameters; kumiko list params %s shows one in full, with the value of each GPU and its source; "+
		"--full shows all\n", len(rows), rows[0].Key)
}

// machine is a configuration with the name used to list its values.
type machine struct {
	name string
	config.Request
}

// machines returns the built-in GPUs, and for each kind of register file one machine that has it.
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

// suffix returns what the listing says about a parameter after its unit: nothing if the text is empty.
func suffix(text string) string {
	if text == "" {
		return ""
	}
	return ", " + text
}
