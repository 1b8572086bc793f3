package diff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/timeline"
	"kumiko/internal/page"
)

// profile is a profile of operand waits and its file.
type profile struct {
	name string
	*timeline.ProfileReport
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
	of := [2]*profile{&a, &b}
	var issues [2]float64
	var total [3][2]float64
	instructions, pairsOf := [2]map[string]float64{}, [2]map[string]float64{}
	weight := map[string]float64{}
	for k, p := range of {
		instructions[k], pairsOf[k] = map[string]float64{}, map[string]float64{}
		for i := range p.Instructions {
			x := &p.Instructions[i]
			issues[k] += float64(x.Issues)
			all := 0.0
			for n, cycles := range []uint64{x.BankWait, x.WriteWait, x.CrossbarWait} {
				total[n][k] += float64(cycles)
				all += float64(cycles)
			}
			name := fmt.Sprintf("%s, pc %d: %s", x.Kernel, x.PC, x.Text)
			instructions[k][name] = all / float64(max(x.Issues, 1))
			weight[name] = max(weight[name], float64(x.Issues))
			for _, h := range x.Holders {
				if h.Waiting != "" && h.Register != "" {
					pairsOf[k][h.Waiting+" behind "+h.Register] += float64(h.Cycles)
				}
			}
		}
	}
	perIssue := []change{}
	for n, name := range []string{"operands, for banks", "results, for banks", "operands, for the crossbar"} {
		if total[n] != [2]float64{} {
			perIssue = append(perIssue, change{name, total[n][0] / max(issues[0], 1), total[n][1] / max(issues[1], 1)})
		}
	}
	for k := range of {
		for name := range pairsOf[k] {
			pairsOf[k][name] *= 1000 / max(issues[k], 1)
		}
	}
	byWeight := bySize(pairs(instructions[0], instructions[1]))
	slices.SortStableFunc(byWeight, func(x, y change) int {
		return cmp.Compare(weight[y.name]*math.Abs(y.b-y.a), weight[x.name]*math.Abs(x.b-x.a))
	})
	w := &waits{a: a, b: b}
	for _, t := range []table{
		{"Cycles waited per issue", "", "", perIssue, false, 0},
		{"Instructions, cycles waited per issue, the largest change of all issues first", "instruction", "cycles",
			first(byWeight, top), false, 0},
		{"Conflicts of two registers, cycles per thousand issues", "registers", "cycles",
			first(bySize(pairs(pairsOf[0], pairsOf[1])), top), false, 0},
	} {
		if len(t.list) > 0 {
			w.list = append(w.list, t)
		}
	}
	return w
}

// notes says where the profiles cannot be compared as they are.
func (w *waits) notes() (out []string) {
	texts := [2]map[string]bool{{}, {}}
	for k, p := range []*profile{&w.a, &w.b} {
		for i := range p.Instructions {
			x := &p.Instructions[i]
			texts[k][fmt.Sprint(x.Kernel, x.PC, x.Text)] = true
		}
	}
	if !maps.Equal(texts[0], texts[1]) {
		out = append(out, "the programs are compiled to different instructions; one that only one profile has waits 0 "+
			"in the other")
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
