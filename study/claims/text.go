package claims

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Counts is how many outcomes have each verdict.
func Counts(outcomes []Outcome) map[Verdict]int {
	out := map[Verdict]int{}
	for i := range outcomes {
		out[outcomes[i].Verdict]++
	}
	return out
}

// Summary is the counts in words.
func Summary(outcomes []Outcome) string {
	n := Counts(outcomes)
	parts := []string{}
	for _, v := range Verdicts {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	return fmt.Sprintf("%d claims: %s", len(outcomes), strings.Join(parts, ", "))
}

// Text writes a table of outcomes, the counts and the null score.
func Text(w io.Writer, outcomes []Outcome, null Null) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "claim\tkind\tverdict\ttheirs\tours")
	for i := range outcomes {
		o := &outcomes[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", o.ID, o.Kind, o.Verdict, short(o.Theirs, 48), short(o.Ours, 64))
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
	_, err := fmt.Fprintf(w, "\n%s\n%s\n", Summary(outcomes), null)
	if err == nil && len(null.IDs) > 0 {
		_, err = fmt.Fprintf(w, "these are %s\n", strings.Join(null.IDs, ", "))
	}
	return err
}

// short cuts a text to so many characters.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}
