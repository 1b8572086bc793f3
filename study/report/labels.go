package report

import (
	"math"
	"unicode/utf8"
)

// The size of a label's letters, and how wide one is about, in pixels.
const (
	labelSize  = 10
	labelWidth = 5.6
)

// height of a figure's data area, in pixels.
const height = 260

// box is where a label would be, in pixels.
type box struct{ x0, x1, y0, y1 float64 }

func (b box) hits(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// place gives the points of a scatter figure labels that do not lie upon each
// other: above or below their points. A point without room has none; pointing at
// it tells its name.
func (d *drawing) place() {
	x0, x1 := span(d.rows, "at")
	y0, y1 := span(d.rows, "y")
	var taken []box
	at := func(r row) (x, y float64) {
		return (r["at"].(float64) - x0) / (x1 - x0) * width, (y1 - r["y"].(float64)) / (y1 - y0) * height
	}
	for _, r := range d.rows {
		x, y := at(r)
		taken = append(taken, box{x - 4, x + 4, y - 4, y + 4})
	}
	for _, r := range d.rows {
		x, y := at(r)
		half := float64(utf8.RuneCountInString(r[d.pointName()].(string))) * labelWidth / 2
	candidates:
		for _, dy := range []float64{-10, 12, -21, 23} {
			b := box{x - half, x + half, y + dy - labelSize/2, y + dy + labelSize/2}
			for _, o := range taken {
				if b.hits(o) {
					continue candidates
				}
			}
			taken = append(taken, b)
			r["dy"] = dy
			break
		}
	}
}

// span is the least and the greatest value of a field, never the same.
func span(rows []row, field string) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		v := r[field].(float64)
		low, high = min(low, v), max(high, v)
	}
	if low == high {
		return low - 1, high + 1
	}
	return low, high
}
