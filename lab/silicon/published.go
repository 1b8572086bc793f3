package main

import (
	"fmt"
	"math"
	"slices"

	"kumiko/internal/page"
	"kumiko/lab/device/suite"
	"kumiko/lab/silicon/published"
)

// publishedRows simulates the rates that others published of chips with Maxwell's SM.
func publishedRows(done func()) ([]published.Outcome, error) {
	rows, err := published.Rows()
	if err != nil {
		return nil, err
	}
	var out []published.Outcome
	for _, r := range rows {
		o, err := published.Simulate(r, published.Control, published.Packed)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		done()
	}
	return out, nil
}

// publishedSummary summarizes published rates by their source, in the order of the rows.
func publishedSummary(list []published.Outcome) (out []suite.Summary) {
	for i := 0; i < len(list); {
		n := i
		var rows []suite.Outcome
		for ; n < len(list) && list[n].Suite == list[i].Suite; n++ {
			rows = append(rows, suite.Outcome{Measured: list[n].Measured, Simulated: list[n].Simulated})
		}
		s := published.Sources[list[i].Suite]
		out = append(out, suite.Summarize(s.Name+", "+s.Chip, rows))
		i = n
	}
	return out
}

// publishedSection lists published rates, and where they are from.
func publishedSection(list []published.Outcome) page.Section {
	sources := &page.Table{Head: []string{"source", "chip", "rows", "mean error", "worst", "address"},
		Numeric: []bool{false, false, true, true, true, false}}
	texts := &page.Table{Head: []string{"source", "what was measured, and how it is simulated"},
		Numeric: []bool{false, false}}
	var seen []string
	summary := publishedSummary(list)
	for i := range list {
		if slices.Contains(seen, list[i].Suite) {
			continue
		}
		s, sum := published.Sources[list[i].Suite], &summary[len(seen)]
		seen = append(seen, list[i].Suite)
		sources.Rows = append(sources.Rows, []string{s.Name, s.Chip, fmt.Sprint(sum.Rows), percent(sum.Mean),
			percent(sum.Worst), s.Address})
		texts.Rows = append(texts.Rows, []string{s.Name, s.Doc})
	}
	rows := &page.Table{Head: []string{"source", "chip", "row", "unit", "published", "simulated", "error"},
		Numeric: []bool{false, false, false, false, true, true, true},
		Class: func(row, column int) string {
			if column == 6 && math.Abs(list[row].Error()) > 0.3 {
				return "bad"
			}
			return ""
		}}
	for i := range list {
		o := &list[i]
		s := published.Sources[o.Suite]
		rows.Rows = append(rows.Rows, []string{s.Name, s.Chip, o.Name, o.Unit, value(o.Measured), value(o.Simulated),
			fmt.Sprintf("%+.1f %%", 100*o.Error())})
	}
	return page.Section{Title: "Published rates of Maxwell's chips",
		Text: "Rates that others measured and published, against kernels of this project that do the same, as ptxas' " +
			"code for sm_52 on " + published.GPU + " by its control words. No value of the GPU follows one of them.",
		Parts: []page.Part{page.Tab(sources), page.Tab(texts), page.Tab(rows)}}
}
