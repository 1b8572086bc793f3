package report

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The size of a label's letters, and how wide one is about, in pixels.
const (
	labelSize  = 11
	labelWidth = 7.1
)

// box is where a label would be, in pixels.
type box struct{ x0, x1, y0, y1 float64 }

func (b box) hits(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// point returns the box of a scatter figure's point, with its bar of error.
func (d *drawing) point(r row) box {
	x, y := d.xs.pixels(r["at"].(float64)), height-d.ys.pixels(r["y"].(float64))
	b := box{x - 4, x + 4, y - 4, y + 4}
	if low, ok := r["low"].(float64); ok {
		b.y0 = min(b.y0, height-d.ys.pixels(r["high"].(float64)))
		b.y1 = max(b.y1, height-d.ys.pixels(low))
	}
	return b
}

// place gives the points of a scatter figure labels above, below or beside them, not overlapping each other or bars
// of error. A point without room has no label; pointing at it shows its name.
func (d *drawing) place() {
	var taken []box
	for _, r := range d.rows {
		taken = append(taken, d.point(r))
	}
	for i, r := range d.rows {
		p := taken[i]
		x, y := (p.x0+p.x1)/2, height-d.ys.pixels(r["y"].(float64))
		up, down := y-4-p.y0, p.y1-y-4 // the parts added by the bar of error
		half := float64(utf8.RuneCountInString(r[d.pointName()].(string))) * labelWidth / 2
	candidates:
		for _, at := range [][2]float64{{0, -12.5 - up}, {0, 13 + down}, {0, -26 - up}, {0, 27 + down},
			{half + 9, 0}, {-half - 9, 0}, {half + 9, -12}, {-half - 9, -12}, {half + 9, 12}, {-half - 9, 12},
			{half + 9, -23}, {-half - 9, -23}, {half + 9, 23}, {-half - 9, 23}} {
			dx, dy := at[0], at[1]
			tall := labelSize * 0.6
			if dx != 0 {
				tall = labelSize * 0.5 // between the names above and below
			}
			b := box{x + dx - half, x + dx + half, y + dy - tall, y + dy + tall}
			// Around the data area there are the labels of the axes and the legend.
			if b.x0 < 0 || b.x1 > d.wide || b.y1 > height || b.y0 < -labelSize {
				continue
			}
			for _, o := range taken {
				if b.hits(o) {
					continue candidates
				}
			}
			taken = append(taken, b)
			r["dx"], r["dy"] = dx, dy
			break
		}
	}
}

// Ways to write values at bars.
const (
	unwritten = iota
	level
	upright
)

// written returns the way to write the values of bars: side by side if they have room,
// or upright, or not at all.
func (d *drawing) written() int {
	if !d.bars() {
		return unwritten
	}
	bar := d.wide / float64(max(len(d.places()), 1))
	if n := float64(len(d.names)); n > 1 {
		bar *= (1 - between) / n
	}
	switch {
	case d.widestValue() <= bar:
		return level
	case bar >= 12:
		return upright
	}
	return unwritten
}

func (d *drawing) widestValue() float64 {
	widest := 0.0
	for _, r := range d.rows {
		widest = max(widest, labelWidth*float64(utf8.RuneCountInString(d.value(r)))+2)
	}
	return widest
}

// labelRoom returns the room above the highest bar for its value, in pixels.
func (d *drawing) labelRoom() float64 {
	switch d.written() {
	case level:
		return labelSize + 4
	case upright:
		return d.widestValue() + 2
	}
	return 0
}

// value writes the value of a bar.
func (d *drawing) value(r row) string {
	y := r["y"].(float64)
	if d.f.Y.Ratio() {
		if y *= 100; math.Abs(y) >= 9.95 {
			return fmt.Sprintf("%.0f%%", y)
		}
		return strings.TrimSuffix(fmt.Sprintf("%.1f", y), ".0") + "%"
	}
	return fmt.Sprintf("%.*f", d.decimals, y)
}

// valueDecimals returns the number of decimals for all values of bars: none for whole
// numbers, and otherwise enough for three digits and for the differences between the values.
func valueDecimals(rows []row) int {
	var all []float64
	whole := true
	for _, r := range rows {
		y := r["y"].(float64)
		all, whole = append(all, y), whole && y == math.Trunc(y)
	}
	if whole {
		return 0
	}
	low, high := span(all, false)
	digits := 2 - math.Floor(math.Log10(max(math.Abs(low), math.Abs(high))))
	differ := -math.Floor(math.Log10(scale{low: low, high: high}.step()))
	return int(min(max(digits, differ, 0), 6))
}

// valueLabels writes values at the ends of bars, where they fit.
func (d *drawing) valueLabels() []any {
	how := d.written()
	if how == unwritten {
		return nil
	}
	from := d.ys.barStart(d.f)
	for _, r := range d.rows {
		y := r["y"].(float64)
		up := y >= from
		end := y
		if high, ok := r["high"].(float64); ok && up {
			end = high
		} else if low, ok := r["low"].(float64); ok {
			end = low
		}
		// A label below the axis would lie on the labels of x.
		room := d.ys.pixels(end) > d.widestValue()+2 || how == level && d.ys.pixels(end) > labelSize+4
		switch {
		case end > d.ys.high:
			continue
		case !up && !room: // above the beginning of the bar
			end, up = from, true
		}
		r["value"], r["end"], r["up"] = d.value(r), end, up
	}
	layer := func(filter string, mark row) any {
		mark = merge(row{"type": "text", "fontSize": labelSize, "color": soft}, mark)
		return row{"transform": []any{row{"filter": filter}}, "mark": mark,
			"encoding": merge(row{"x": d.x(), "y": merge(d.y(), row{"field": "end"}),
				"text": row{"field": "value"}}, d.offset())}
	}
	above, below := row{"baseline": "bottom", "dy": -3}, row{"baseline": "top", "dy": 3}
	if how == upright {
		above = row{"angle": 270, "align": "left", "baseline": "middle", "dx": 3}
		below = row{"angle": 270, "align": "right", "baseline": "middle", "dx": -3}
	}
	return []any{layer("isValid(datum.end) && datum.up", above), layer("isValid(datum.end) && !datum.up", below)}
}
