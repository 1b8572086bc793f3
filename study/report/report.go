package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/query"
)

// Input is the input of a report.
type Input struct {
	Data *study.Data
	// Census counts the study's records; it may be nil.
	Census *study.Census
	// Evidence adds what is known of the study's paper; it may be nil.
	Evidence Evidence
	Version  string // of the simulator making the page
	// First and Last are the times of writing of the oldest and the newest
	// record; zero if unknown.
	First, Last time.Time
}

// Report is a study's report before it is a page.
type Report struct {
	in       *Input
	Figures  []*Figure
	tables   []page.Part
	appendix *Appendix
	problems []string
}

// New evaluates everything shown in the report. If the records do not allow a figure or table, the reason
// stands in its place, and is a problem of the report.
func New(in *Input) (*Report, error) {
	q, s := query.New(in.Data), in.Data.Spec
	r := &Report{in: in}
	for i := range s.Figures {
		d := &s.Figures[i]
		f, err := NewFigure(q, d)
		if err != nil {
			f = &Figure{ID: d.ID, Title: titled(d.Title, d.Where), Failed: r.problem("figure", d.ID,
				"it cannot be worked out", s.Pos(fmt.Sprintf("figure.%d", i)), err)}
		}
		r.Figures = append(r.Figures, f)
	}
	r.Figures = append(r.Figures, IssueSlots(in.Data))
	for i := range s.Tables {
		t, err := NewTable(q, &s.Tables[i])
		if err != nil {
			r.tables = append(r.tables, page.Para(r.problem("table", s.Tables[i].ID, "it cannot be worked out",
				s.Pos(fmt.Sprintf("table.%d", i)), err)+"."))
			continue
		}
		r.tables = append(r.tables, page.Tab(t))
	}
	if in.Evidence == nil {
		r.appendix = withoutEvidence(s)
		return r, nil
	}
	var err error
	r.appendix, err = in.Evidence.Appendix(q)
	return r, err
}

// problem records a missing part of the report, and returns the reason for its place.
func (r *Report) problem(kind, id, what string, at fmt.Stringer, err error) string {
	why, _, _ := strings.Cut(err.Error(), "\n")
	place := ""
	if at != nil {
		place = at.String() + ": "
	}
	r.problems = append(r.problems, fmt.Sprintf("%s%s %s: %s: %s", place, kind, id, what, why))
	return what + ": " + why
}

// Tables returns the tables of the study, in its order; a paragraph stands for a table that cannot be made.
func (r *Report) Tables() []page.Part { return r.tables }

// Problems returns the figures and tables missing from the report, with the
// reasons.
func (r *Report) Problems() []string { return r.problems }

// Page returns the report as a page.
func (r *Report) Page() *page.Page {
	s, c := r.in.Data.Spec, r.in.Census
	p := &page.Page{Title: s.Title, Subtitle: s.Doc, Tiles: r.tiles(),
		Footer: "Kumiko " + r.in.Version + ". Figures: Vega-Lite. The page contains everything that it shows."}
	if c != nil && len(c.Missing)+len(c.Failed) > 0 {
		p.Badges = append(p.Badges, page.Badge{Text: fmt.Sprintf("incomplete: %d of %d points missing, %d failed",
			len(c.Missing), c.Points, len(c.Failed))})
	}
	if c != nil && c.Others() != "" {
		p.Badges = append(p.Badges, page.Badge{Text: c.Others()})
	}
	for _, remark := range outOfPlace(r.in.Data) {
		p.Badges = append(p.Badges, page.Badge{Text: remark})
	}
	n := len(r.Figures) - 1
	if n > 0 {
		sec := page.Section{Title: "Figures"}
		if slices.ContainsFunc(s.Figures, func(f study.Figure) bool { return len(f.Marks) > 0 }) {
			sec.Text = "Ours in colours; what the paper states in red."
		}
		for _, f := range r.Figures[:n] {
			sec.Parts = append(sec.Parts, f.Part())
		}
		p.Sections = append(p.Sections, sec)
	}
	for i, t := range r.tables {
		d := &s.Tables[i]
		if t.Table != nil {
			t = page.Tab(turned(t.Table))
		}
		p.Sections = append(p.Sections, page.Section{Title: titled(d.Title, d.Where), Parts: []page.Part{t}})
	}
	p.Sections = append(p.Sections, page.Section{Title: "Where the issue slots went",
		Parts: []page.Part{r.Figures[n].Part()}})
	if sec, ok := pairs(r.in.Data); ok {
		p.Sections = append(p.Sections, sec)
	}
	p.Sections = append(append(p.Sections, r.appendix.Claims...), fair(r.in.Data))
	differing, whole := configuration(s)
	p.Sections = slices.Concat(p.Sections, r.appendix.Notes, differing, []page.Section{provenance(r.in), whole})
	return p
}

func (r *Report) tiles() []page.Tile {
	s := r.in.Data.Spec
	tiles := []page.Tile{
		{Label: "Variants", Value: fmt.Sprint(len(s.Variants)), Note: "configurations of the machine"},
		{Label: "Benchmarks", Value: fmt.Sprint(len(s.Groups[study.AllGroup])), Note: "at size " + s.Size},
	}
	if c := r.in.Census; c != nil {
		tiles = append(tiles, page.Tile{Label: "Points done", Value: fmt.Sprintf("%d of %d", c.Done, c.Points),
			Note: fmt.Sprintf("runs and access streams; %d failed", len(c.Failed))})
	}
	return append(tiles, r.appendix.Tiles...)
}
