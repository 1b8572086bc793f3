// Package runpage makes the page of one run: the cycles of its kernels, the use of their issue slots, the activity
// of register banks and crossbars, operand latencies, and the configuration.
package runpage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/page"
	"kumiko/kernel/launch"
	"kumiko/study/query"
)

// Doc describes the machine for the page.
type Doc struct {
	Reasons []Reason // of issue slots, in their fixed order
	Stats   map[string]Stat
	Params  []Param
	// Size is that of a built-in program; empty: another one. Warnings are those of the terminal.
	Size     string
	Warnings []string
}

// Reason is a reason for using or not using an issue slot.
type Reason struct{ Name, Doc string }

// Stat is the unit and meaning of a statistic.
type Stat struct{ Unit, Doc string }

// Param is a parameter of the machine.
type Param struct{ Key, Value, Unit, Doc, Source string }

// mostKernels is the maximum number of bars in a figure. The longest kernels are shown.
const mostKernels = 24

// about says in a line what ran on which machine.
func about(r *result.Result, d *Doc) string {
	out := "register file " + r.Design
	if d.Size != "" {
		out = "size " + d.Size + ", " + out
	}
	switch n := fmt.Sprint(r.Config["slice.sms"]); n {
	case "0", "<nil>":
	case "1":
		out += ", a slice of one SM"
	default:
		out += ", a slice of " + n + " SMs"
	}
	out += fmt.Sprintf(", configuration %.12s, program %.12s", r.ConfigHash, r.ProgramHash)
	if r.Meant != "" {
		out += fmt.Sprintf(". %s is meant for: %s", r.Design, r.Meant)
	}
	return out
}

// New makes the page.
func New(r *result.Result, d *Doc) *page.Page {
	groups := grouped(r.Kernels)
	p := &page.Page{
		Title:    fmt.Sprintf("%s on %s", r.Program, r.GPU),
		Subtitle: about(r, d),
		Badges:   badges(r, d),
		Tiles:    tiles(r),
		Footer:   "Kumiko " + r.Version + ". Figures: Vega-Lite. The page contains everything that it shows.",
	}
	p.Sections = append(p.Sections, kernels(groups, &r.Total.Counts))
	p.Sections = append(p.Sections, besideSections(r.Kernels, d)...)
	if r.Total.WarpInstructions > 0 {
		p.Sections = append(p.Sections, slots(groups, r, d), states(groups, d))
	}
	if len(r.Blocks.Banks) > 0 {
		p.Sections = append(p.Sections, banks(&r.Blocks))
	}
	if s, ok := latency(r); ok {
		p.Sections = append(p.Sections, s)
	}
	if r.Energy != nil {
		p.Sections = append(p.Sections, energy(r.Energy))
	}
	if r.Area != nil {
		p.Sections = append(p.Sections, area(r.Area))
	}
	p.Sections = append(p.Sections, statistics(r, d), provenance(r), configuration(d))
	return p
}

func badges(r *result.Result, d *Doc) []page.Badge {
	var out []page.Badge
	for _, w := range d.Warnings {
		out = append(out, page.Badge{Text: w})
	}
	if !r.Complete {
		out = append(out, page.Badge{Text: "incomplete: the run was cut short"})
	}
	if s := r.Sampling(); s != nil {
		out = append(out, page.Badge{Text: fmt.Sprintf("sampled: %d units in %d of %d launches, %s of %s warp "+
			"instructions simulated; the counts are estimates", s.Units, s.Launches, result.Launched(r.Kernels),
			grouped3(s.WarpInstructions), grouped3(r.Total.WarpInstructions))})
	}
	if x := r.Perturbed; x != nil && x.Underfilled > 0 {
		out = append(out, page.Badge{Text: fmt.Sprintf("the CTAs of %d launches do not fill the machine: the "+
			"perturbed runs have them on other SMs, so that the interval is not that of timing alone", x.Underfilled)})
	}
	for _, e := range r.Expect {
		if e.OK {
			out = append(out, page.Badge{Text: e.Buffer + ": as expected", Good: true})
		} else {
			out = append(out, page.Badge{Text: fmt.Sprintf("%s: %d elements differ", e.Buffer, e.Mismatches)})
		}
	}
	return out
}

func tiles(r *result.Result) []page.Tile {
	t := &r.Total.Counts
	cycles := "core clock, all launches"
	if s := r.Sampling(); s != nil {
		cycles = fmt.Sprintf("give or take %s at 95 %% confidence", grouped3(uint64(s.CyclesHalf)))
	}
	ipc, per := fmt.Sprintf("%.2f", t.IPC), "thread instructions per cycle"
	if x := r.Perturbed; x != nil {
		cycles = fmt.Sprintf("%s to %s with %d perturbed runs", grouped3(x.CyclesInterval[0]),
			grouped3(x.CyclesInterval[1]), len(x.Cycles))
		if i := query.StudentT(append([]float64{t.IPC}, x.IPC...)); i != nil {
			ipc = query.PlusMinus(t.IPC, i.Half())
			per += "; ±: half of the interval of 95 % over the perturbed runs too"
		}
	}
	return []page.Tile{
		{Label: "Cycles", Value: grouped3(t.Cycles), Note: cycles},
		{Label: "IPC", Value: ipc, Note: per},
		{Label: "Warp instructions", Value: grouped3(t.WarpInstructions),
			Note: launches(result.Launched(r.Kernels))},
		{Label: "Issue slots used", Value: Share(t.IssueSlots[result.Issued], sum(t.IssueSlots)),
			Note: "of all schedulers' slots"},
		{Label: "CTAs per SM", Value: fmt.Sprint(t.CTAsResidentMax), Note: "resident at most"},
		{Label: "Simulation", Value: fmt.Sprintf("%.1f s", r.WallSeconds),
			Note: grouped3(uint64(r.WarpInstructionsPerSecond)) + " warp instructions/s"},
	}
}

