package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/study"
)

func (a *App) studyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "study",
		Short: "Run experiments and look at what came out",
		Long: `Run experiments and look at what came out.

A study is a grid of benchmarks and machines. STUDY is a built-in name (kumiko study list) or a TOML file.
Its results are kept point by point in a folder, results/NAME unless --dir says otherwise.`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.studyList("list"))
	if a.New != nil {
		c.AddCommand(a.studyRun(), a.studyTask())
	}
	c.AddCommand(a.studyStatus(), a.studyReport(), a.studyClaims(), a.studyExport())
	return c
}

// studyFlags say which points of a study are meant, and where their records are.
type studyFlags struct {
	dir     string
	only    []string
	perturb int
	size    string
	waves   float64
	command *cobra.Command
}

func (f *studyFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.dir, "dir", "", "folder of the records; default: results/NAME")
	c.Flags().StringSliceVar(&f.only, "only", nil, "only these variants, benchmarks or groups, * and ? allowed; may be repeated")
	c.Flags().IntVar(&f.perturb, "perturb", 0, "perturbed runs of each point beside the plain one; default: as the study says")
	c.Flags().Float64Var(&f.waves, "waves", 0, "refuse points with fewer full waves of CTAs; 0: none; default: as the study says")
	c.Flags().StringVar(&f.size, "size", "", "size of every benchmark: test, small, study, paper; default: as the study says")
}

// chosen is a study and the points of it that are meant.
type chosen struct {
	spec   *study.Spec
	points []study.Point
	store  *study.Store
}

// open reads the study and opens the folder of its records.
func (f *studyFlags) open(a *App, name string) (*chosen, error) {
	s, err := study.Load(name)
	if err != nil {
		return nil, err
	}
	if f.size != "" {
		if err := s.Resize(f.size); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
	}
	if f.command.Flags().Changed("waves") {
		if !(f.waves >= 0) {
			return nil, fmt.Errorf("--waves %v: expected at least 0", f.waves)
		}
		s.Waves = f.waves
	}
	if f.command.Flags().Changed("perturb") {
		if err := checkPerturb(f.perturb); err != nil {
			return nil, err
		}
		s.Perturb = f.perturb
	}
	out := &chosen{spec: s}
	if out.points, err = s.Select(s.Points(s.Perturb), f.only); err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	dir := f.dir
	if dir == "" {
		dir = study.DefaultDir(s.Name)
	}
	if out.store, err = study.OpenStore(dir); err != nil {
		return nil, err
	}
	out.store.Damaged = func(file string, why error) {
		fmt.Fprintf(a.Stderr, "note: a damaged record was set aside as %s: %v\n", file, why)
	}
	return out, nil
}
