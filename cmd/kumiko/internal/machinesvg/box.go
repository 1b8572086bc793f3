package machinesvg

import (
	"fmt"
	"html"
	"strings"
)

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

// boxWidth returns the width of a box needed for its lines: the name in bold, and smaller lines.
func (d *drawing) boxWidth(n *node) float64 {
	of, name := n.split()
	small := glyph * 0.78
	w := max(64, glyph*float64(len(name)), small*float64(len(of)))
	if d.kinds {
		w = max(w, small*float64(len(n.kindText())))
	}
	return w + 16
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

func (d *drawing) box(b *strings.Builder, n *node) {
	fmt.Fprintf(b, `<g class="box"><title>%s: %s</title>`, html.EscapeString(n.title()), html.EscapeString(n.kindText()))
	fill, line := "#f1f3f5", "#868e96"
	if n.sm {
		fill, line = "#e7f5ff", "#1971c2"
	}
	if n.n > 1 {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="5" fill="%s" stroke="%s"/>`+"\n", n.x+4,
			n.y+4, n.w, n.h, fill, line)
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="5" fill="%s" stroke="%s"/>`, n.x, n.y, n.w,
		n.h, fill, line)
	of, name := n.split()
	middle := n.y + 31
	if of != "" {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#495057">%s</text>`, n.x+8, n.y+15, html.EscapeString(of))
	} else if !d.kinds {
		middle = n.y + 24
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="13" font-weight="bold">%s</text>`, n.x+8, middle,
		html.EscapeString(name))
	if d.kinds {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#495057">%s</text>`, n.x+8, n.y+46,
			html.EscapeString(n.kindText()))
	}
	b.WriteString("</g>\n")
}
