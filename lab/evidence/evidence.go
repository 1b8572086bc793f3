// Package evidence gives reports of studies what is known of the published designs: the verdicts on the claims of their
// papers, with causes, and the register of deviations.
package evidence

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/internal/nearest"
	"kumiko/internal/page"
	"kumiko/internal/tomldoc"
	"kumiko/lab/claims"
	"kumiko/lab/deviations"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/report"
)

// Published is the evidence about the published designs, and about claims in a file of one's own.
type Published struct{}

// Check lists an unknown paper, unknown deviations, and mistakes in a file of claims.
func (Published) Check(s *study.Spec) []error {
	var errs []error
	for i, n := range s.Notes {
		for _, id := range deviations.References(n.Text) {
			if err := deviations.Unknown(id); err != nil {
				errs = append(errs, tomldoc.Errorf(s.Pos(fmt.Sprintf("note.%d.text", i)), "note: %v", err))
			}
		}
	}
	switch {
	case s.Paper == "" || slices.Contains(claims.Papers, s.Paper):
		return errs
	case !strings.HasSuffix(s.Paper, ".toml"):
		return append(errs, tomldoc.Errorf(s.Pos("paper"), "paper: found %q, expected one of %s, or a file of claims "+
			"ending in .toml%s", s.Paper, strings.Join(claims.Papers, ", "), nearest.Hint(s.Paper, claims.Papers)))
	}
	f, err := claims.Load(s.Paper)
	if err != nil {
		return append(errs, err)
	}
	return append(errs, f.Check(s)...)
}

// Reads returns a function that reports whether the study or the claims about its paper may read a statistic.
func (Published) Reads(s *study.Spec) (func(statistic string) bool, error) { return claims.Reads(s) }

// Appendix returns the verdicts on the claims of the study's paper, and the deviations that concern the study.
func (Published) Appendix(q *query.Query) (*report.Appendix, error) {
	s := q.Data().Spec
	a := &report.Appendix{}
	var f *claims.File
	if s.Paper != "" {
		var err error
		if f, err = claims.Load(s.Paper); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Pos("paper"), err)
		}
		if f == nil {
			a.Claims = []page.Section{{Title: "Claims", Text: "No claims of this paper are recorded yet."}}
		}
	}
	if f != nil {
		outcomes := f.Evaluate(q)
		null := claims.NullScore(outcomes)
		a.Claims, a.Tiles = []page.Section{verdicts(f, outcomes, null)}, tiles(outcomes, null)
	}
	sec, err := notes(s, f)
	a.Notes = []page.Section{sec}
	return a, err
}

// tiles counts the claims that hold.
func tiles(outcomes []claims.Outcome, null claims.Null) []page.Tile {
	passed, all := 0, 0
	for v, n := range claims.Counts(outcomes) {
		if all += n; v.Passes() {
			passed += n
		}
	}
	return []page.Tile{
		{Label: "Claims that hold", Value: fmt.Sprintf("%d of %d", passed, all), Note: "exact, within or direction"},
		{Label: "Null score", Value: fmt.Sprintf("%d of %d", null.Passed, null.Of), Note: "if the designs did nothing"},
	}
}
