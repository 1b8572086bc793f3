// Package page makes self-contained pages of text, tables and figures. A page is one HTML file without need for a
// network or a server. Figures are Vega-Lite specifications. The reader's browser draws them as SVG with the
// libraries of third_party/vega, contained in the page.
//
// The package is independent of GPUs.
package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"strings"

	"kumiko/third_party/vega"
)

// Page is a document.
type Page struct {
	Title    string
	Subtitle string
	Badges   []Badge
	Tiles    []Tile
	Sections []Section
	Footer   string
}

// Badge is a short status.
type Badge struct {
	Text string
	Good bool
}

// Tile is a prominent number.
type Tile struct{ Label, Value, Note string }

// Section is a part with a heading. A Folded section opens on a click, and to be printed. A section of the Screen is
// not printed.
type Section struct {
	Title  string
	Text   string
	Folded bool
	Screen bool
	Parts  []Part
}

// Part is a figure, lanes, a diagram, a comparison, a table, a paragraph, or a group of parts under a heading of its
// own.
type Part struct {
	Figure  *Figure
	Lanes   *Lanes
	Diagram *Diagram
	Pairs   *Pairs
	Table   *Table
	Text    string
	Group   *Group
}

// Group is a group of parts under a heading. A Folded group opens on a click. Its figures are drawn only then.
type Group struct {
	Title  string
	Folded bool
	Parts  []Part
}

// Para returns a paragraph.
func Para(text string) Part { return Part{Text: text} }

// Tab returns a part with a table.
func Tab(t *Table) Part { return Part{Table: t} }

// Figure is a Vega-Lite specification with a caption. The page sets the schema, the font, and the colours of axes.
// Everything else is in the specification.
type Figure struct {
	Caption string
	Spec    map[string]any
}

// Table has a head and rows of text. Columns marked Numeric are aligned right.
type Table struct {
	Caption string
	Head    []string
	Numeric []bool
	Rows    [][]string
	// Class, if not nil, returns the style of a cell: good, fair, bad, plain, strong, wide (long text), lines (with
	// the subject in the first line), unit (not broken), or "".
	Class func(row, column int) string
	ID    func(row int) string // if not nil, returns the anchor of a row, unique on the page
}

// Fig returns a part with a figure.
func Fig(caption string, spec map[string]any) Part { return Part{Figure: &Figure{caption, spec}} }

// fewColumns is the most columns of a table that fits a phone, where the names in it are broken. Wider tables scroll
// there, with their first columns in sight.
const fewColumns = 4

// mostPrinted is the most columns of a table that a printed sheet has room for in letters of the page's size.
const mostPrinted = 8

//go:embed page.html.tmpl
var text string

var tmpl = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind":  kind,
	"few":   func(t *Table) bool { return len(t.Head) <= fewColumns },
	"many":  func(t *Table) bool { return len(t.Head) > mostPrinted },
	"ab":    func() []string { return []string{"A", "B"} },
	"class": func(t *Table, row, column int) string { return t.class(row, column) },
	"id":    func(t *Table, row int) string { return t.id(row) },
	"num":   func(t *Table, i int) bool { return i < len(t.Numeric) && t.Numeric[i] },
}).Parse(text))

// kind returns the kind of a part for the template.
func kind(part any) string {
	switch part.(type) {
	case *figure:
		return "figure"
	case *lanes:
		return "lanes"
	case *diagram:
		return "diagram"
	case *pairs:
		return "pairs"
	case *Table:
		return "table"
	case group:
		return "group"
	}
	return "text"
}

func (t *Table) id(row int) string {
	if t.ID == nil {
		return ""
	}
	return t.ID(row)
}

func (t *Table) class(row, column int) string {
	var out string
	if column < len(t.Numeric) && t.Numeric[column] {
		out = "num"
	}
	if t.Class != nil {
		if c := t.Class(row, column); c != "" {
			out = strings.TrimSpace(out + " " + c)
		}
	}
	return out
}

// group is the form of a Group used by the template.
type group struct {
	Title  string
	Folded bool
	Parts  []any
}

// figure is the form of a Figure used by the template.
type figure struct {
	ID      string
	Caption string
	Spec    template.JS
}

type section struct {
	Title, Text string
	Folded      bool
	Screen      bool
	Parts       []any
}

// Write writes the page. An error is the writer's, or names a figure that cannot be encoded as JSON.
func (p *Page) Write(w io.Writer) error {
	var sections []section
	var n counts
	for _, s := range p.Sections {
		parts, err := n.prepare(s.Parts)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Title, err)
		}
		sections = append(sections, section{Title: s.Title, Text: s.Text, Folded: s.Folded, Screen: s.Screen,
			Parts: parts})
	}
	return tmpl.Execute(w, map[string]any{
		"Page": p, "Sections": sections, "Figures": n.figures > 0, "HasDiagram": n.diagrams > 0,
		"HasPairs": n.pairs > 0, "Pairs": template.JS(pairsScript),
		"Lanes":     template.JS(lanesScript),
		"Diagrams":  template.JS(diagramScript),
		"Libraries": []template.JS{template.JS(vega.Vega), template.JS(vega.Lite), template.JS(vega.Embed)},
	})
}

