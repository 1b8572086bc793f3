// Package machinesvg draws the blocks of a machine and their links. Blocks whose names differ in numbers alone share
// one box with their number. A box's column is its distance in links from the dispatcher. Columns without room are in a
// further row of columns below. Links to the right, or to a row below, are solid, others dashed.
package machinesvg

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"kumiko/gpus/chip"
	"kumiko/gpus/config"
)

// form has the sizes of a drawing in pixels. A drawing has its own size, so that its text has the pixels named here.
type form struct {
	room                         float64 // width of a row of columns, if no column is wider
	kinds                        bool    // boxes have a line with kind, clock and parts
	boxHeight, rowGap, columnGap float64
	heading                      float64
}

// onPage fits a window of 1400 pixels beside a panel of 300, where the kinds of blocks are shown. slide has all of it.
var (
	onPage = form{room: 980, boxHeight: 38, rowGap: 20, columnGap: 36}
	slide  = form{room: 1800, kinds: true, boxHeight: 54, rowGap: 26, columnGap: 48, heading: 72}
)

// margin is the border of a drawing, and glyph the width of a letter in a box's name, with the widest of its fonts.
const margin, glyph = 24.0, 8.9

// The proportions of a slide.
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
	band       int     // row of columns
	rank       float64 // within the layer
	second     bool    // in the second part of a column
	x, y, w, h float64
	// left and right are where links leave and enter the node's column. In a column of two parts they reach its outer
	// side through the gaps between the boxes of the other part.
	left, right float64
}

// edge is the set of links for one message type between two nodes.
type edge struct {
	from, to *node
	message  string
	latency  uint64
	n        int
}

// drawing is an arranged machine.
type drawing struct {
	form
	nodes         []*node
	edges         []*edge
	bands         []band
	width, height float64
	lanes         map[bus]int // the number of each among those of its channel
}

// bus is all links to a node from higher bands, or from lower ones. They share their way through the channel.
type bus struct {
	to   *node
	back bool
}

// band is a row of columns, with the channel above it for links from and to other bands.
type band struct {
	columns     [][]*node
	rows        float64
	top, bottom float64
	lanes       int // buses in the channel
}

// Write draws the machine with a heading, in the proportions of a slide.
func Write(w io.Writer, cfg *config.Config, s *chip.Structure) error {
	d := arranged(s, slide)
	var b strings.Builder
	d.begin(&b)
	fmt.Fprintf(&b, `<text x="%.0f" y="30" font-size="20" font-weight="bold">%s</text>`+"\n", margin,
		html.EscapeString(fmt.Sprintf("%s, %s: SM 0 of %d, and the chip", cfg.Name, cfg.Design, cfg.SM.Count)))
	fmt.Fprintf(&b, `<text x="%.0f" y="52" font-size="13" fill="#495057">Boxes: blocks and how many there are. %s</text>`+
		"\n", margin, Legend)
	d.end(&b)
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
	SVG   string // each box is a group of the class "box"
	Boxes []Box  // in the order of their groups
}

// Figure draws the machine for a page.
func Figure(s *chip.Structure) Drawing {
	d := arranged(s, onPage)
	var b strings.Builder
	d.begin(&b)
	d.end(&b)
	out := Drawing{SVG: b.String()}
	for _, n := range d.nodes {
		out.Boxes = append(out.Boxes, Box{Title: n.title(), Kind: n.kindText(), Blocks: n.blocks})
	}
	return out
}

func (d *drawing) begin(b *strings.Builder) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="11">`+"\n", d.width, d.height, d.width, d.height)
	b.WriteString(`<g><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" ` +
		`orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#495057"/></marker></defs>` + "\n" +
		`<rect width="100%" height="100%" fill="#fff"/>`)
}

func (d *drawing) end(b *strings.Builder) {
	var taken []spot
	for _, e := range d.edges {
		taken = d.link(b, e, taken)
	}
	for _, n := range d.nodes {
		d.box(b, n)
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
