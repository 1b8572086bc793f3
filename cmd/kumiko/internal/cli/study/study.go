package study

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/list"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/study"
	"kumiko/study/record"
	"kumiko/study/report"
)

func Command(a *app.App, further []func(*Host) *cobra.Command) *cobra.Command {
	study.CompileBy(programs.Compile(a.Notes()))
	c := &cobra.Command{
		Use:   "study",
		Short: "Run experiments and report their results",
		Long: `Run experiments and report their results.

A study is a grid of benchmarks and machines. STUDY is a built-in name (kumiko study list) or a TOML file.
Each point of the grid has a record in the folder results/NAME, or in --dir.`,
		Example: `  kumiko study run quick
  kumiko study status quick
  kumiko study report quick -o quick.html`,
		Args: app.NoCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(list.Studies(a, "list"), studyNew(a))
	if a.New != nil {
		c.AddCommand(studyRun(a), studyTask(a))
	}
	c.AddCommand(studyPoints(a), studyStatus(a), studyReport(a), studyExport(a), studyPack(a))
	for _, command := range further {
		c.AddCommand(command(&Host{app: a}))
	}
	return c
}

// recordFlags select the records of a study.
type recordFlags struct {
	dir     string
	perturb int
	size    string
	waves   float64
	// captures is the folder of recorded applications; empty: that of the study's file.
	captures string
	command  *cobra.Command
}

func (f *recordFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.dir, "dir", "",
		"folder of the records (default results/NAME); for reading also a pack of them (kumiko study pack)")
	c.Flags().StringVar(&f.captures, "captures", "",
		"folder of the recorded applications (kumiko capture) that the study names; default: that of its file")
	c.Flags().IntVar(&f.perturb, "perturb", 0,
		"perturbed runs of each point beside the plain one; default: the study's")
	c.Flags().Float64Var(&f.waves, "waves", 0,
		"refuse points with fewer full waves of CTAs; 0: refuse none; default: the study's")
	c.Flags().StringVar(&f.size, "size", "",
		"size of every benchmark: test, small, study, large, paper; default: the study's")
}

// given returns the first of these flags set by the user, or "".
func (f *recordFlags) given() string {
	for _, name := range []string{"dir", "captures", "size", "perturb", "waves"} {
		if f.command.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// check refuses values invalid for every study.
func (f *recordFlags) check() error {
	if err := app.Nameless(f.command, "dir"); err != nil {
		return err
	}
	if f.command.Flags().Changed("size") {
		if _, err := benchmarks.ParseSize(f.size); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	if !(f.waves >= 0 && f.waves <= study.MostWaves) {
		return fmt.Errorf("--waves %v: expected 0 to %v", f.waves, float64(study.MostWaves))
	}
	return app.CheckPerturb(f.perturb)
}

// apply changes a study as the flags say. It returns the folder of the study's records.
func (f *recordFlags) apply(s *study.Spec) (dir string, err error) {
	if err := f.check(); err != nil {
		return "", err
	}
	if f.size != "" {
		if err := s.Resize(f.size); err != nil {
			return "", fmt.Errorf("--%w", err)
		}
	}
	if f.command.Flags().Changed("waves") {
		s.Waves = f.waves
	}
	if f.command.Flags().Changed("perturb") {
		if f.perturb > 0 && len(s.Variants) == 0 {
			return "", fmt.Errorf("--perturb %d: found with a study without variants: streams have no timing",
				f.perturb)
		}
		s.Perturb = f.perturb
	}
	if f.dir == "" {
		return record.DefaultDir(s.Name), nil
	}
	return f.dir, nil
}

// studyFlags select points of a study, and the folder of their records.
type studyFlags struct {
	recordFlags
	only []string
}

func (f *studyFlags) add(c *cobra.Command) {
	f.recordFlags.add(c)
	c.Flags().StringSliceVar(&f.only, "only", nil,
		"select these variants, streams, benchmarks or groups; * and ? are wildcards; repeatable")
}

// chosen is a study with its selected points.
type chosen struct {
	spec   *study.Spec
	points []record.Point
	store  *record.Store
}

// choose loads the study. where opens the folder of its records.
func (f *studyFlags) choose(a *app.App, name string, where func(dir string) (*record.Store, error)) (*chosen, error) {
	s, err := study.LoadWith(name, f.captures)
	if err != nil {
		return nil, err
	}
	if errs := report.Check(s, a.Evidence); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	dir, err := f.apply(s)
	if err != nil {
		return nil, err
	}
	out := &chosen{spec: s}
	if out.points, err = s.Select(s.Points(s.Perturb), f.only); err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	if out.store, err = where(dir); err != nil {
		return nil, err
	}
	newReadProgress(a).observe(out.store, a.Notes())
	return out, nil
}

// open is choose with a folder for writing.
func (f *studyFlags) open(a *app.App, name string) (*chosen, error) {
	return f.choose(a, name, record.OpenStore)
}

// chooseReadOnly is choose with a read-only folder.
func (f *studyFlags) chooseReadOnly(a *app.App, name string) (*chosen, error) {
	return f.choose(a, name, record.OpenReadOnly)
}

// chooseExisting is choose with a folder that must exist, opened for writing.
func (f *studyFlags) chooseExisting(a *app.App, name string) (*chosen, error) {
	return f.choose(a, name, record.OpenExisting)
}