// counts numbers the figures of a page, and counts its diagrams and comparisons.
type counts struct{ figures, diagrams, pairs int }

// prepare converts parts for the template.
func (n *counts) prepare(parts []Part) (out []any, err error) {
	for _, part := range parts {
		switch {
		case part.Table != nil:
			out = append(out, part.Table)
		case part.Group != nil:
			inner, err := n.prepare(part.Group.Parts)
			if err != nil {
				return nil, err
			}
			out = append(out, group{part.Group.Title, part.Group.Folded, inner})
		case part.Lanes != nil:
			n.figures++
			l, err := part.Lanes.prepared(n.figures)
			if err != nil {
				return nil, err
			}
			out = append(out, l)
		case part.Diagram != nil:
			n.diagrams++
			d, err := part.Diagram.prepared()
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		case part.Pairs != nil:
			n.pairs++
			p, err := part.Pairs.prepared()
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		case part.Figure != nil:
			n.figures++
			spec, err := json.Marshal(Complete(part.Figure.Spec))
			if err != nil {
				return nil, fmt.Errorf("figure %d: %w", n.figures, err)
			}
			// encoding/json writes < as \u003c, so that no specification can end the enclosing script element.
			out = append(out, &figure{fmt.Sprintf("figure-%d", n.figures), part.Figure.Caption, template.JS(spec)})
		default:
			out = append(out, part.Text)
		}
	}
	return out, nil
}

// Least is the "usermeta" of a figure that a narrow window may draw narrower than its width, down to some pixels.
func Least(width int) map[string]any { return map[string]any{"least": width} }

// Map is the "usermeta" of a map that a narrow window may draw narrower, down to least pixels. rows is the parameter
// (Texts) with the names of its rows, and title that of its title; "" is no title. In the narrow drawing the labels of
// columns have this angle, and a row has this height in pixels.
func Map(least, row int, title, rows string, angle int) map[string]any {
	return map[string]any{"least": least,
		"map": map[string]any{"title": title, "rows": rows, "angle": angle, "row": row}}
}

// ink is the colour of a figure's texts.
const ink = "#212529"

// Complete returns a specification with the settings common to all figures.
func Complete(spec map[string]any) map[string]any {
	out := map[string]any{
		"$schema":    "https://vega.github.io/schema/vega-lite/v6.json",
		"background": "transparent",
		"config": map[string]any{
			"font": "system-ui, sans-serif",
			"axis": map[string]any{"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 500,
				"labelColor": ink, "titleColor": ink, "gridColor": "#e9ecef", "domainColor": "#868e96",
				"tickColor": "#868e96", "labelLimit": 400},
			// Legends stand above all figures, one below the other, so that the figure
			// is never wider than its card.
			"legend": map[string]any{"orient": "top", "direction": "horizontal", "labelFontSize": 11,
				"titleFontSize": 12, "titleFontWeight": 500, "labelColor": ink, "titleColor": ink,
				"labelLimit": 860, "titleLimit": 860, "columnPadding": 14, "rowPadding": 3,
				"layout": map[string]any{"top": map[string]any{"direction": "vertical", "anchor": "start",
					"margin": 6}}},
			"title": map[string]any{"fontSize": 13, "fontWeight": 600, "anchor": "start", "color": ink},
			"view":  map[string]any{"stroke": nil},
		},
	}
	maps.Copy(out, spec)
	return out
}

// palette has the colours of reasons and warp states: green for used slots, blue for waits for memory, grey for
// slots without a warp able to use them.
var palette = map[string]string{
	"issued": "#2f9e44", "ready": "#2f9e44", "regfile_full": "#d9480f",
	"unit_full": "#f76707", "lsu_full": "#9c36b5", "shared_full": "#f03e3e", "cache_full": "#3bc9db",
	"memory_full": "#74c0fc", "scoreboard": "#f59f00", "memory": "#1971c2",
	"fence": "#7048e8", "unpaired": "#ffa8a8", "inserted": "#a9e34b", "inactive": "#0b7285", "barrier": "#c2255c",
	"no_instruction": "#8d6e63", "drain": "#adb5bd", "empty": "#e9ecef",
}

// others are the colours of further reasons.
var others = []string{"#e64980", "#66a80f", "#ffd43b", "#862e9c", "#495057", "#15aabf", "#a61e4d", "#1864ab", "#b197fc",
	"#d0bfa0"}

// Colours returns the scale of colours of a list of reasons or states, the same on all pages.
func Colours(names []string) map[string]any {
	var out []string
	next := 0
	for _, n := range names {
		c := palette[n]
		if c == "" {
			c = others[next%len(others)]
			next++
		}
		out = append(out, c)
	}
	return map[string]any{"domain": names, "range": out}
}
