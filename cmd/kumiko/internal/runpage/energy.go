package runpage

import (
	"fmt"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/page"
)

// energy shows the energy of the run by block, and each row of its table.
func energy(e *result.Energy) page.Section {
	text := fmt.Sprintf("By the table %s (%s): %s, %.0f pJ per warp instruction. Activity energy under the "+
		"assumptions of the table, for comparison with runs by the same table; not the watts of a chip.", e.Table,
		e.Source, Joules(e.PJ), e.PJPerWarpInstruction)
	for _, n := range e.Notes {
		text += " " + strings.ToUpper(n[:1]) + n[1:] + "."
	}
	if len(e.Uncharged) > 0 {
		text += " Without energies in the table: " + strings.Join(e.Uncharged, ", ") + "."
	}
	blocks := &page.Table{Head: []string{"block", "energy", "pJ per warp instruction", "share"},
		Numeric: []bool{false, true, true, true}}
	var rows []row
	var names []string
	for i, b := range e.Blocks {
		if b.PJ == 0 {
			continue
		}
		blocks.Rows = append(blocks.Rows, []string{b.Block, Joules(b.PJ), fmt.Sprintf("%.1f", b.PJPerWarpInstruction),
			fmt.Sprintf("%.1f %%", 100*b.Share)})
		names = append(names, b.Block)
		rows = append(rows, row{"label": e.Table, "name": b.Block, "order": i, "value": b.Share, "share": b.Share,
			"energy": Joules(b.PJ)})
	}
	each := &page.Table{Head: []string{"block", "what", "events", "pJ each", "mW", "energy", "share", "source"},
		Numeric: []bool{false, false, true, true, true, true, true, false}}
	for i := range e.Rows {
		x := &e.Rows[i]
		if x.PJ == 0 {
			continue
		}
		events, pj, power := grouped3(x.Events), fmt.Sprintf("%.4g", x.AccessesPerEvent*x.PJPerAccess), ""
		if x.Microseconds > 0 {
			events, pj, power = "", "", fmt.Sprintf("%.4g", x.PowerMW)
		}
		each.Rows = append(each.Rows, []string{x.Block, x.What, events, pj, power, Joules(x.PJ),
			fmt.Sprintf("%.1f %%", 100*x.Share), x.Source})
	}
	var parts []page.Part
	if e.PJ > 0 {
		parts = append(parts, page.Fig("", bars(rows, names, []string{e.Table}, "", "share of the energy", "block",
			tip("name", "block", "", "share", "share", ".1%", "energy", "energy", ""), true)))
	}
	parts = append(parts, page.Part{Table: blocks}, page.Tab(each))
	return page.Section{Title: "Energy", Text: text, Parts: parts}
}

// Joules returns an energy with three significant digits and a unit.
func Joules(pj float64) string {
	for _, u := range []struct {
		pj   float64
		unit string
	}{{1e12, "J"}, {1e9, "mJ"}, {1e6, "uJ"}, {1e3, "nJ"}} {
		if pj >= u.pj {
			return fmt.Sprintf("%.3g %s", pj/u.pj, u.unit)
		}
	}
	return fmt.Sprintf("%.3g pJ", pj)
}
