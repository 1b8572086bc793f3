package list

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
	"kumiko/kernel/recording"
	"kumiko/sm/occupancy"
)

// captureRow is a kernel of a recorded application.
type captureRow struct {
	File      string `json:"file"`
	Kernel    string `json:"kernel"`
	Launches  int    `json:"launches"`
	Grid      [3]int `json:"grid"` // of the first launch, as the others
	Block     [3]int `json:"block"`
	Registers int    `json:"registers"`
	Shared    int    `json:"shared_bytes"`
	CTAs      int    `json:"ctas_per_sm"`
	Limit     string `json:"limit"`
}

func listCaptures(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "captures DIR",
		Short: "List the kernels of recorded applications",
		Long: `List the kernels of the recorded applications (kumiko capture) in a folder, or of one file: how often each is launched,
the grid and block of its first launch, and, for a GPU and design, the registers of a thread, the CTAs that an SM holds
and what limits them.`,
		Example: `  kumiko list captures recordings
  kumiko list captures bfs.kumiko --gpu fermi`,
		Args: app.Exactly("DIR"),
	}
	r := app.GPUFlags(c)
	f := app.FormatFlag(c, "text", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		cfg, err := config.Load(*r)
		if err != nil {
			return err
		}
		files, err := recordings(args[0])
		if err != nil {
			return err
		}
		rows := []captureRow{}
		for _, file := range files {
			if rows, err = appendCapture(rows, file, cfg); err != nil {
				return err
			}
		}
		if *f == "json" {
			return app.WriteJSON(a.Stdout, rows)
		}
		t := app.NewTable(a.Stdout)
		t.Row("recording", "kernel", "launches", "grid", "block", "registers", "shared", "CTAs per SM", "limited by")
		for _, x := range rows {
			t.Row(app.Quoted(x.File), launch.Shown(x.Kernel), x.Launches, dimensions(x.Grid), dimensions(x.Block),
				x.Registers, x.Shared, x.CTAs, x.Limit)
		}
		return t.Flush()
	}
	return c
}

// recordings returns the recordings in a folder, or the one file.
func recordings(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	files, err := filepath.Glob(filepath.Join(name, "*"+recording.Suffix))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: found no file ending in %s, expected some, as kumiko capture writes them", name,
			recording.Suffix)
	}
	return files, err
}

// appendCapture adds the rows of a recording.
func appendCapture(rows []captureRow, file string, cfg *config.Config) ([]captureRow, error) {
	p, err := recording.Open(file)
	if err != nil {
		return nil, err
	}
	m, err := p.Module(ptx.Limits{})
	if err != nil {
		return nil, err
	}
	for _, k := range p.Kernels() {
		e, code := &k.First, m.Kernel(k.Name)
		if code == nil {
			return nil, fmt.Errorf("%s: found no kernel %s in its modules", file, launch.Shown(k.Name))
		}
		l := config.Launched{Threads: e.Block[0] * e.Block[1] * e.Block[2], DynShared: e.Shared}
		compiled, _, err := cfg.Compile(code, l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		row := captureRow{File: file, Kernel: k.Name, Launches: k.Launches, Grid: e.Grid, Block: e.Block,
			Registers: compiled.Footprint, Shared: code.SharedBytes + e.Shared, Limit: "one does not fit"}
		fit, err := cfg.CTAs(occupancy.CTA{Threads: l.Threads, Registers: row.Registers, SharedBytes: row.Shared})
		if err == nil {
			row.CTAs, row.Limit = fit.CTAs, string(fit.Limit)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// dimensions writes sizes as 16 x 16, without sizes of 1 at the end.
func dimensions(n [3]int) string {
	switch {
	case n[2] > 1:
		return fmt.Sprintf("%d x %d x %d", n[0], n[1], n[2])
	case n[1] > 1:
		return fmt.Sprintf("%d x %d", n[0], n[1])
	}
	return fmt.Sprint(n[0])
}
