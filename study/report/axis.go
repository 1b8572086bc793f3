package report

import (
	"math"
	"slices"

	"kumiko/study"
)

// Sizes in pixels: of a figure's data area, and of a card's content.
const (
	height    = 260
	width     = 880
	cardWidth = 960
	axisWidth = 80
	// widestBar and widestStack bound bars where there are few of them.
	widestBar, widestStack = 44, 70
)

// between is the share of the width of each x that is left free between its bars and the next ones.
const between = 0.2

// Maximum lengths of a line of a title, in letters: of a figure's title, and of the title of an
// axis as high as its data area.
const (
	titleLength = 110
	axisLength  = 38
)

// scale maps values to pixels as Vega does. nice widens its ends to round
// numbers.
type scale struct {
	low, high float64
	log       bool
	size      float64 // pixels
}

// pixels returns a value's distance from the scale's low end, in pixels.
func (s scale) pixels(v float64) float64 {
	if s.log {
		return math.Log(v/s.low) / math.Log(s.high/s.low) * s.size
	}
	return (v - s.low) / (s.high - s.low) * s.size
}

// barStart returns the value at which the bars of a figure start.
func (s scale) barStart(f *study.Figure) float64 {
	if f.Y.From != nil {
		return *f.Y.From
	}
	if s.log || s.low > 0 {
		return s.low
	}
	return 0
}

// spec returns the scale in Vega's form.
func (s scale) spec() row {
	out := row{"domain": []float64{s.low, s.high}, "nice": false, "zero": false}
	if s.log {
		return row{"type": "log", "domain": []float64{s.low, s.high}, "nice": false}
	}
	return out
}

// padded widens a scale by pixels at both ends.
func (s scale) padded(by float64) scale {
	part := by / (s.size - 2*by)
	if s.log {
		f := math.Pow(s.high/s.low, part)
		s.low, s.high = s.low/f, s.high*f
		return s
	}
	d := (s.high - s.low) * part
	s.low, s.high = s.low-d, s.high+d
	return s
}

