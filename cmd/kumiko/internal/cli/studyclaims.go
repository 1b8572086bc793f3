package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/study"
	"kumiko/study/claims"
	"kumiko/study/query"
)

func (a *App) studyClaims() *cobra.Command {
	c := &cobra.Command{Use: "claims [PAPER]", Short: "Judge the papers' claims by the results of the studies",
		Long: "Judge the papers' claims by the results of the studies.\n\nPAPER is one of " +
			strings.Join(study.Papers, ", ") + `, or a TOML file of claims. Without PAPER, judge all papers.

Verdicts follow fixed rules (docs/claims.md). The null score is the number of claims that would pass if every design were
its baseline. With --format json the output is the list alone, and the null score goes to standard error.`,
		Example: `  kumiko study claims gebhart
  kumiko study claims gebhart --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[1], c.UseLine())
			}
			return nil
		}}
	var f recordFlags
	f.add(c)
	out := format(c, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		papers := study.Papers
		if err := f.check(); err != nil {
			return err
		}
		if len(args) == 1 {
			papers = args
		} else if given := f.given(); given != "" {
			return fmt.Errorf("--%s: records are those of one study; expected a PAPER with it", given)
		}
		list := []claims.Outcome{}
		show := a.readProgress()
		for i, paper := range papers {
			show.stage("claims of "+paper, i, len(papers))
			j, err := a.judge(paper, &f)
			show.end()
			if err != nil {
				return err
			}
			list = append(list, j.outcomes...)
			switch {
			case len(j.outcomes) == 0:
			case *out == "json":
				j.remarks(a.notes(), paper)
			default:
				if i > 0 {
					fmt.Fprintln(a.text())
				}
				if err := j.text(a.text()); err != nil {
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

// judged are the claims of a paper with their verdicts.
type judged struct {
	outcomes []claims.Outcome
	null     claims.Null
	// others names the records made by other versions of the simulator; empty if there are none.
	others string
}

// text writes the table, followed by the remarks about the whole table.
func (j *judged) text(w io.Writer) error {
	if err := claims.Text(w, j.outcomes, j.null); err != nil {
		return err
	}
	return noteOthers(w, j.others)
}

// remarks writes the remarks about the whole list of a paper's claims.
func (j *judged) remarks(w io.Writer, paper string) {
	fmt.Fprintf(w, "%s: %s\n", paper, j.null)
	if j.others != "" {
		fmt.Fprintf(w, "%s: note: %s\n", paper, j.others)
	}
}

// judge judges the claims of a paper by the records of its study.
func (a *App) judge(paper string, flags *recordFlags) (*judged, error) {
	f, err := claims.Load(paper)
	if err != nil {
		return nil, err
	}
	if f == nil {
		fmt.Fprintf(a.notes(), "note: no claims of %s are recorded yet\n", paper)
		return &judged{}, nil
	}
	s, err := study.Load(f.Study)
	if err != nil {
		return nil, err
	}
	if errs := f.Check(s); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	d, census, err := a.records(s, flags)
	if err != nil {
		return nil, err
	}
	var q *query.Query // nil: nothing of the study has been run
	out := &judged{}
	if census.Done > 0 {
		q, out.others = query.New(d), census.Others()
	}
	out.outcomes = f.Evaluate(q)
	out.null = claims.NullScore(out.outcomes)
	return out, nil
}

// records returns the records of the study of some claims.
func (a *App) records(s *study.Spec, flags *recordFlags) (*study.Data, *study.Census, error) {
	dir, err := flags.apply(s)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if flags.dir != "" {
			return nil, nil, fmt.Errorf("--dir %s: %w", dir, errors.Unwrap(err))
		}
		return study.NewData(s, nil), &study.Census{}, nil // and no program need be begun for the names of its records
	}
	store, err := study.LookAt(dir)
	if err != nil {
		return nil, nil, err
	}
	a.readProgress().hear(store, a.notes())
	records, census, err := s.Collect(store, s.Points(s.Perturb), a.Version)
	if err != nil {
		return nil, nil, err
	}
	return study.NewData(s, records), census, nil
}
