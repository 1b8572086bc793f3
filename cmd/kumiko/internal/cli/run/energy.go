package run

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus/area"
	"kumiko/gpus/config"
	"kumiko/gpus/energy"
	"kumiko/gpus/result"
)

// energyFlag has the flags for the energy of a run and for the area of its register file.
type energyFlag struct {
	table   string
	charges *energy.Charges // nil: not requested
	area    bool
}

func (f *energyFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.table, "energy", "",
		"print the energy of the run by this table of energies: one of "+strings.Join(energy.Names(), ", ")+
			", or a file ending in .toml")
	c.Flags().BoolVar(&f.area, "area", false, "print the area of the storage of the register file in 45 nm")
}

// open reads the table and selects its rows for the machine.
func (f *energyFlag) open(cfg *config.Config) error {
	if f.table == "" {
		return nil
	}
	m, err := energy.Open(f.table)
	if err == nil {
		f.charges, err = m.Charges(cfg.Values())
	}
	return f.blame(err)
}

// blame returns the error of a built-in table with the name of the flag. Errors of a file have their places.
func (f *energyFlag) blame(err error) error {
	if err == nil || energy.IsFile(f.table) && strings.HasPrefix(err.Error(), f.table+":") {
		return err
	}
	return fmt.Errorf("--energy: %w", err)
}

// chargeable refuses a table with statistics that the machine lacks.
func chargeable(a *app.App, f *energyFlag, m app.Machine) error {
	if f.charges == nil {
		return nil
	}
	var names []string
	for _, s := range m.Stats() {
		names = append(names, s.Name)
	}
	return f.blame(f.charges.Check(names, func() (all []string, err error) {
		rows, err := a.AllStats()
		for _, r := range rows {
			all = append(all, r.Name)
		}
		return all, err
	}))
}

// charge computes the energy of a run, and the area.
func (f *energyFlag) charge(r *result.Result) (err error) {
	if f.area {
		if r.Area, err = area.Builtin().Of(r.Storage); err != nil {
			return fmt.Errorf("--area: %w", err)
		}
	}
	if f.charges != nil {
		r.Energy, err = f.charges.Of(r)
	}
	return f.blame(err)
}

// energyText prints the energy of a run, if there is one.
func energyText(a *app.App, e *result.Energy) error {
	if e == nil {
		return nil
	}
	fmt.Fprintf(a.Text(), "\nenergy by %s (%s)\n", app.Quoted(e.Table), app.Quoted(e.Source))
	t := app.NewTable(a.Stdout)
	t.Row("block", "what", "events", "pJ each", "energy", "pJ/warp instr.", "share")
	for i := range e.Blocks {
		energyRows(t, e, &e.Blocks[i])
	}
	t.Row("whole", "", "", "", runpage.Joules(e.PJ), fmt.Sprintf("%.1f", e.PJPerWarpInstruction), "100.0%")
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range e.Notes {
		fmt.Fprintln(a.Text(), n)
	}
	if len(e.Uncharged) > 0 {
		fmt.Fprintln(a.Text(), "without energies in the table:", strings.Join(e.Uncharged, ", "))
	}
	return nil
}

// energyRows prints the rows of a block with events, and their sum if there are several.
func energyRows(t *app.Table, e *result.Energy, b *result.EnergyBlock) {
	n := 0
	for i := range e.Rows {
		x := &e.Rows[i]
		if x.Block != b.Block || x.PJ == 0 {
			continue
		}
		n++
		what, events, each := x.What, fmt.Sprint(x.Events), fmt.Sprintf("%.4g", x.AccessesPerEvent*x.PJPerAccess)
		if what == "" {
			what = strings.Join(x.Statistics, " ")
		}
		if x.Microseconds > 0 {
			events, each = fmt.Sprintf("%.3g us", x.Microseconds), fmt.Sprintf("%.4g mW", x.PowerMW)
		}
		t.Row(app.Quoted(b.Block), app.Quoted(what), events, each, runpage.Joules(x.PJ), perWarpInstruction(x.PJ, e),
			fmt.Sprintf("%.1f%%", 100*x.Share))
	}
	if n > 1 {
		t.Row(app.Quoted(b.Block), "together", "", "", runpage.Joules(b.PJ),
			fmt.Sprintf("%.1f", b.PJPerWarpInstruction), fmt.Sprintf("%.1f%%", 100*b.Share))
	}
}

// perWarpInstruction returns a part of the energy per warp instruction, in pJ.
func perWarpInstruction(pj float64, e *result.Energy) string {
	if e.PJ == 0 {
		return "0.0"
	}
	return fmt.Sprintf("%.1f", e.PJPerWarpInstruction*pj/e.PJ)
}
