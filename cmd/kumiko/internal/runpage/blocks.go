package runpage

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/page"
)

// banks shows accesses and conflicts over banks and SMs.
func banks(b *result.Blocks) page.Section {
	var rows, cross []row
	var names, outs []string
	for _, x := range b.Banks {
		n := partName(x.Name)
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
		rows = append(rows, row{"block": n, "sm": x.SM, "accesses": x.Reads + x.Writes, "reads": x.Reads,
			"writes":    x.Writes,
			"conflicts": x.ReadConflicts + x.WriteConflicts, "queued": x.Queued})
	}
	for _, x := range b.Crossbars {
		n := partName(x.Name)
		if !slices.Contains(outs, n) {
			outs = append(outs, n)
		}
		cross = append(cross, row{"block": n, "sm": x.SM, "accesses": x.Transfers + x.Hops, "conflicts": x.Conflicts,
			"queued": x.Queued})
	}
	bankTips := tip("block", "bank", "", "sm", "SM", "", "reads", "reads", ",", "writes", "writes", ",", "conflicts",
		"conflict cycles", ",", "queued", "requests waiting, mean", ".3f")
	crossTips := tip("block", "crossbar", "", "sm", "SM", "", "accesses", "values carried", ",", "conflicts",
		"conflict cycles", ",", "queued", "values waiting, mean", ".3f")
	s := page.Section{Title: "Register banks",
		Text: "Over all launches, by SM. A conflict cycle is a cycle that one request waits because its bank is taken",
		Parts: []page.Part{page.Fig("Accesses, conflict cycles and queue of each register bank.",
			heat(rows, names, "accesses", "requests", bankTips))}}
	tables := []*page.Table{bankTable(names, b)}
	if len(cross) > 0 {
		s.Title += " and crossbars"
		s.Text += ", or that one value waits for a path through the crossbar"
		s.Parts = append(s.Parts, page.Fig("Values carried, conflict cycles and queue of each operand crossbar.",
			heat(cross, outs, "values carried", "values", crossTips)))
		tables = append(tables, crossbarTable(outs, b))
	}
	s.Text += "."
	s.Parts = append(s.Parts, folded("The same as a table, all SMs added up", tables...))
	return s
}

// partName returns a block's name within the register file of its SM.
func partName(name string) string {
	if _, rest, ok := strings.Cut(name, ".RegFile."); ok {
		return rest
	}
	return name
}

// heat returns three heat maps of blocks over SMs, side by side: accesses, conflict cycles, and the mean number of
// waiting requests or values. The color scale of each, with its unit, is above it.
func heat(rows []row, names []string, accesses, queue string, tips []row) row {
	one := func(field, title, unit, scheme, format string, axis any) row {
		scale := row{"scheme": scheme, "domainMin": 0}
		if !slices.ContainsFunc(rows, func(r row) bool { return fmt.Sprint(r[field]) != "0" }) {
			scale["domainMax"] = 1 // else nothing has the colour of much
		}
		return row{
			"title": title, "width": 200, "height": row{"step": 15}, "mark": row{"type": "rect", "stroke": "#fff",
				"strokeWidth": 0.5},
			"encoding": row{
				"x": row{"field": "sm", "type": "ordinal", "title": "SM",
					"axis": row{"labelAngle": 0, "labelOverlap": true, "ticks": false, "domain": false}},
				"y": row{"field": "block", "type": "nominal", "sort": names, "title": nil, "axis": axis},
				"color": row{"field": field, "type": "quantitative", "scale": scale,
					"legend": row{"title": unit, "labelExpr": "format(datum.value, '" + format + "')",
						"gradientLength": 120}},
				"tooltip": tips,
			},
		}
	}
	return row{
		"data": row{"values": rows}, "usermeta": page.Least(120),
		"hconcat": []row{
			one("accesses", capital(accesses), accesses, "blues", "~s", row{"ticks": false, "domain": false}),
			one("conflicts", "Conflicts", "cycles waited", "oranges", "~s", nil),
			one("queued", "Waiting "+queue, queue+", mean over cycles", "purples", ".2~g", nil)},
		"resolve": row{"scale": row{"color": "independent"}},
	}
}

// capital returns a text with its first letter in upper case.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func folded(title string, tables ...*page.Table) page.Part {
	g := &page.Group{Title: title, Folded: true}
	for _, t := range tables {
		g.Parts = append(g.Parts, page.Tab(t))
	}
	return page.Part{Group: g}
}

