package report

import (
	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/query"
)

// Evidence is what is known of a study beyond its records: the claims of its paper, and where Kumiko deviates from the
// paper. The simulator itself has none; package lab/evidence provides it.
type Evidence interface {
	// Check lists, as *tomldoc.Error, what the study names and the evidence lacks.
	Check(s *study.Spec) []error
	// Reads returns a function that reports whether the study or the evidence about it may read a statistic
	// (query.Reads), so that a pack keeps the statistic.
	Reads(s *study.Spec) (func(statistic string) bool, error)
	// Appendix returns the parts of the study's report that the evidence adds.
	Appendix(q *query.Query) (*Appendix, error)
}

// Appendix is what evidence adds to a report.
type Appendix struct {
	Tiles  []page.Tile    // at the head of the page
	Claims []page.Section // after the issue slots
	Notes  []page.Section // in place of the notes of the study, before the configuration
}

// withoutEvidence returns the appendix of a study for which there is no evidence: the study's notes, and if it follows
// a paper, a note that this program does not judge the paper's claims.
func withoutEvidence(s *study.Spec) *Appendix {
	a := &Appendix{}
	if s.Paper != "" {
		a.Claims = []page.Section{{Title: "Claims", Text: "This program judges no claims: the laboratory's does " +
			"(go run ./lab/kumiko study claims)."}}
	}
	if len(s.Notes) > 0 {
		sec := page.Section{Title: "Notes"}
		for _, n := range s.Notes {
			sec.Parts = append(sec.Parts, page.Part{Group: &page.Group{Title: n.Title,
				Parts: []page.Part{page.Para(n.Text)}}})
		}
		a.Notes = []page.Section{sec}
	}
	return a
}
