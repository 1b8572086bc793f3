package report

import (
	"math"
	"strings"
	"testing"

	"kumiko/study"
	"kumiko/study/query"
)

// bars are the values of one series over numbered places.
func bars(values ...float64) *points {
	p := &points{names: []string{"s"}, samples: map[place][]float64{}}
	for i, v := range values {
		p.labels = append(p.labels, string(rune('a'+i)))
		p.append(row{"x": p.labels[i], "place": i, "at": float64(i + 1), "series": "s", "order": 0, "y": v})
	}
	return p
}

func off() *bool { return new(bool) }

func one() *float64 { x := 1.0; return &x }

func TestBarsBeginWhereTheStudySays(t *testing.T) {
	for _, c := range []struct {
		name            string
		y               study.Axis
		low, high, from float64
	}{
		{"zero", study.Axis{}, 0, 1.2, 0},
		{"from 1", study.Axis{From: one()}, 0.9537, 1.04, 1}, // 0.96, and room for its value below
		{"not zero", study.Axis{Zero: off()}, 0.94, 1.04, 0.94},
	} {
		f := &study.Figure{Kind: study.Bar, Y: c.y}
		d := newDrawing(f, bars(0.96, 1.03, 1.01))
		s := d.ys
		if math.Abs(s.low-c.low) > 1e-4 || s.high < 1.03 || s.high > c.high+0.1 ||
			math.Abs(s.barStart(f)-c.from) > 1e-9 {
			t.Errorf("%s: the axis goes from %v to %v, bars begin at %v", c.name, s.low, s.high, s.barStart(f))
		}
		layers := d.spec("t")["layer"].([]any)
		base, ok := layers[0].(row)["encoding"].(row)["y2"]
		if ok != (c.from != 0) || ok && math.Abs(base.(row)["datum"].(float64)-c.from) > 1e-9 {
			t.Errorf("%s: y2 is %v", c.name, base)
		}
	}
}

func TestALogarithmicAxisEndsWithItsData(t *testing.T) {
	p := bars(0.5, 0.9)
	p.rows[0]["at"], p.rows[1]["at"] = 15.0, 2047.0
	d := newDrawing(&study.Figure{Kind: study.Line, X: study.Axis{Log: true}}, p)
	s := d.x()["scale"].(row)
	ends := s["domain"].([]float64)
	if s["nice"] != false || ends[0] < 12 || ends[0] > 15 || ends[1] < 2047 || ends[1] > 2500 {
		t.Errorf("the scale is %v", s)
	}
}

func TestABarOfErrorIsAboutItsPointAndWithinAShare(t *testing.T) {
	sample := []float64{0.97, 0.90, 0.99}
	half := query.StudentT(sample).Half()
	for _, share := range []bool{false, true} {
		r := row{"y": sample[0]}
		(&points{}).addErrorBar(r, &study.Figure{Y: study.Axis{Share: share}}, sample)
		low, high := r["low"].(float64), r["high"].(float64)
		want := sample[0] + half
		if share {
			want = 1
		}
		if math.Abs(low-(sample[0]-half)) > 1e-9 || math.Abs(high-want) > 1e-9 {
			t.Errorf("share %v: %v to %v about %v, half %v", share, low, high, sample[0], half)
		}
	}
}

func TestAMeanIsSetOffFromWhatItIsOf(t *testing.T) {
	p := bars(0.5, 2, 8)
	for i, y := range []float64{0.5, 2, 8} {
		p.samples[place{0, i}] = []float64{y, 2 * y}
	}
	f := &study.Figure{Kind: study.Bar, Mean: study.BothMeans}
	p.addMeans(f, 3)
	if got := strings.Join(p.labels, ","); got != "a,b,c,,arithmetic mean,geometric mean" {
		t.Errorf("labels %s", got)
	}
	if n := len(p.rows); n != 5 || p.rows[3]["y"] != 3.5 || math.Abs(p.rows[4]["y"].(float64)-2) > 1e-12 {
		t.Fatalf("rows %v", p.rows)
	}
	want := query.StudentT([]float64{2, 4}).Half()
	if got := p.rows[4]["high"].(float64) - 2; math.Abs(got-want) > 1e-9 {
		t.Errorf("half the bar of error is %v, want %v", got, want)
	}
	if got := newDrawing(f, p).places(); len(got) != 6 {
		t.Errorf("places %v", got)
	}
	// A variant with only some of the benchmarks has no mean: it could not be compared with its neighbour's.
	part := bars(0.5, 2)
	part.addMeans(f, 3)
	if len(part.rows) != 2 {
		t.Errorf("a mean over a part: %v", part.rows)
	}
}

func TestSeriesDifferInShapeAndDashBesideColour(t *testing.T) {
	p := bars(1, 2)
	p.names = []string{"s", "t"}
	spec := newDrawing(&study.Figure{Kind: study.Line}, p).spec("t")
	line := spec["layer"].([]any)[0].(row)["encoding"].(row)
	point := spec["layer"].([]any)[1].(row)["encoding"].(row)
	if line["strokeDash"] == nil || point["shape"] == nil {
		t.Errorf("line %v, point %v", line, point)
	}
}

func TestALegendIsNoWiderThanItsFigure(t *testing.T) {
	for _, names := range [][]string{{"a", "b", "c"}, {strings.Repeat("w", 60), strings.Repeat("v", 60), "u"},
		strings.Fields(strings.Repeat("stage-alone ", 22))} {
		n := legendColumns(names)
		total := 0
		for c := range n {
			widest := 0
			for i := c; i < len(names); i += n {
				widest = max(widest, len(names[i]))
			}
			total += widest*letterWidth + symbolWidth
		}
		if n < 1 || n > 1 && total > legendWidth {
			t.Errorf("%d columns of %d names are %d wide", n, len(names), total)
		}
	}
}
