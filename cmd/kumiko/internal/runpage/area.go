package runpage

import (
	"fmt"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/page"
)

// area shows the area of each row of storage.
func area(a *result.Area) page.Section {
	text := fmt.Sprintf("The arrays of the register file of one SM in %g nm (%s): %s, of which %s is state that the "+
		"paper of the design does not count. There are no wires between blocks, no collectors and no crossbars in it: "+
		"it serves to compare designs by the same numbers.", a.NM, a.Source, Square(1e6*a.MM2), Square(1e6*a.ApartMM2))
	if len(a.Uncounted) > 0 {
		text += " Without an area: " + strings.Join(a.Uncounted, ", ") + "."
	}
	t := &page.Table{Head: []string{"block", "what", "arrays", "entries", "bits", "ports", "built of", "area", "share",
		"counted by the paper"}, Numeric: []bool{false, false, true, true, true, false, false, true, true, false}}
	for i := range a.Rows {
		r := &a.Rows[i]
		counted := "yes"
		if r.Apart {
			counted = "no"
		}
		t.Rows = append(t.Rows, []string{r.Block, r.What, grouped3(uint64(r.Arrays)), grouped3(uint64(r.Entries)),
			grouped3(uint64(r.Width)), r.Ports, r.Kind, Square(r.UM2), fmt.Sprintf("%.1f %%", 100*r.Share), counted})
	}
	return page.Section{Title: "Area", Text: text, Parts: []page.Part{page.Tab(t)}}
}

// Square returns an area with three significant digits and a unit.
func Square(um2 float64) string {
	if um2 >= 1e4 {
		return fmt.Sprintf("%.3g mm^2", um2/1e6)
	}
	return fmt.Sprintf("%.3g um^2", um2)
}
