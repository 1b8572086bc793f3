// Package machinesvg draws the blocks of a machine and their links. Blocks whose names differ in numbers alone share
// one box with their number. A box's column is its distance in links from the dispatcher; links to the right are solid,
// others dashed.
package machinesvg

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"kumiko/gpus/chip"
	"kumiko/gpus/config"
)

// Sizes of the drawing in pixels. glyph is the approximate width of a letter in a box's name.
const (
	nodeHeight, rowGap, columnGap, margin, glyph = 54.0, 26.0, 48.0, 24.0, 8.2
	headHeight                                   = 72.0
)

// The size of a drawing is its own, so that its text has the pixels named here.
const slideWidth, slideHeight = 16.0, 9.0

// node is a group of blocks with names differing only in numbers.
type node struct {
	name, kind string
	parts      string
	clock      float64
	sm         bool // within the SM
	blocks     []string
	n          int
	layer      int
	rank       float64 // within the layer
	x, y, w    float64
}

// edge is the set of links for one message type between two nodes.
type edge struct {
	from, to *node
	message  string
	latency  uint64
	n        int
}

// Write draws the machine with a heading, in the proportions of a slide.
func Write(w io.Writer, cfg *config.Config, s *chip.Structure) error {
	nodes, edges := drawn(s)
	layer(nodes, edges)
	width, height := arrange(nodes, edges, headHeight)
	var b strings.Builder
	begin(&b, width, height)
	fmt.Fprintf(&b, `<text x="%.0f" y="30" font-size="20" font-weight="bold">%s</text>`+"\n", margin,
		html.EscapeString(fmt.Sprintf("%s, %s: SM 0 of %d, and the chip", cfg.Name, cfg.Design, cfg.SM.Count)))
	fmt.Fprintf(&b, `<text x="%.0f" y="52" font-size="13" fill="#495057">Boxes: blocks and how many there are. %s</text>`+
		"\n", margin, Legend)
	end(&b, nodes, edges)
	_, err := io.WriteString(w, b.String())
	return err
}

// Legend says how links and boxes are drawn.
const Legend = "Arrows: links, with their latency in cycles where it is not 1; dashed: back, or within a column. " +
	"Blue: SM, grey: chip."

// Box is a box of a drawing.
type Box struct {
	Title  string   // with the number of its blocks
	Kind   string   // their type, clock and parts
	Blocks []string // their names
}

// Drawing is a drawing for a page, without a heading, as narrow as it can be.
type Drawing struct {
	SVG    string // each box is a group of the class "box"
	Boxes  []Box  // in the order of their groups
	Height float64
	// Cuts are the bounds of strips for paper, between columns. No strip is wider than StripWidth if no column is.
	Cuts []float64
}

// StripWidth is the width of a strip of which the text can be read on paper, in pixels of the drawing.
const StripWidth = 1050

// Figure draws the machine for a page.
func Figure(s *chip.Structure) Drawing {
	nodes, edges := drawn(s)
	layer(nodes, edges)
	width, height := arrange(nodes, edges, 0)
	var b strings.Builder
	begin(&b, width, height)
	end(&b, nodes, edges)
	d := Drawing{SVG: b.String(), Height: height, Cuts: []float64{0}}
	columns := map[float64]bool{}
	for _, n := range nodes {
		d.Boxes = append(d.Boxes, Box{Title: n.title(), Kind: n.kindText(), Blocks: n.blocks})
		columns[n.x-columnGap/2] = true
	}
	between := append(slices.Sorted(maps.Keys(columns))[1:], width)
	for i, x := range between {
		if x == width || between[i+1]-d.Cuts[len(d.Cuts)-1] > StripWidth {
			d.Cuts = append(d.Cuts, x)
		}
	}
	return d
}

func begin(b *strings.Builder, width, height float64) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="11">`+"\n", width, height, width, height)
	b.WriteString(`<g id="machine"><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" ` +
		`orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#495057"/></marker></defs>` + "\n" +
		`<rect width="100%" height="100%" fill="#fff"/>`)
}

func end(b *strings.Builder, nodes []*node, edges []*edge) {
	var taken []spot
	for _, e := range edges {
		taken = e.draw(b, nodes, taken)
	}
	for _, n := range nodes {
		n.draw(b)
	}
	b.WriteString("</g></svg>\n")
}

var number = regexp.MustCompile(`\[\d+\]`)

// Unnumbered returns a name without the numbers that tell like blocks and parts apart.
func Unnumbered(name string) string { return number.ReplaceAllString(name, "") }

// Parts names the parts of a block, such as "Bank x 4".
func Parts(parts []string) string {
	var names []string
	count := map[string]int{}
	for _, p := range parts {
		name := Unnumbered(p)
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = fmt.Sprintf("%s x %d", n, count[n])
		}
	}
	return strings.Join(names, ", ")
}

