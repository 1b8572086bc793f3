package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/command"
	"kumiko/lab/claims"
	"kumiko/study"
	"kumiko/study/query"
)

// judge is the command study claims.
func judge(h *command.StudyHost) *cobra.Command {
	c := &cobra.Command{Use: "claims [PAPER]", Short: "Judge the papers' claims by the results of the studies",
		Long: "Judge the papers' claims by the results of the studies.\n\nPAPER is one of " +
			strings.Join(claims.Papers, ", ") + `, or a TOML file of claims. Without PAPER, judge all papers.

Verdicts follow fixed rules (lab/docs/claims.md). The null score is the number of claims that would pass if every design were
its baseline. With --format json the output is the list alone, and the null score goes to standard error.`,
		Example: `  kumiko study claims gebhart
  kumiko study claims gebhart --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[1], c.UseLine())
			}
			return nil
		}}
	h.AddFlags(c)
	out := h.Format(c, "text", "json")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return claims.Papers, cobra.ShellCompDirectiveDefault
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		papers := claims.Papers
		if err := h.CheckFlags(); err != nil {
			return err
		}
		if len(args) == 1 {
			papers = args
		} else if given := h.GivenFlag(); given != "" {
			return fmt.Errorf("--%s: records are those of one study; expected a PAPER with it", given)
		}
		list := []claims.Outcome{}
		for i, paper := range papers {
			h.Stage("claims of "+paper, i, len(papers))
			j, err := judgePaper(h, paper)
			h.EndStage()
			if err != nil {
				return err
			}
			list = append(list, j.outcomes...)
			switch {
			case len(j.outcomes) == 0:
			case *out == "json":
				j.remarks(h.Notes(), paper)
			default:
				if i > 0 {
					fmt.Fprintln(h.Text())
				}
				if err := j.text(h.Text()); err != nil {
					return err
				}
			}
		}
		if *out == "json" {
			return h.WriteJSON(list)
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
	_, err := io.WriteString(w, j.note(""))
	return err
}

// remarks writes the remarks about the whole list of a paper's claims.
func (j *judged) remarks(w io.Writer, paper string) {
	fmt.Fprintf(w, "%s: %s\n%s", paper, j.null, j.note(paper+": "))
}

// note says that some records come from another version of the simulator, if so.
func (j *judged) note(before string) string {
	if j.others == "" {
		return ""
	}
	return before + "note: " + j.others + "\n"
}

// judgePaper judges the claims of a paper by the records of its study.
func judgePaper(h *command.StudyHost, paper string) (*judged, error) {
	f, err := claims.Load(paper)
	if err != nil {
		return nil, err
	}
	if f == nil {
		fmt.Fprintf(h.Notes(), "note: no claims of %s are recorded yet\n", paper)
		return &judged{}, nil
	}
	s, err := study.Load(f.Study)
	if err != nil {
		return nil, err
	}
	if errs := f.Check(s); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	d, census, err := h.Records(s)
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
