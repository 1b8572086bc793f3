package report

import (
	"testing"

	"kumiko/study"
)

func TestTheNameOfAPointDoesNotLieUponItsBarOfError(t *testing.T) {
	p := bars(1.0, 1.2, 1.1)
	p.intervals = true
	for _, r := range p.rows {
		y := r["y"].(float64)
		r["low"], r["high"] = y-0.05, y+0.02
	}
	d := newDrawing(&study.Figure{Kind: study.Scatter}, p)
	d.place()
	placed := 0
	for _, r := range p.rows {
		dy, ok := r["dy"].(float64)
		if !ok {
			continue
		}
		placed++
		at := height - d.ys.pixels(r["y"].(float64)) + dy
		top, bottom := height-d.ys.pixels(r["high"].(float64)), height-d.ys.pixels(r["low"].(float64))
		if at+labelSize/2 > top && at-labelSize/2 < bottom {
			t.Errorf("%s lies at %v, its bar of error from %v to %v", r["x"], at, top, bottom)
		}
	}
	if placed == 0 {
		t.Error("no point has its name")
	}
}

func TestATitleOfXIsNotBrokenWhereItHasRoom(t *testing.T) {
	const title = "issue slots that are lost to busy operand collectors"
	d := newDrawing(&study.Figure{Kind: study.Scatter, X: study.Axis{Title: title}}, bars(1, 2, 3))
	d.x()
	for _, p := range d.texts.Params() {
		if list, ok := p.(row)["value"].([]string); ok && len(list) > 1 {
			t.Errorf("the title is %q", list)
		}
	}
}

// Points upon each other have their names above, below and beside them.
func TestPointsUponEachOtherHaveTheirNamesAroundThem(t *testing.T) {
	var rows []row
	for range 6 {
		rows = append(rows, row{"x": "a name", "at": 1.0, "y": 1.0})
	}
	rows = append(rows, row{"x": "far", "at": 0.5, "y": 0.1}, row{"x": "far", "at": 1.5, "y": 2.0})
	d := newDrawing(&study.Figure{Kind: study.Scatter}, &points{rows: rows, labels: []string{"a", "b"}})
	d.place()
	var boxes []box
	for i, r := range rows {
		dx, ok := r["dx"].(float64)
		if !ok {
			t.Fatalf("point %d has no name", i)
		}
		half := labelWidth * float64(len(r["x"].(string))) / 2
		x, y := d.xs.pixels(r["at"].(float64))+dx, height-d.ys.pixels(r["y"].(float64))+r["dy"].(float64)
		b := box{x - half, x + half, y - labelSize/2, y + labelSize/2}
		for _, o := range boxes {
			if b.hits(o) {
				t.Errorf("the name of point %d lies upon another", i)
			}
		}
		boxes = append(boxes, b)
	}
}

func TestAValueHasTheDigitsOfItsInterval(t *testing.T) {
	for _, c := range []struct {
		y, half float64
		want    string
	}{
		{1.25, 0.0035, "1.2500 ± 0.0035"},
		{0.5643, 0.0028, "0.5643 ± 0.0028"},
		{1.0012, 6.6e-6, "1.00120 ± 0.00001"},
		{4747.4, 12.4, "4747 ± 12"},
		{0, 0.0204, "0.000 ± 0.020"},
		{-12.345, 0.2, "-12.35 ± 0.20"},
	} {
		r := row{"y": c.y, "low": c.y - c.half, "high": c.y + c.half}
		if got := valueText(&study.Axis{}, r); got != c.want {
			t.Errorf("%v by %v: %q, want %q", c.y, c.half, got, c.want)
		}
	}
	r := row{"y": 0.194, "low": 0.191, "high": 0.197}
	if got, table := valueText(&study.Axis{Share: true}, r), spread(0.194, 0.003, study.Percent); got !=
		"19.4 ± 0.3 %" || table != got {
		t.Errorf("%q in a figure and %q in a table, want 19.4 ± 0.3 %%", got, table)
	}
}

// A bar down to the axis has no room for its value below it.
func TestABarThatReachesTheAxisHasItsValueAtItsBeginning(t *testing.T) {
	from, low := 1.0, 0.85
	d := newDrawing(&study.Figure{Kind: study.Bar, Y: study.Axis{From: &from, Min: &low}}, bars(1.04, 0.85, 0.98))
	d.valueLabels()
	for _, r := range d.rows {
		y := r["y"].(float64)
		end := y
		if y == 0.85 {
			end = from
		}
		if r["value"] != d.value(r) || r["end"] != end || r["up"] != (end >= from) {
			t.Errorf("the bar of %v: value %v at %v, up %v; want it at %v", y, r["value"], r["end"], r["up"], end)
		}
	}
}

func TestAnAxisHasRoomForTheValueOfItsLowestBar(t *testing.T) {
	from := 1.0
	for _, values := range [][]float64{{1.04, 0.85, 0.98}, {0.88, 0.87}, {1.9, 1.5, 0.99}} {
		d := newDrawing(&study.Figure{Kind: study.Bar, Y: study.Axis{From: &from}}, bars(values...))
		d.valueLabels()
		for _, r := range d.rows {
			if y := r["y"].(float64); r["end"] != y || r["up"] != (y >= from) {
				t.Errorf("the bar of %v among %v: value at %v, up %v; want it at the end", y, values, r["end"], r["up"])
			}
		}
		if top := d.ys.pixels(max(values[0], from)); top > height-d.labelRoom()+0.5 {
			t.Errorf("the highest of %v ends at %v of %v pixels, without room for its value", values, top, height)
		}
	}
}