// Megahertz writes a frequency.
func Megahertz(hz float64) string { return fmt.Sprintf("%g MHz", hz/1e6) }

// drawn returns the nodes and edges of a machine, in the order of its blocks and links.
func drawn(s *chip.Structure) ([]*node, []*edge) {
	var nodes []*node
	of := map[string]*node{}
	for _, b := range s.Blocks {
		inner, sm := strings.CutPrefix(b.Name, "GPU.SM[0].")
		short := Unnumbered(strings.TrimPrefix(inner, "GPU."))
		i := slices.IndexFunc(nodes, func(n *node) bool { return n.name == short && n.kind == b.Kind && n.sm == sm })
		if i < 0 {
			i = len(nodes)
			nodes = append(nodes, &node{name: short, kind: b.Kind, parts: Parts(b.Parts), clock: b.Clock, sm: sm})
		}
		nodes[i].n++
		nodes[i].blocks = append(nodes[i].blocks, b.Name)
		of[b.Name] = nodes[i]
	}
	var edges []*edge
	for _, l := range s.Links {
		e := edge{from: of[l.From], to: of[l.To], message: l.Message, latency: l.Latency}
		i := slices.IndexFunc(edges, func(x *edge) bool {
			return x.from == e.from && x.to == e.to && x.message == e.message && x.latency == e.latency
		})
		if i < 0 {
			i = len(edges)
			edges = append(edges, &e)
		}
		edges[i].n++
	}
	return nodes, edges
}

// layer assigns each node its distance in links from the first node. Unreachable nodes start a new search in the
// leftmost column.
func layer(nodes []*node, edges []*edge) {
	for _, n := range nodes {
		n.layer = -1
	}
	for _, root := range nodes {
		if root.layer >= 0 {
			continue
		}
		root.layer = 0
		for queue := []*node{root}; len(queue) > 0; queue = queue[1:] {
			for _, e := range edges {
				if e.from == queue[0] && e.to.layer < 0 {
					e.to.layer = e.from.layer + 1
					queue = append(queue, e.to)
				}
			}
		}
	}
}

// arrange places the nodes: columns by layer, rows by the mean row of their predecessors. It returns the size of
// the drawing. With room for a heading it has the proportions of a slide.
func arrange(nodes []*node, edges []*edge, heading float64) (width, height float64) {
	var columns [][]*node
	for _, n := range nodes {
		for len(columns) <= n.layer {
			columns = append(columns, nil)
		}
		n.rank = float64(len(columns[n.layer]))
		columns[n.layer] = append(columns[n.layer], n)
	}
	most := 1
	for c, column := range columns {
		if c > 0 {
			order(column, edges)
		}
		most = max(most, len(column))
	}
	x := margin
	for _, column := range columns {
		widest := 0.0
		for _, n := range column {
			widest = max(widest, n.width())
		}
		for _, n := range column {
			n.w, n.x = widest, x
		}
		x += widest + columnGap
	}
	width, height = x-columnGap+margin, heading+float64(most)*(nodeHeight+rowGap)+2*margin
	pitch := nodeHeight + rowGap
	if heading > 0 { // Spare height goes between the rows, spare width to the right.
		width = max(width, 1000)
		height = max(height, width*slideHeight/slideWidth)
		width = height * slideWidth / slideHeight
		pitch = min((height-heading-2*margin)/float64(most), 2*pitch)
	}
	for _, column := range columns {
		top := heading + (height-heading-margin-float64(len(column))*pitch)/2
		for i, n := range column {
			n.y = top + float64(i)*pitch
		}
	}
	return width, height
}

// order sorts a column by the mean rank of each node's predecessors in earlier columns.
func order(column []*node, edges []*edge) {
	mean := map[*node]float64{}
	for _, n := range column {
		sum, k := 0.0, 0.0
		for _, e := range edges {
			if e.to == n && e.from.layer < n.layer {
				sum, k = sum+e.from.rank, k+1
			}
		}
		mean[n] = sum / max(k, 1)
	}
	slices.SortStableFunc(column, func(a, b *node) int { return cmp.Compare(mean[a], mean[b]) })
	for i, n := range column {
		n.rank = float64(i)
	}
}

func (n *node) title() string {
	if n.n > 1 {
		return fmt.Sprintf("%s x %d", n.name, n.n)
	}
	return n.name
}

// split returns the title in two parts: the owner of the block, and the block's own name.
func (n *node) split() (of, name string) {
	t := n.title()
	i := strings.LastIndex(n.name, ".")
	return t[:max(i, 0)], t[i+1:]
}

