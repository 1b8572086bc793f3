package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/study"
	"kumiko/study/claims"
	"kumiko/study/query"
)

func (a *App) studyClaims() *cobra.Command {
	c := &cobra.Command{Use: "claims [PAPER]", Short: "Confront what the papers claim with what the studies found",
		Long: "Confront what the papers claim with what the studies found.\n\nPAPER is one of " + strings.Join(claims.Papers, ", ") + `, or a TOML file of claims; without it, all of them. Verdicts are given by
fixed rules (docs/claims.md). The null score tells how many claims would pass if every design were its baseline; with
--format json, whose output is the list alone, it goes to standard error.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[1], c.UseLine())
			}
			return nil
		}}
	var f claimFlags
	c.Flags().StringVar(&f.dir, "dir", "", "folder of the records of the paper's study; default: results/NAME")
	c.Flags().StringVar(&f.size, "size", "", "size of every benchmark in the records: test, small, study, paper; default: as the study says")
	c.Flags().IntVar(&f.perturb, "perturb", 0, "perturbed runs of each point to look at; default: as the study says")
	c.Flags().Float64Var(&f.waves, "waves", 0, "look at points with fewer full waves of CTAs too; 0: at all; default: as the study says")
	out := format(c, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		papers := claims.Papers
		f.perturbed, f.waved = c.Flags().Changed("perturb"), c.Flags().Changed("waves")
		if !(f.waves >= 0) {
			return fmt.Errorf("--waves %v: expected at least 0", f.waves)
		}
		if f.perturb < 0 || f.perturb > study.MostPerturbations {
			return fmt.Errorf("--perturb %d: expected 0 to %d", f.perturb, study.MostPerturbations)
		}
		if len(args) == 1 {
			papers = args
		} else if f.dir != "" || f.size != "" || f.perturbed || f.waved {
			return errors.New("--dir, --size, --perturb, --waves: records are those of one study; expected a PAPER with them")
		}
		list := []claims.Outcome{}
		for i, paper := range papers {
			outcomes, null, err := a.claimsOf(paper, &f)
			if err != nil {
				return err
			}
			list = append(list, outcomes...)
			if *out == "json" {
				if len(outcomes) > 0 {
					fmt.Fprintf(a.Stderr, "%s: %s\n", paper, null)
				}
				continue
			}
			if len(outcomes) > 0 {
				if i > 0 {
					fmt.Fprintln(a.Stdout)
				}
				if err := claims.Text(a.Stdout, outcomes, null); err != nil {
					return err
				}
			}
		}
		if *out == "json" {
			return writeJSON(a.Stdout, list)
		}
		return nil
	}
	return c
}

// claimFlags say which records claims are judged by.
type claimFlags struct {
	dir, size string
	perturb   int
	perturbed bool
	waves     float64
	waved     bool
}

// claimsOf judges the claims of a paper by the records of its study.
func (a *App) claimsOf(paper string, flags *claimFlags) ([]claims.Outcome, claims.Null, error) {
	f, err := claims.Load(paper)
	if err != nil {
		return nil, claims.Null{}, err
	}
	if f == nil {
		fmt.Fprintf(a.Stderr, "note: no claims of %s are recorded yet\n", paper)
		return nil, claims.Null{}, nil
	}
	q, err := flags.records(f.Study)
	if err != nil {
		return nil, claims.Null{}, err
	}
	outcomes := f.Evaluate(q)
	return outcomes, f.NullScore(q, outcomes), nil
}

// records are those of a study, nil when it has not been run: there is no folder
// of it, or nothing in it.
func (f *claimFlags) records(name string) (*query.Query, error) {
	var s *study.Spec
	if isFile := strings.HasSuffix(name, ".toml"); isFile || slices.Contains(study.Names(), name) {
		var err error
		if s, err = study.Load(name); err != nil {
			return nil, err
		}
		name = s.Name
	}
	dir, named := f.dir, f.dir != ""
	if !named {
		dir = study.DefaultDir(name)
	}
	if _, err := os.Stat(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) && !named {
			return nil, nil
		}
		return nil, fmt.Errorf("--dir %s: %w", dir, errors.Unwrap(err))
	}
	if s == nil {
		return nil, nil
	}
	if f.size != "" {
		if err := s.Resize(f.size); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
	}
	if f.perturbed {
		s.Perturb = f.perturb
	}
	if f.waved {
		s.Waves = f.waves
	}
	d, census, err := s.LoadData(dir, s.Perturb, Version())
	if err != nil {
		return nil, err
	}
	if census.Done == 0 {
		return nil, nil
	}
	return query.New(d), nil
}