// group is the set of launches of one kernel.
type group struct {
	name   string
	first  *result.Kernel
	n      int
	counts result.Counts
	steady string
}

// grouped groups the launches by kernel and geometry, in the order of first occurrence.
func grouped(kernels []result.Kernel) []group {
	var out []group
	seen := map[string]int{}
	for _, l := range result.Groups(kernels, result.SameShape) {
		g := group{name: launch.Shown(l[0].Name), first: &l[0], n: result.Launched(l),
			counts: result.Sum(l).Counts, steady: "-"}
		if seen[g.name]++; seen[g.name] > 1 {
			g.name += fmt.Sprintf(" (%d)", seen[g.name])
		}
		if g.n == 1 && l[0].IPCSteady != nil {
			g.steady = fmt.Sprintf("%.2f", *l[0].IPCSteady)
		}
		out = append(out, g)
	}
	return out
}

// longest returns the groups with the most cycles, in their order.
func longest(groups []group) []group {
	if len(groups) <= mostKernels {
		return groups
	}
	by := slices.Clone(groups)
	slices.SortStableFunc(by, func(a, b group) int { return cmp.Compare(b.counts.Cycles, a.counts.Cycles) })
	least := by[mostKernels-1].counts.Cycles
	var out []group
	for _, g := range groups {
		if g.counts.Cycles >= least && len(out) < mostKernels {
			out = append(out, g)
		}
	}
	return out
}

func kernels(groups []group, total *result.Counts) page.Section {
	t := &page.Table{Head: []string{"kernel", "launches", "grid", "block", "registers", "shared bytes", "CTAs/SM",
		"cycles", "of all", "warp instructions", "IPC", "steady IPC", "issued"},
		Numeric: []bool{false, true, false, false, true, true, true, true, true, true, true, true, true}}
	for _, g := range groups {
		c := &g.counts
		t.Rows = append(t.Rows, []string{g.name, fmt.Sprint(g.n), dims(g.first.Grid), dims(g.first.Block),
			fmt.Sprint(g.first.RegistersPerThread),
			fmt.Sprint(g.first.SharedBytes), fmt.Sprint(c.CTAsResidentMax), grouped3(c.Cycles),
			Share(c.Cycles, total.Cycles), grouped3(c.WarpInstructions),
			fmt.Sprintf("%.2f", c.IPC), g.steady, Share(c.IssueSlots[result.Issued], sum(c.IssueSlots))})
	}
	return page.Section{Title: "Kernels",
		Text: "IPC is thread instructions per core cycle over the whole GPU. Steady IPC leaves out the cycles in " +
			"which SMs fill and drain; of kernels launched once.",
		Parts: []page.Part{{Table: t}}}
}

const statisticsTitle = "Statistics"

func statistics(r *result.Result, d *Doc) page.Section {
	t := &page.Table{Head: []string{"statistic", "value", "unit", "what it is"}, Numeric: []bool{false, true}}
	t.ID = func(row int) string { return anchor + t.Rows[row][0] }
	t.Class = func(_, column int) string {
		if column == 2 {
			return "unit"
		}
		return ""
	}
	for _, name := range sortedKeys(r.Total.Stats) {
		if v := r.Total.Stats[name]; v != 0 {
			t.Rows = append(t.Rows, []string{name, grouped3(v), d.Stats[name].Unit, d.Stats[name].Doc})
		}
	}
	return page.Section{Title: statisticsTitle, Text: "Summed over all launches; those that are zero are left out.",
		Folded: true, Parts: []page.Part{{Table: t}}}
}

func configuration(d *Doc) page.Section {
	t := &page.Table{Head: []string{"parameter", "value", "unit", "what it is", "source"}}
	for _, p := range d.Params {
		unit := p.Unit
		if unit == "-" {
			unit = ""
		}
		t.Rows = append(t.Rows, []string{p.Key, p.Value, unit, p.Doc, p.Source})
	}
	return page.Section{Title: "Configuration", Folded: true, Screen: true, Parts: []page.Part{{Table: t}}}
}

func provenance(r *result.Result) page.Section {
	t := &page.Table{Head: []string{"", ""}}
	for _, x := range [][2]string{{"Kumiko", r.Version}, {"GPU", r.GPU}, {"design", r.Design}, {"program", r.Program},
		{"configuration (SHA-256)", r.ConfigHash},
		{"program (SHA-256)", r.ProgramHash}, {"seed", fmt.Sprint(r.Seed)}, {"complete", fmt.Sprint(r.Complete)}} {
		t.Rows = append(t.Rows, x[:])
	}
	return page.Section{Title: "Provenance",
		Text:  "The result is a function of these alone, to the bit, for any number of workers and on any machine.",
		Parts: []page.Part{{Table: t}}}
}

func dims(d [3]int) string {
	if d == [3]int{} { // of launches that differ
		return "several"
	}
	s := fmt.Sprint(d[0])
	if d[1] != 1 || d[2] != 1 {
		s += fmt.Sprintf(" x %d", d[1])
	}
	if d[2] != 1 {
		s += fmt.Sprintf(" x %d", d[2])
	}
	return s
}

func launches(n int) string {
	if n == 1 {
		return "in 1 launch"
	}
	return fmt.Sprintf("in %d launches", n)
}

// grouped3 formats a number with its digits in groups of three.
func grouped3(n uint64) string {
	s := fmt.Sprint(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Share returns a part in per cent of the whole.
func Share(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func sum(m map[string]uint64) (n uint64) {
	for _, v := range m {
		n += v
	}
	return n
}