// width returns the width of a box needed for its three lines: the name in bold, and two smaller lines.
func (n *node) width() float64 {
	of, name := n.split()
	small := glyph * 0.78
	return max(84, glyph*float64(len(name)), small*float64(len(of)), small*float64(len(n.kindText()))) + 16
}

// kindText returns the kind of a block without type parameters, its clock, and its parts.
func (n *node) kindText() string {
	kind, _, _ := strings.Cut(n.kind, "[")
	text := kind + ", " + Megahertz(n.clock)
	if n.parts != "" {
		text += ": " + n.parts
	}
	return text
}

func (n *node) draw(b *strings.Builder) {
	b.WriteString(`<g class="box">`)
	fill, line := "#f1f3f5", "#868e96"
	if n.sm {
		fill, line = "#e7f5ff", "#1971c2"
	}
	if n.n > 1 {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="5" fill="%s" stroke="%s"/>`+"\n", n.x+4,
			n.y+4, n.w, nodeHeight, fill, line)
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="5" fill="%s" stroke="%s"/>`, n.x, n.y, n.w,
		nodeHeight, fill, line)
	of, name := n.split()
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#495057">%s</text>`, n.x+8, n.y+15, html.EscapeString(of))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="13" font-weight="bold">%s<title>%s</title></text>`, n.x+8, n.y+31,
		html.EscapeString(name), html.EscapeString(n.title()))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#495057">%s</text></g>`+"\n", n.x+8, n.y+46,
		html.EscapeString(n.kindText()))
}

// spot is the center of a latency label in the drawing.
type spot struct{ x, y float64 }

// near reports whether two latency labels would overlap.
func (s spot) near(o spot) bool { return math.Abs(s.x-o.x) < 26 && math.Abs(s.y-o.y) < 15 }

// upon reports whether the label would overlap a box and be hidden by it.
func (s spot) upon(n *node) bool {
	return s.x > n.x-12 && s.x < n.x+n.w+12 && s.y > n.y-2 && s.y < n.y+nodeHeight+16
}

// curve is a link as a cubic Bézier curve.
type curve [4]spot

// at returns the point of the curve at t, 0 at its beginning and 1 at its end.
func (c curve) at(t float64) spot {
	u := 1 - t
	mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
	return spot{mix(c[0].x, c[1].x, c[2].x, c[3].x), mix(c[0].y, c[1].y, c[2].y, c[3].y)}
}

// free returns a place for the label on the curve, near the middle, without overlapping another label or a box.
func (c curve) free(nodes []*node, taken []spot) spot {
	for _, t := range []float64{0.5, 0.42, 0.58, 0.35, 0.65, 0.27, 0.73, 0.2, 0.8, 0.12, 0.88} {
		s := c.at(t)
		if !slices.ContainsFunc(taken, s.near) && !slices.ContainsFunc(nodes, s.upon) {
			return s
		}
	}
	return c.at(0.5)
}

// draw draws a link with its latency label, placed free of boxes and of the labels in taken. It returns taken with
// the new label appended.
func (e *edge) draw(b *strings.Builder, nodes []*node, taken []spot) []spot {
	x1, y1, x2, y2 := e.from.x+e.from.w, e.from.y+nodeHeight/2, e.to.x, e.to.y+nodeHeight/2
	bend, dash := (x2-x1)/2, ""
	c1, c2, d1, d2 := x1+bend, x2-bend, y1, y2
	switch {
	case e.to.layer == e.from.layer: // around the right sides
		x2 = e.to.x + e.to.w
		c1, c2 = x1+columnGap*0.7, x2+columnGap*0.7
		dash = ` stroke-dasharray="4 3"`
	case e.to.layer < e.from.layer: // from below to below
		x1, y1, x2, y2 = e.from.x+e.from.w/3, e.from.y+nodeHeight, e.to.x+e.to.w*2/3, e.to.y+nodeHeight
		c1, c2, d1, d2 = x1, x2, y1+rowGap, y2+rowGap
		dash = ` stroke-dasharray="4 3"`
	}
	text := fmt.Sprintf("%d x %s, latency %d", e.n, e.message, e.latency)
	fmt.Fprintf(b, `<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" fill="none" stroke="#868e96"%s marker-end="url(#head)"><title>%s to %s: %s</title></path>`+"\n",
		x1, y1, c1, d1, c2, d2, x2, y2, dash, html.EscapeString(e.from.name), html.EscapeString(e.to.name),
		html.EscapeString(text))
	if e.latency == 1 {
		return taken
	}
	s := curve{{x1, y1}, {c1, d1}, {c2, d2}, {x2, y2}}.free(nodes, taken)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="12" fill="#c92a2a" text-anchor="middle">%d</text>`+"\n", s.x, s.y-3,
		e.latency)
	return append(taken, s)
}
