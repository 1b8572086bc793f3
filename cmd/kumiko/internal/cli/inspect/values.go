package inspect

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/study/streams"
)

// valueFlags select the run of a program for inspect --values.
type valueFlags struct {
	on     bool
	what   programs.Flags
	limits programs.ExecutionLimits
}

func (v *valueFlags) add(c *cobra.Command) {
	v.what.Command = c
	c.Flags().BoolVar(&v.on, "values", false,
		"execute the program without timing, and show how often each register value is read, and how soon")
	c.Flags().StringVar(&v.what.Launch, "launch", "",
		"launch file (TOML) for a file of code, for whose launches it is compiled")
	c.Flags().StringVar(&v.what.Size, "size", "",
		"size of a built-in benchmark, whose launches the code is compiled for: test, small, study, large, paper; "+
			"default: small with --values, otherwise the CTAs of kumiko list benchmarks")
	v.limits.Add(c)
	v.what.Limits.Add(c)
}

// valuesJSON is the JSON form of --values for a kernel.
type valuesJSON struct {
	Kernel             string              `json:"kernel,omitempty"`
	Launches           int                 `json:"launches"`
	Instructions       uint64              `json:"instructions"` // of warps
	ThreadInstructions uint64              `json:"thread_instructions"`
	Values             streams.ValueShares `json:"values"`
}

type valuesDocument struct {
	Program string       `json:"program"`
	Kernels []valuesJSON `json:"kernels"`
	Total   valuesJSON   `json:"total"`
}

// inspectValues executes a program and prints the use of its values, by kernel.
func inspectValues(a *app.App, program string, f *inspectFlags, cfg *config.Config) error {
	open := f.values.what
	if open.Size == "" {
		open.Size = benchmarks.Small.String()
	}
	if f.limit > 0 {
		open.Registers = strconv.Itoa(f.limit)
	}
	p, err := open.Open(program)
	if err != nil {
		return err
	}
	m := &mem.Memory{}
	r := &valuesRunner{Runner: streams.NewRunner(m, cfg, streams.Options{ValuesOnly: true,
		Limits: f.values.limits.Limits})}
	r.Context = a.Heed(f.values.what.Command)
	if err := p.Run(&host.Device{Mem: m, Runner: r}); err != nil {
		return err
	}
	doc, err := r.document(program, f.kernel)
	if err != nil {
		return err
	}
	if *f.format == "json" {
		return app.WriteJSON(a.Stdout, doc)
	}
	return printValues(a, doc)
}

func printValues(a *app.App, doc *valuesDocument) error {
	t := app.NewTable(a.Stdout)
	t.Row("kernel", "launches", "instructions", "values", "reads per write", "read 0", "1", "2", "more",
		"once, after 1", "2", "3", "more")
	percent := func(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }
	row := func(name string, k *valuesJSON) {
		v := &k.Values
		t.Row(name, k.Launches, k.Instructions, v.Written, fmt.Sprintf("%.2f", v.ReadsPerWrite), percent(v.Never),
			percent(v.Once),
			percent(v.Twice), percent(v.More), percent(v.Life.One), percent(v.Life.Two), percent(v.Life.Three),
			percent(v.Life.More))
	}
	for i := range doc.Kernels {
		row(app.KernelName(doc.Kernels[i].Kernel), &doc.Kernels[i])
	}
	if len(doc.Kernels) > 1 {
		row("total", &doc.Total)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.Text(),
		"\nShares of all values: by how often they are read, and of those read once how many instructions after they "+
			"were written.")
	return err
}

// valuesRunner measures the launches of each kernel separately.
type valuesRunner struct {
	*streams.Runner
	kernels []*kernelValues
}

type kernelValues struct {
	*streams.Collector
	name     string
	launches int
}

// selectKernel selects the kernel measured by the following launches.
func (r *valuesRunner) selectKernel(kernel string) {
	for _, k := range r.kernels {
		if k.name == kernel {
			k.launches++
			r.Collector = k.Collector
			return
		}
	}
	k := &kernelValues{streams.NewCollector(streams.Options{ValuesOnly: true}), kernel, 1}
	r.kernels = append(r.kernels, k)
	r.Collector = k.Collector
}

// Launch implements host.Runner.
func (r *valuesRunner) Launch(l *host.Launch) error {
	r.selectKernel(l.Kernel)
	return r.Runner.Launch(l)
}

var _ programs.Replayer = (*valuesRunner)(nil)

// ReplayTrace implements programs.Replayer.
func (r *valuesRunner) ReplayTrace(l *gpus.Replay, _ []byte) error {
	r.selectKernel(l.Kernel.Name)
	return r.Replay(l)
}

// document returns all kernels, or only the named one, in the order of their first launches.
func (r *valuesRunner) document(program, kernel string) (*valuesDocument, error) {
	doc := &valuesDocument{Program: program, Kernels: []valuesJSON{}}
	var all streams.Values
	var names []string
	for _, k := range r.kernels {
		names = append(names, k.name)
		if kernel != "" && !launch.Named(k.name, kernel) {
			continue
		}
		s := k.Summary()
		v := k.Values()
		all.Add(&v)
		one := valuesJSON{k.name, k.launches, s.Instructions, s.ThreadInstructions, s.Values}
		doc.Kernels = append(doc.Kernels, one)
		doc.Total.Launches += one.Launches
		doc.Total.Instructions += one.Instructions
		doc.Total.ThreadInstructions += one.ThreadInstructions
	}
	if kernel != "" && len(doc.Kernels) == 0 {
		return nil, fmt.Errorf("%s: no kernel %q is launched; expected one of %q", program, kernel, names)
	}
	doc.Total.Values = all.Shares()
	return doc, nil
}
