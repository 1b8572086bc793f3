package evidence

import (
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/claims"
)

// styles maps verdicts to their styles on the page.
var styles = map[claims.Verdict]string{
	claims.Exact: "good", claims.Within: "good", claims.Direction: "fair", claims.Contradicted: "bad",
	claims.Unresolved: "plain", claims.Calibrated: "plain", claims.NotRun: "plain", claims.NotTestable: "plain",
}

// verdicts shows the claims of the study's paper.
func verdicts(f *claims.File, outcomes []claims.Outcome, null claims.Null) page.Section {
	t := &page.Table{Head: []string{"claim", "the paper", "here", "verdict", "cause", "why"}}
	for i := range outcomes {
		o := &outcomes[i]
		t.Rows = append(t.Rows, []string{o.ID + "\n" + o.Claim.Where + "\n" + o.Kind, capital(o.Claim.What) + ":\n" +
			o.Theirs, strings.ReplaceAll(o.Ours, "; ", "\n"), verdictText(o), o.Cause, o.Why})
	}
	t.Class = func(r, c int) string {
		switch c {
		case 0, 4:
			return "lines"
		case 3:
			return styles[outcomes[r].Verdict]
		}
		return "wide"
	}
	text := "Verdicts are given by fixed rules: exact is equal as printed; within has the same sign, and an effect " +
		"within 25 % of the paper's or one percentage point, whichever is larger, or a trend in full; direction is " +
		"the sign or the ordering alone, or most of a trend that the baseline does not show. Beside a verdict stands " +
		"whether the baseline, in the place of every design, would pass too, and whether the claim can fail at all."
	if f.Doc != "" {
		text += " " + f.Doc
	}
	score := capital(null.String()) + "."
	if len(null.IDs) > 0 {
		score += " These are " + strings.Join(null.IDs, ", ") + "."
	}
	counts := claims.Summary(outcomes) + ".\n"
	if s := claims.CauseSummary(outcomes); s != "" {
		counts += s + ".\n"
	}
	sec := page.Section{Title: "Claims of " + f.Title, Text: text, Parts: []page.Part{page.Para(counts + score),
		page.Tab(t)}}
	if reasons := claims.Reasons(outcomes); len(reasons) > 0 {
		sec.Parts = append(sec.Parts, page.Para("Causes of what falls short, with the experiments that show them:"),
			page.Tab(causes(reasons)))
	}
	return sec
}

// verdictText returns a verdict with its marks below it.
func verdictText(o *claims.Outcome) string {
	if m := o.Marks(); m != "" {
		return string(o.Verdict) + "\n" + m
	}
	return string(o.Verdict)
}

// causes shows why claims fall short.
func causes(reasons []claims.Reason) *page.Table {
	t := &page.Table{Head: []string{"cause", "what the experiment shows", "experiment", "claims"}}
	for _, r := range reasons {
		t.Rows = append(t.Rows, []string{r.ID + "\n" + r.Kind, r.Shown, r.Experiment, strings.Join(r.Claims, "\n")})
	}
	t.Class = func(_, c int) string {
		if c == 0 || c == 3 {
			return "lines"
		}
		return "wide"
	}
	return t
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