// bankTable returns a table of the named banks, each summed over the SMs.
func bankTable(names []string, b *result.Blocks) *page.Table {
	t := &page.Table{Caption: "Register banks. Waiting: requests in the bank's queue, mean over cycles and SMs.",
		Head:    []string{"bank", "reads", "writes", "conflict cycles of reads", "of writes", "per access", "waiting"},
		Numeric: []bool{false, true, true, true, true, true, true}}
	for _, name := range names {
		var sum result.Bank
		sms := 0
		for _, x := range b.Banks {
			if partName(x.Name) == name {
				sum.Reads, sum.Writes, sum.Queued = sum.Reads+x.Reads, sum.Writes+x.Writes, sum.Queued+x.Queued
				sum.ReadConflicts, sum.WriteConflicts = sum.ReadConflicts+x.ReadConflicts, sum.WriteConflicts+
					x.WriteConflicts
				sms++
			}
		}
		t.Rows = append(t.Rows, []string{name, grouped3(sum.Reads), grouped3(sum.Writes), grouped3(sum.ReadConflicts),
			grouped3(sum.WriteConflicts),
			ratio(sum.ReadConflicts+sum.WriteConflicts, sum.Reads+sum.Writes),
			fmt.Sprintf("%.3f", sum.Queued/float64(sms))})
	}
	return t
}

// crossbarTable returns a table of the named crossbars, each summed over the SMs.
func crossbarTable(names []string, b *result.Blocks) *page.Table {
	t := &page.Table{Caption: "Operand crossbars, or routers of an operand network. Waiting: values at the heads of " +
		"inputs, mean over cycles and SMs.",
		Head: []string{"crossbar", "values to collectors", "to other routers", "conflict cycles", "per value",
			"waiting"},
		Numeric: []bool{false, true, true, true, true, true}}
	for _, name := range names {
		var sum result.Crossbar
		sms := 0
		for _, x := range b.Crossbars {
			if partName(x.Name) == name {
				sum.Transfers, sum.Hops, sum.Conflicts, sum.Queued = sum.Transfers+x.Transfers, sum.Hops+x.Hops,
					sum.Conflicts+x.Conflicts, sum.Queued+x.Queued
				sms++
			}
		}
		t.Rows = append(t.Rows, []string{name, grouped3(sum.Transfers), grouped3(sum.Hops), grouped3(sum.Conflicts),
			ratio(sum.Conflicts, sum.Transfers+sum.Hops), fmt.Sprintf("%.3f", sum.Queued/float64(sms))})
	}
	return t
}

// ratio writes n / of, or a dash if of is 0.
func ratio(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

// barText is the label of a bar: whole per cents, so that it fits between the bars beside it.
func barText(share float64) string {
	if share < 0.005 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// latency shows the distribution of the operand latency.
func latency(r *result.Result) (page.Section, bool) {
	const name = "regfile.collector.operand_latency"
	list := r.Total.Distributions[name]
	var n uint64
	for _, b := range list {
		n += b.Count
	}
	if n == 0 {
		return page.Section{}, false
	}
	var rows []row
	var labels []string
	t := &page.Table{Head: []string{"cycles", "instructions", "share", "this or less"},
		Numeric: []bool{true, true, true, true}}
	below := uint64(0)
	for _, b := range list {
		below += b.Count
		labels = append(labels, b.String())
		rows = append(rows, row{"latency": b.String(), "share": float64(b.Count) / float64(n), "count": b.Count,
			"below": float64(below) / float64(n), "text": barText(float64(b.Count) / float64(n))})
		t.Rows = append(t.Rows, []string{b.String(), grouped3(b.Count), Share(b.Count, n), Share(below, n)})
	}
	fig := row{
		"width": 840, "height": 200, "data": row{"values": rows}, "usermeta": page.Least(30 * len(rows)),
		"layer": []row{
			{"mark": row{"type": "bar", "color": "#1971c2"}},
			{"mark": row{"type": "text", "baseline": "bottom", "dy": -2, "fontSize": 11, "color": "#212529"},
				"encoding": row{"text": row{"field": "text"}}},
		},
		"encoding": row{
			"x": row{"field": "latency", "type": "ordinal", "sort": labels,
				"title": "cycles from the collector to its last operand",
				"axis":  row{"labelAngle": 0}},
			"y": row{"field": "share", "type": "quantitative", "title": "share of instructions",
				"axis": row{"format": ".0%", "tickCount": 5}},
			"tooltip": tip("latency", "cycles", "", "count", "instructions", ",", "share", "share", ".2%", "below",
				"this or less", ".2%"),
		},
	}
	mean := float64(r.Total.Stats[name]) / float64(n)
	return page.Section{Title: "Operand latency",
		Text:  fmt.Sprintf("%s instructions with register sources; %.2f cycles on average.", grouped3(n), mean),
		Parts: []page.Part{page.Fig("", fig), folded("The same as a table", t)}}, true
}
