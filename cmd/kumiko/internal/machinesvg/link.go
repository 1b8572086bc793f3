package machinesvg

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// spot is the center of a latency label in the drawing.
type spot struct{ x, y float64 }

// near reports whether two latency labels would overlap.
func (s spot) near(o spot) bool { return math.Abs(s.x-o.x) < 26 && math.Abs(s.y-o.y) < 15 }

// upon reports whether the label would overlap a box and be hidden by it.
func (s spot) upon(n *node) bool {
	return s.x > n.x-12 && s.x < n.x+n.w+12 && s.y > n.y-2 && s.y < n.y+n.h+16
}

// route is the way of a link.
type route interface {
	path() string
	// pointAt returns the point of the way at t, 0 at its beginning and 1 at its end.
	pointAt(t float64) spot
}

// curve is a cubic Bézier curve.
type curve [4]spot

func (c curve) pointAt(t float64) spot {
	u := 1 - t
	mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
	return spot{mix(c[0].x, c[1].x, c[2].x, c[3].x), mix(c[0].y, c[1].y, c[2].y, c[3].y)}
}

func (c curve) path() string {
	return fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", c[0].x, c[0].y, c[1].x, c[1].y, c[2].x, c[2].y,
		c[3].x, c[3].y)
}

// through is a route in three pieces: out between the boxes of one column, a curve to the next column, and in between
// the boxes of that one.
type through struct {
	from spot
	curve
	to spot
}

func (w through) path() string {
	return fmt.Sprintf("M%.1f %.1f", w.from.x, w.from.y) + strings.Replace(w.curve.path(), "M", "L", 1) +
		fmt.Sprintf("L%.1f %.1f", w.to.x, w.to.y)
}

// bends is a line with corners.
type bends []spot

func (l bends) pointAt(t float64) spot {
	whole := 0.0
	for i := range l[1:] {
		whole += distance(l[i], l[i+1])
	}
	left := t * whole
	for i := range l[1:] {
		if part := distance(l[i], l[i+1]); left <= part && part > 0 {
			k := left / part
			return spot{l[i].x + k*(l[i+1].x-l[i].x), l[i].y + k*(l[i+1].y-l[i].y)}
		} else {
			left -= part
		}
	}
	return l[len(l)-1]
}

func (l bends) path() string {
	var b strings.Builder
	for i, s := range l {
		b.WriteString(string("ML"[min(i, 1)]))
		fmt.Fprintf(&b, "%.1f %.1f", s.x, s.y)
	}
	return b.String()
}

func distance(a, b spot) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// free returns a place for the label on the route, near the middle, without overlapping another label or a box.
func free(r route, nodes []*node, taken []spot) spot {
	for k := range 40 {
		for _, t := range []float64{0.5 - float64(k)/100, 0.5 + float64(k)/100} {
			s := r.pointAt(t)
			if !slices.ContainsFunc(taken, s.near) && !slices.ContainsFunc(nodes, s.upon) {
				return s
			}
		}
	}
	return r.pointAt(0.5)
}

// route returns the way of a link, and whether it is dashed.
func (d *drawing) route(e *edge) (r route, dashed bool) {
	from, to := e.from, e.to
	right, left := spot{from.x + from.w, from.y + from.h/2}, spot{to.x, to.y + to.h/2}
	switch {
	case from.band != to.band:
		return d.routeOf(e), to.layer < from.layer
	case to.layer == from.layer: // around the right sides
		left.x += to.w
		bend := d.columnGap * 0.7
		return curve{right, {right.x + bend, right.y}, {left.x + bend, left.y}, left}, true
	case to.layer < from.layer: // from below to below
		a, b := spot{from.x + from.w/3, from.y + from.h}, spot{to.x + to.w*2/3, to.y + to.h}
		return curve{a, {a.x, a.y + d.rowGap}, {b.x, b.y + d.rowGap}, b}, true
	}
	a, b := spot{from.right, right.y}, spot{to.left, left.y}
	bend := (b.x - a.x) / 2
	return through{right, curve{a, {a.x + bend, a.y}, {b.x - bend, b.y}, b}, left}, false
}

// routeOf returns the way of a link between two bands: through the gaps beside the boxes, and the channel above the
// lower band. A link to a lower band leaves a box on the right and enters one on the left, a link back the other way.
func (d *drawing) routeOf(e *edge) route {
	from, to := e.from, e.to
	lane := d.lanes[e.bus()]
	offset := 6 + 3*float64(lane%5)
	a, b := spot{from.x + from.w, from.y + from.h/2}, spot{to.x, to.y + to.h/2}
	out, in := from.right+offset, to.left-offset-4
	if to.band < from.band {
		a.x, b.x = from.x, to.x+to.w
		out, in = from.left-offset, to.right+offset+4
	}
	channel := d.bands[max(from.band, to.band)].top - laneGap*float64(lane+1)
	return bends{a, {out, a.y}, {out, channel}, {in, channel}, {in, b.y}, b}
}

// link draws a link with its latency label, placed free of boxes and of the labels in taken. It returns taken with the
// new label appended.
func (d *drawing) link(b *strings.Builder, e *edge, taken []spot) []spot {
	r, dashed := d.route(e)
	dash := ""
	if dashed {
		dash = ` stroke-dasharray="4 3"`
	}
	text := fmt.Sprintf("%d x %s, latency %d", e.n, e.message, e.latency)
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="#868e96"%s marker-end="url(#head)"><title>%s to %s: %s</title></path>`+
		"\n", r.path(), dash, html.EscapeString(e.from.name), html.EscapeString(e.to.name), html.EscapeString(text))
	if e.latency == 1 {
		return taken
	}
	s := free(r, d.nodes, taken)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="12" fill="#c92a2a" text-anchor="middle">%d</text>`+"\n", s.x, s.y-3,
		e.latency)
	return append(taken, s)
}
