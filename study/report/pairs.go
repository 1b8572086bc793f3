package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/gpus/energy"
	"kumiko/gpus/result"
	"kumiko/internal/page"
	"kumiko/study"
)

// point is a run of a variant without perturbation.
type point struct {
	variant, benchmark string
	*result.Result
}

// mostPoints bounds the comparison: each point has some 500 bytes of the page, and 300 more with a profile.
const mostPoints = 600

// pairs compares any two runs of a study; ok is false where there are not two.
func pairs(d *study.Data) (out page.Section, ok bool) {
	var points []point
	var names []string
	var groups []int
	for _, b := range d.Spec.Groups[study.AllGroup] {
		for i := range d.Spec.Variants {
			v := d.Spec.Variants[i].Name
			if r := d.Run(v, b, 0); r != nil {
				points, names = append(points, point{v, b, r}), append(names, b+", "+v)
				groups = append(groups, i)
			}
		}
	}
	out = page.Section{Title: "Two points beside each other",
		Text: "What differs between any two runs, B from A; what is equal is left out. The table of energies lacks " +
			"some blocks (docs/energy.md). kumiko diff compares all statistics of two records of the study's folder."}
	if !profiled(points) {
		out.Text += " A study with profile = true has operand waits here, too."
	}
	switch {
	case len(points) < 2:
		return out, false
	case len(points) > mostPoints:
		out.Text = fmt.Sprintf("kumiko diff compares two records. For a choice on this page there are too many "+
			"points: %d, and at most %d would fit.", len(points), mostPoints)
		return out, true
	}
	charged := charge(points)
	p := &page.Pairs{Points: names, Groups: groups, First: firstPair(d, points), Tables: []page.PairTable{
		{Title: "Settings", Texts: settingsOf(d.Spec)},
		{Title: "Totals", Relative: true, Numbers: totals(points, charged)},
		{Title: "Issue slots per warp instruction", Numbers: byName(points, func(r *result.Result) map[string]float64 {
			return r.Total.CPIStack
		})},
		{Title: "Register banks and crossbars, per thousand warp instructions", Relative: true, Numbers: byName(points,
			bankCounts)},
		{Title: "Conflicts of single banks, per thousand warp instructions", Numbers: byName(points, bankConflicts)},
		{Title: "Energy by block, in nanojoules, by the table " + energyTable, Numbers: byName(points,
			func(r *result.Result) map[string]float64 { return energies(charged[r]) })},
	}}
	p.Tables = append(p.Tables, waitTables(points)...)
	out.Parts = []page.Part{page.InPairs(p)}
	return out, true
}

// firstPair returns a variant with a baseline, behind the baseline, on the first benchmark that both have.
func firstPair(d *study.Data, points []point) [2]int {
	roots := d.Spec.Roots()
	for b, x := range points {
		a := slices.IndexFunc(points, func(o point) bool {
			return o.benchmark == x.benchmark && o.variant == roots[x.variant] && o.variant != x.variant
		})
		if a >= 0 {
			return [2]int{a, b}
		}
	}
	return [2]int{0, 1}
}

// settingsOf returns the parameters in which variants differ, for all variants.
func settingsOf(s *study.Spec) (out []page.PairTexts) {
	for _, p := range settings(s) {
		t := page.PairTexts{Name: p.Key}
		for k := range s.Variants {
			v, ok := p.values[s.Variants[k].Name]
			if !ok {
				v = none
			}
			i := slices.Index(t.Texts, v)
			if i < 0 {
				i, t.Texts = len(t.Texts), append(t.Texts, v)
			}
			t.Of = append(t.Of, i)
		}
		if len(t.Texts) > 1 {
			out = append(out, t)
		}
	}
	return out
}

func totals(points []point, charged map[*result.Result]*result.Energy) (out []page.PairNumbers) {
	for _, q := range []struct {
		name  string
		value func(*result.Result) float64
	}{
		{"cycles", func(r *result.Result) float64 { return float64(r.Total.Cycles) }},
		{"IPC", func(r *result.Result) float64 { return r.Total.IPC }},
		{"warp instructions", func(r *result.Result) float64 { return float64(r.Total.WarpInstructions) }},
		{"most CTAs on an SM", func(r *result.Result) float64 { return float64(r.Total.CTAsResidentMax) }},
		{"energy, nJ", func(r *result.Result) float64 {
			if e := charged[r]; e != nil {
				return e.PJ / 1000
			}
			return 0
		}},
	} {
		x := page.PairNumbers{Name: q.name}
		for _, p := range points {
			x.Values = append(x.Values, short(q.value(p.Result)))
		}
		out = append(out, x)
	}
	return out
}

// byName returns the quantities of all points, 0 where a point has none.
func byName(points []point, of func(*result.Result) map[string]float64) (out []page.PairNumbers) {
	var all []map[string]float64
	names := map[string]bool{}
	for _, p := range points {
		all = append(all, of(p.Result))
		for name, x := range all[len(all)-1] {
			names[name] = names[name] || x != 0
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !names[name] {
			continue
		}
		x := page.PairNumbers{Name: name}
		for _, m := range all {
			x.Values = append(x.Values, short(m[name]))
		}
		out = append(out, x)
	}
	return out
}

func bankCounts(r *result.Result) map[string]float64 {
	out, scale := map[string]float64{}, 1000/float64(max(r.Total.WarpInstructions, 1))
	for i := range r.Blocks.Banks {
		b := &r.Blocks.Banks[i]
		out["reads"] += scale * float64(b.Reads)
		out["writes"] += scale * float64(b.Writes)
		out["read conflicts"] += scale * float64(b.ReadConflicts)
		out["write conflicts"] += scale * float64(b.WriteConflicts)
	}
	for i := range r.Blocks.Crossbars {
		out["crossbar conflicts"] += scale * float64(r.Blocks.Crossbars[i].Conflicts)
	}
	return out
}

// bankConflicts returns the conflicts of banks per thousand warp instructions.
func bankConflicts(r *result.Result) map[string]float64 {
	out, scale := map[string]float64{}, 1000/float64(max(r.Total.WarpInstructions, 1))
	for name, n := range r.Blocks.ConflictsOfBanks() {
		out[name] = scale * float64(n)
	}
	return out
}

// energyTable is the table of energies that charges the points.
const energyTable = "gpu"

// charge returns the energies of the points whose machines the table fits.
func charge(points []point) map[*result.Result]*result.Energy {
	out := map[*result.Result]*result.Energy{}
	table, err := energy.Open(energyTable)
	if err != nil {
		return out
	}
	for _, p := range points {
		charges, err := table.Charges(p.Config)
		if err != nil {
			continue // the table says why it does not fit the machine: run --energy prints it
		}
		if e, err := charges.Of(p.Result); err == nil {
			out[p.Result] = e
		}
	}
	return out
}

func energies(e *result.Energy) map[string]float64 {
	out := map[string]float64{}
	if e != nil {
		for _, x := range e.Blocks {
			out[x.Block] = x.PJ / 1000
		}
	}
	return out
}

// short rounds a fraction to five digits, so that a page does not carry digits that it does not show.
func short(x float64) float64 {
	if x == math.Trunc(x) || x == 0 {
		return x
	}
	unit := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*unit) / unit
}
