package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/query"
)

type row = map[string]any

// Figure is a figure of a report: a specification, or the missing points.
type Figure struct {
	ID, Title, Caption string
	Spec               map[string]any // nil when there is nothing to draw
	// Missing are the missing points. Without them parts of the figure, or all of it, are
	// absent.
	Missing []string
	// Failed is the reason for a missing figure despite present data.
	Failed string

	// Where is the place in the paper.
	Where string
	// Values are the drawn values; nil if there are none. Stated are the paper's numbers for the figure as a whole.
	Values *page.Table
	Stated []string

	svg []byte // as Report.Draw has drawn it
}

// Part returns the figure as a part of a page.
func (f *Figure) Part() page.Part {
	if f.Failed != "" {
		return page.Para(f.Title + ": " + f.Failed + ".")
	}
	if f.Spec == nil {
		text := f.Title + ": not drawn, because nothing that it shows has been run."
		if len(f.Missing) > 0 {
			text += " Missing: " + query.Brief(f.Missing, 8) + "."
		}
		return page.Para(text)
	}
	caption := f.Caption
	if len(f.Missing) > 0 {
		caption += fmt.Sprintf(" Incomplete: what needs these points is left out, %s.", query.Brief(f.Missing, 8))
	}
	return page.Fig(strings.TrimSpace(caption), f.Spec)
}

// points are the values of a figure.
type points struct {
	rows      []row
	names     []string // of the series, in order
	labels    []string // of x, in order
	intervals bool
	means     int // number of means, the labels at the end after an empty one
	samples   map[place][]float64
	missing   []string
	undefined []string // where expressions are no number
	present   []query.Present
	few       []string // points with few waves
}

// collect evaluates the expressions of a figure.
func collect(q *query.Query, f *study.Figure) (*points, error) {
	xs, err := q.Data().Spec.Over(f.Over, f.Values, f.Labels)
	if err != nil {
		return nil, err
	}
	list, err := q.Data().Spec.Curves(f.Series)
	if err != nil {
		return nil, err
	}
	p := &points{samples: map[place][]float64{}}
	for _, x := range xs {
		p.labels = append(p.labels, x.Label)
	}
	for i, c := range list {
		p.names = append(p.names, c.Name)
		for k, x := range xs {
			r := row{"x": x.Label, "place": k, "series": c.Name, "order": i}
			if v, ok := x.Value.(float64); ok {
				r["at"] = v
			}
			whole, err := p.value(q, r, "y", c.Y, query.At{X: x.Value, S: c.S})
			if err == nil && whole && c.X != "" {
				whole, err = p.value(q, r, "at", c.X, query.At{X: x.Value, S: c.S})
			}
			if err == nil && whole {
				err = p.noise(q, r, f, c.Y, query.At{X: x.Value, S: c.S})
			}
			if errors.Is(err, query.ErrUndefined) {
				p.undefined = append(p.undefined, strings.TrimSpace(c.Name+" at "+x.Label))
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("series %s at %s: %w", c.Name, x.Label, err)
			}
			if whole {
				p.append(r)
			}
		}
	}
	p.addMeans(f, len(xs))
	slices.Sort(p.missing)
	p.missing = slices.Compact(p.missing)
	return p, nil
}

// append adds a row, with its description for readers without sight.
func (p *points) append(r row) {
	r["about"] = strings.TrimPrefix(fmt.Sprintf("%s, %s: %.4g", r["series"], r["x"], r["y"]), ", ")
	p.rows = append(p.rows, r)
}

// value evaluates one expression into a row; false when points are missing.
func (p *points) value(q *query.Query, r row, field, code string, at query.At) (bool, error) {
	v, err := q.Eval(code, at)
	if err != nil {
		return false, err
	}
	if v.NotRun() {
		p.missing = append(p.missing, v.Missing...)
		return false, nil
	}
	n, ok := v.Number()
	if !ok {
		return false, fmt.Errorf("%s gives %v, expected a number", code, v.V)
	}
	r[field] = n
	p.few = append(p.few, v.Few...)
	for _, x := range v.Present {
		if !slices.Contains(p.present, x) {
			p.present = append(p.present, x)
		}
	}
	return true, nil
}

// NewFigure evaluates a figure of a study. It returns an error for a mistake in the study.
func NewFigure(q *query.Query, f *study.Figure) (*Figure, error) {
	p, err := collect(q, f)
	if err != nil {
		return nil, err
	}
	out := &Figure{ID: f.ID, Title: titled(f.Title, f.Where), Where: f.Where, Caption: f.Doc, Missing: p.missing,
		Stated: stated(f)}
	for _, n := range p.present {
		if n.Have < n.Of {
			out.Caption += fmt.Sprintf(" Over %d of %d benchmarks.", n.Have, n.Of)
		}
	}
	if f.Kind == "stack" {
		p.intervals = false
	}
	if p.intervals {
		out.Caption += " " + errorBars
	}
	out.Caption += fewWaves(q.Data(), p.few)
	if len(p.undefined) > 0 {
		out.Caption += " Not defined, because something is divided by zero: " + strings.Join(p.undefined, ", ") + "."
	}
	if len(p.rows) == 0 {
		return out, nil
	}
	d := newDrawing(f, p)
	out.Spec, out.Values = d.spec(out.Title), tableOf(f, p)
	return out, nil
}

// titled returns a title with its place in the paper.
func titled(title, where string) string {
	if where == "" {
		return title
	}
	return title + " (" + where + ")"
}

func hasAt(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return r["at"] == nil })
}
