package diff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
	"kumiko/internal/page"
)

// profile is a profile of operand waits and its file.
type profile struct {
	name string
	*result.Waits
}

func (p *profile) about() string {
	return fmt.Sprintf("operand waits of SM %d in cycles %d to %d", p.SM, p.From, p.To)
}

// waits is the comparison of two profiles.
type waits struct {
	a, b profile
	list []table
}

// compareProfiles compares two profiles. Tables have at most top rows.
func compareProfiles(a, b profile, top int) *waits {
	return &waits{a: a, b: b, list: waitTables(a.Waits, b.Waits, top)}
}

// waitTables compares the waits of two profiles. Tables have at most top rows.
func waitTables(a, b *result.Waits, top int) (out []table) {
	var instructions, registers [2]map[string]float64
	weight := map[string]float64{}
	for k, w := range []*result.Waits{a, b} {
		instructions[k], registers[k] = map[string]float64{}, map[string]float64{}
		for i := range w.Instructions {
			x := &w.Instructions[i]
			instructions[k][x.Name()] = x.PerIssue()
			weight[x.Name()] = max(weight[x.Name()], float64(x.Issues))
		}
		for i := range w.Registers {
			registers[k][w.Registers[i].Name()] = 1000 * float64(w.Registers[i].Cycles) / float64(max(w.Issues(), 1))
		}
	}
	byWeight := bySize(pairs(instructions[0], instructions[1]))
	slices.SortStableFunc(byWeight, func(x, y change) int {
		return cmp.Compare(weight[y.name]*math.Abs(y.b-y.a), weight[x.name]*math.Abs(x.b-x.a))
	})
	for _, t := range []table{
		{"Cycles waited per issue", "", "", pairs(a.PerIssue(), b.PerIssue()), false, 0},
		{"Instructions, cycles waited per issue, the largest change of all issues first", "instruction", "cycles",
			first(byWeight, top), false, 0},
		{"Conflicts of two registers, cycles per thousand issues", "registers", "cycles",
			first(bySize(pairs(registers[0], registers[1])), top), false, 0},
	} {
		if len(t.list) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// otherCode is the note on profiles of programs with different instructions.
const otherCode = "the programs are compiled to different instructions; one that only one profile has waits 0 in the " +
	"other"

// sameCode reports whether two profiles are of the same instructions.
func sameCode(a, b *result.Waits) bool {
	texts := [2]map[string]bool{{}, {}}
	for k, w := range []*result.Waits{a, b} {
		for i := range w.Instructions {
			texts[k][w.Instructions[i].Name()] = true
		}
	}
	return maps.Equal(texts[0], texts[1])
}

// notes says where the profiles cannot be compared as they are.
func (w *waits) notes() (out []string) {
	if !sameCode(w.a.Waits, w.b.Waits) {
		out = append(out, otherCode)
	}
	return out
}

// print writes the comparison to the terminal.
func (w *waits) print(a *app.App) error {
	t := app.NewTable(a.Stdout)
	t.Row("A", w.a.name, w.a.about())
	t.Row("B", w.b.name, w.b.about())
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range w.notes() {
		fmt.Fprintln(a.Stderr, "note:", n)
	}
	return printTables(a, w.list)
}

// page returns the comparison as a page.
func (w *waits) page() *page.Page {
	p := &page.Page{Title: "Operand waits", Subtitle: fmt.Sprintf("A is %s, %s; B is %s, %s", w.a.name, w.a.about(),
		w.b.name, w.b.about()), Sections: sections(w.list),
		Footer: "Figures: Vega-Lite. The page contains everything that it shows."}
	for _, n := range w.notes() {
		p.Badges = append(p.Badges, page.Badge{Text: n})
	}
	return p
}
