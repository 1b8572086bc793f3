package claims

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// NullMark marks a verdict if the null design passes too.
const NullMark = "null passes"

// Marks returns a mark for the outcome beside its verdict, of a word or two.
func (o *Outcome) Marks() string {
	switch {
	case o.Claim.Reading != "":
		return "another reading"
	case !o.Counted:
		return "cannot fail"
	case o.Null:
		return NullMark
	}
	return ""
}

// Text writes a table of outcomes, the causes, the counts and the null score.
func Text(w io.Writer, outcomes []Outcome, null Null) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "claim\tkind\tverdict\tmark\tcause\ttheirs\tours")
	for i := range outcomes {
		o := &outcomes[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.ID, o.Kind, o.Verdict, o.Marks(), o.Cause,
			short(o.Theirs, 48), short(o.Ours, 64))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range outcomes {
		if o := &outcomes[i]; strings.HasPrefix(o.Why, unmeasured) {
			why, _, _ := strings.Cut(o.Why, "\n")
			fmt.Fprintf(w, "%s: %s\n", o.ID, why)
		}
	}
	if reasons := Reasons(outcomes); len(reasons) > 0 {
		fmt.Fprintln(w, "\ncauses, each with the experiment that shows it:")
		for _, r := range reasons {
			fmt.Fprintf(w, "  %s (%s): %s\n    %s\n    %s\n", r.ID, r.Kind, r.Shown, r.Experiment,
				strings.Join(r.Claims, ", "))
		}
	}
	fmt.Fprintf(w, "\n%s\n", Summary(outcomes))
	if s := CauseSummary(outcomes); s != "" {
		fmt.Fprintln(w, s)
	}
	_, err := fmt.Fprintln(w, null)
	if err == nil && len(null.IDs) > 0 {
		_, err = fmt.Fprintf(w, "these are %s\n", strings.Join(null.IDs, ", "))
	}
	return err
}

// short cuts a text to n characters.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}
