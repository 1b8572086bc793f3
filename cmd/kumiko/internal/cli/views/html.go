package views

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
)

// htmlFlag is the flag for a page of the run.
type htmlFlag struct {
	File string
	// Size and Warnings are for the page, as runpage.Doc has them.
	Size     string
	Warnings []string
}

func (f *htmlFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.File, "html", "",
		"write a self-contained page with figures of the run to this file")
}

func (f *htmlFlag) write(r *result.Result, cfg *config.Config, m app.Machine, w *runpage.Pipeline,
	waits *runpage.OperandWaits) error {
	if f.File == "" {
		return nil
	}
	doc := pageDoc(cfg, m)
	doc.Size, doc.Warnings = f.Size, f.Warnings
	p := runpage.New(r, doc)
	machine, err := m.Structure(0)
	if err != nil {
		return err
	}
	runpage.AddMachine(p, &machine, m.Stats(), r.Sampling() != nil)
	if waits != nil {
		runpage.AddOperandWaits(p, waits)
	}
	if w != nil {
		runpage.AddPipeline(p, w)
	}
	return app.WriteFile(f.File, func(w io.Writer) error { return p.Write(w) })
}

// pageDoc returns the description of a machine for a page.
func pageDoc(cfg *config.Config, m app.Machine) *runpage.Doc {
	d := &runpage.Doc{Stats: map[string]runpage.Stat{}}
	for _, r := range m.Reasons() {
		d.Reasons = append(d.Reasons, runpage.Reason{Name: r.Name, Doc: r.Doc})
	}
	for _, s := range m.Stats() {
		d.Stats[s.Name] = runpage.Stat{Unit: s.Unit, Doc: s.Description}
	}
	for _, p := range cfg.Params() {
		if p.Where != "" {
			d.Params = append(d.Params, runpage.Param{Key: p.Key, Value: fmt.Sprint(p.Value), Unit: p.Unit, Doc: p.Doc,
				Source: p.Source})
		}
	}
	return d
}