// step returns the distance of ticks: 1, 2 or 5 times a power of ten.
func (s scale) step() float64 {
	rough := (s.high - s.low) / 6
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, m := range []float64{1, 2, 5} {
		if rough <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// nice widens a linear scale to ticks.
func (s scale) nice() scale {
	if s.log {
		return s
	}
	step := s.step()
	s.low, s.high = math.Floor(s.low/step+1e-9)*step, math.Ceil(s.high/step-1e-9)*step
	return s
}

// span returns the least and the greatest of values, never the same.
func span(values []float64, log bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !log || v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		return 0.1, 1
	case low == high && log:
		return low / 2, high * 2
	case low == high && low == 0:
		return 0, 1
	case low == high:
		return low - math.Abs(low)/2, high + math.Abs(high)/2
	}
	return low, high
}

// horizontal returns the scale of a numeric x. It ends with the data, since
// ticks stand at the values.
func (d *drawing) horizontal() scale {
	a := &d.f.X
	var all []float64
	for _, r := range d.rows {
		all = append(all, r["at"].(float64))
	}
	for i := range d.f.Marks {
		if v, ok := study.Number(d.f.Marks[i].X).(float64); ok {
			all = append(all, v)
		}
	}
	if a.Zero != nil && *a.Zero {
		all = append(all, 0)
	}
	s := scale{log: a.Log, size: d.wide}
	s.low, s.high = span(all, a.Log)
	padding := 16.0
	if d.f.Kind == study.Scatter {
		padding = 48 // for half of a name
	}
	return s.padded(padding).bounded(a)
}

// vertical returns the scale of y.
func (d *drawing) vertical() scale {
	a := &d.f.Y
	s := scale{log: a.Log, size: height}
	all := d.heights()
	s.low, s.high = span(all, a.Log)
	if a.Log {
		return s.padded(10).bounded(a)
	}
	solid := d.f.Kind != study.Line && d.f.Kind != study.Scatter
	zero := solid && a.From == nil
	if a.Zero != nil {
		zero = *a.Zero
	}
	if zero {
		s.low, s.high = min(s.low, 0), max(s.high, 0)
	}
	// A bar of no height, or a point on the edge, could not be seen.
	least := s.low
	s = s.nice()
	if !zero && a.From == nil && least-s.low < s.step()/4 && (least != 0 || !a.Share) {
		s.low -= s.step()
	}
	if room := d.labelRoom(); room > 0 {
		if a.From != nil && least < *a.From { // the value of a bar downwards is below its end
			part := (room + 3) / (height - room)
			s.low = min(s.low, (least-part*s.high)/(1-part))
		}
		s.high += (s.high - s.low) * room / (height - room)
	}
	if a.Share && slices.Max(all) <= 1 {
		s.high = min(s.high, 1+d.labelRoom()/height)
	}
	if a.Share && slices.Min(all) >= 0 {
		s.low = max(s.low, 0)
	}
	return s.bounded(a)
}

// bounded returns a scale with the study's ends, if given.
func (s scale) bounded(a *study.Axis) scale {
	if a.Min != nil {
		s.low = *a.Min
	}
	if a.Max != nil {
		s.high = *a.Max
	}
	return s
}

// heights returns all values to be covered by the y axis.
func (d *drawing) heights() (out []float64) {
	sums := map[any]float64{}
	for _, r := range d.rows {
		y := r["y"].(float64)
		if d.f.Kind == study.Stack && y > 0 {
			sums[r["place"]] += y
			y = sums[r["place"]]
		}
		out = append(out, y)
		if low, ok := r["low"].(float64); ok {
			out = append(out, low, r["high"].(float64))
		}
	}
	for i := range d.f.Marks {
		out = append(out, *d.f.Marks[i].Y)
		if y2 := d.f.Marks[i].Y2; y2 != nil {
			out = append(out, *y2)
		}
	}
	if d.f.Y.From != nil {
		out = append(out, *d.f.Y.From)
	}
	return out
}

// width returns the width of the data area. Numbers of the paper for the whole figure have
// their texts on its right, and few bars need less.
func (d *drawing) width() float64 {
	w := float64(width)
	for i := range d.f.Marks {
		if m := &d.f.Marks[i]; m.X == nil {
			w = min(w, cardWidth-axisWidth-textWidth(m.Text))
		}
	}
	w = max(w, width/2)
	if !d.bands || d.f.Kind == study.Line {
		return w
	}
	if d.cells() {
		return min(width-180, widestCell*float64(len(d.places())))
	}
	if n := float64(len(d.places())); d.f.Kind == study.Stack {
		return min(w, n*widestStack)
	} else {
		return min(w, n*widestBar*(float64(len(d.names))+0.6))
	}
}

func (d *drawing) x() row {
	if d.bands {
		band := row{"domain": d.places()}
		if d.bars() {
			band["paddingInner"], band["paddingOuter"] = between, between/2
		}
		return row{"field": "place", "type": "nominal", "scale": band,
			"axis": row{"title": d.texts.Text(d.f.X.Title), "labelExpr": d.texts.Labels(d.labels),
				"labelAngle": d.angle(), "ticks": false, "labelPadding": 6, "labelOverlap": false}}
	}
	out := row{"field": "at", "type": "quantitative", "scale": d.xs.spec(),
		"axis": d.axis(&d.f.X, int(d.wide/letterWidth))}
	a := out["axis"].(row)
	if d.f.Kind == study.Line {
		a["values"] = d.ticks()
		a["grid"] = false
		a["labelOverlap"] = "greedy"
	}
	if !d.f.X.Ratio() {
		a["format"] = "~g"
	}
	return out
}

// places returns the places of x with values, and the gap before the means.
func (d *drawing) places() []int {
	var out []int
	for _, r := range d.rows {
		if p := r["place"].(int); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if d.means > 0 {
		out = append(out, d.gap())
	}
	slices.Sort(out)
	return out
}

// gap returns the place between the values and their means.
func (d *drawing) gap() int { return len(d.labels) - d.means - 1 }

// angle returns the angle of the labels of x: 0 if they have room beside each other.
func (d *drawing) angle() int { return d.angleAt(d.wide / float64(len(d.places()))) }

// angleAt returns the angle of the labels of x at places with a distance of step pixels.
func (d *drawing) angleAt(step float64) int {
	widest := 0.0
	for _, p := range d.places() {
		widest = max(widest, textWidth(d.labels[p]))
	}
	switch {
	case widest <= step:
		return 0
	case step*math.Sin(40*math.Pi/180) >= 14:
		return -40
	}
	return -90
}

// ticks returns the values of a line figure's x, if they are few.
func (d *drawing) ticks() any {
	var out []float64
	for _, r := range d.rows {
		if v := r["at"].(float64); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) > 24 {
		return nil
	}
	slices.Sort(out)
	return out
}

func (d *drawing) y() row {
	out := row{"field": "y", "type": "quantitative", "scale": d.ys.spec(), "axis": d.axis(&d.f.Y, axisLength)}
	if d.f.Kind != study.Stack {
		out["stack"] = nil
	}
	return out
}

// axis returns the settings of a numeric axis, with a title of at most so many letters in a
// line.
func (d *drawing) axis(a *study.Axis, letters int) row {
	out := row{"title": d.texts.Wrapped(a.Title, letters)}
	if a.Ratio() {
		out["format"] = ".1~%"
	}
	return out
}
