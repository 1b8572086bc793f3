package report

import (
	"strings"

	"kumiko/internal/page"
	"kumiko/study/claims"
)

// looks are how verdicts are shown.
var looks = map[claims.Verdict]string{
	claims.Exact: "good", claims.Within: "good", claims.Direction: "fair", claims.Contradicted: "bad",
	claims.Unresolved: "plain", claims.Calibrated: "plain", claims.NotRun: "plain", claims.NotTestable: "plain",
}

// verdicts shows the claims of the study's paper.
func verdicts(f *claims.File, outcomes []claims.Outcome, null claims.Null) page.Section {
	t := &page.Table{Head: []string{"claim", "the paper", "here", "verdict", "why"}}
	for i := range outcomes {
		o := &outcomes[i]
		t.Rows = append(t.Rows, []string{o.ID + "\n" + o.Claim.Where + "\n" + o.Kind, capital(o.Claim.What) + ":\n" +
			o.Theirs, strings.ReplaceAll(o.Ours, "; ", "\n"), string(o.Verdict), o.Why})
	}
	t.Class = func(r, c int) string {
		switch c {
		case 0:
			return "lines"
		case 3:
			return looks[outcomes[r].Verdict]
		}
		return "wide"
	}
	text := "Verdicts are given by fixed rules: exact is equal as printed; within has the same sign, and an effect " +
		"within 25 % of the paper's or one percentage point, whichever is larger, or a trend in full; direction is " +
		"the sign or the ordering alone."
	if f.Doc != "" {
		text += " " + f.Doc
	}
	score := capital(null.String()) + "."
	if len(null.IDs) > 0 {
		score += " These are " + strings.Join(null.IDs, ", ") + "."
	}
	return page.Section{Title: "Claims of " + f.Title, Text: text, Parts: []page.Part{
		page.Para(claims.Summary(outcomes) + ".\n" + score), page.Tab(t)}}
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
