package diff

import (
	"fmt"

	"kumiko/internal/page"
)

// row is a part of a Vega-Lite specification, or a row of its data.
type row = map[string]any

// page returns the comparison as a page.
func (d *difference) page() *page.Page {
	p := &page.Page{
		Title:    d.title(),
		Subtitle: fmt.Sprintf("A is %s, B is %s", d.a.name, d.b.name) + d.equalSettings(),
		Footer:   "Kumiko " + d.b.Version + ". Figures: Vega-Lite. The page contains everything that it shows.",
	}
	for _, n := range d.notes {
		p.Badges = append(p.Badges, page.Badge{Text: n})
	}
	main := table{relative: true}
	for i := range d.main[:3] {
		c := &d.main[i]
		p.Tiles = append(
			p.Tiles,
			page.Tile{Label: c.name, Value: main.change(c), Note: number(c.a) + " and " + number(c.b)},
		)
	}
	if len(d.settings) > 0 {
		p.Sections = append(p.Sections, d.settingsSection())
	}
	p.Sections = append(p.Sections, sections(d.tables())...)
	return p
}

// sections returns a section for each table, with a figure where the changes have a unit.
func sections(list []table) (out []page.Section) {
	for _, t := range list {
		s := page.Section{Title: t.title}
		if t.unit != "" && len(t.list) > 1 {
			s.Parts = append(s.Parts, page.Fig("A change to the right: B has more than A.", changes(&t)))
		}
		if t.more > 0 {
			s.Text = fmt.Sprintf("%d more statistics changed.", t.more)
		}
		s.Parts = append(s.Parts, page.Tab(t.html()))
		out = append(out, s)
	}
	return out
}

// title names what both runs have in common once.
func (d *difference) title() string {
	a, b := d.a, d.b
	if len(d.settings) == 1 && a.Program == b.Program && a.Design == b.Design {
		s := &d.settings[0]
		return fmt.Sprintf("%s on %s: %s %s and %s", a.Program, a.GPU, s.key, s.a, s.b)
	}
	if a.Program == b.Program && a.GPU == b.GPU {
		return fmt.Sprintf("%s on %s: %s and %s", a.Program, a.GPU, a.Design, b.Design)
	}
	return d.a.about() + ", and " + d.b.about()
}

// mostOpen is the most settings that differ with which the page begins; more are folded.
const mostOpen = 25

// equalSettings says that no setting differs; empty: some do.
func (d *difference) equalSettings() string {
	if len(d.settings) > 0 {
		return ""
	}
	return "; all settings are equal"
}

func (d *difference) settingsSection() page.Section {
	s := page.Section{Title: "Settings that differ", Folded: len(d.settings) > mostOpen}
	t := &page.Table{Head: []string{"setting", "A", "B"}}
	for _, x := range d.settings {
		t.Rows = append(t.Rows, []string{x.key, x.a, x.b})
	}
	s.Parts = []page.Part{page.Tab(t)}
	return s
}

// leastWidth is the least width of a figure, in pixels.
const leastWidth = 140

// labelRoom is the room of a bar's label at its end, in pixels.
const labelRoom = 76

// changes returns a figure of bars from zero to the change of each row.
func changes(t *table) row {
	var rows []row
	var names []string
	for i := range t.list {
		c := &t.list[i]
		names = append(names, c.name)
		rows = append(rows, row{"name": c.name, "a": c.a, "b": c.b, "change": c.b - c.a, "more": c.b > c.a,
			"text": t.change(c)})
	}
	return row{
		"width": 640, "height": row{"step": 22}, "usermeta": page.Least(leastWidth),
		"data": row{"values": rows},
		"layer": []row{
			{"mark": row{"type": "bar", "height": row{"band": 0.7}}, "encoding": row{
				"color": row{"field": "more", "type": "nominal", "legend": nil,
					"scale": row{"domain": []bool{true, false}, "range": []string{"#b5533c", "#3c7ab5"}}},
				"tooltip": []row{{"field": "name", "title": t.subject},
					{"field": "a", "title": "A", "type": "quantitative", "format": ",.4~g"},
					{"field": "b", "title": "B", "type": "quantitative", "format": ",.4~g"},
					{"field": "change", "title": "change", "type": "quantitative", "format": "+,.4~g"}}}},
			{"mark": row{"type": "text", "fontSize": 11, "color": "#212529",
				"align": row{"expr": "datum.more ? 'left' : 'right'"},
				"dx":    row{"expr": "datum.more ? 4 : -4"}}, "encoding": row{"text": row{"field": "text"}}},
		},
		"encoding": row{
			"y": row{
				"field": "name",
				"type":  "nominal",
				"sort":  names,
				"axis":  row{"title": nil, "ticks": false, "domain": false, "labelLimit": 340},
			},
			"x": row{"field": "change", "type": "quantitative", "title": "change in " + t.unit,
				"scale": row{"padding": labelRoom}, "axis": row{"labelSeparation": 8}},
		},
	}
}

// html returns the table for the page.
func (t *table) html() *page.Table {
	out := &page.Table{Head: []string{t.subject, "A", "B", "change"}, Numeric: []bool{false, true, true, true}}
	for i := range t.list {
		c := &t.list[i]
		out.Rows = append(out.Rows, []string{c.name, number(c.a), number(c.b), t.change(c)})
	}
	return out
}
