package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/claims"
	"kumiko/lab/deviations"
	"kumiko/study/report"
)

// figure returns the name of a figure's file within lab/docs/papers.
func (p *paper) figure(file string) string { return path.Join("figures", p.name, file) }

// drawn reports whether a file of the report is a figure of the page.
func (p *paper) drawn(file string) bool {
	return slices.ContainsFunc(p.report.Figures, func(f *report.Figure) bool {
		return f.ID+".svg" == file && f.Values != nil
	})
}

// page writes the paper's page in Markdown. It begins with the map of the machines on which the paper's main design
// pays. Then come figures of which no claim is contradicted; the others are folded, because they are the longer part.
// The verdicts on all claims are last.
func (p *paper) page() []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "# %s\n\n", p.spec.Title)
	fmt.Fprintf(b, "The figures and tables of the paper beside Kumiko's. `make papers` writes this page from "+
		"[records](records/%s.jsonl.zst). [Deviations](../deviations/%s.md) has the differences from the paper, and "+
		"why.\n\n", p.name, p.name)
	p.lead(b)
	p.where(b)
	shown := map[string]bool{}
	fmt.Fprint(b, "## Figures of which no claim is contradicted\n\n")
	p.figures(b, shown, p.holds)
	var rest bytes.Buffer
	p.figures(&rest, shown, func(f *report.Figure) bool { return !p.holds(f) })
	if rest.Len() > 0 {
		fmt.Fprint(b, "## Figures of which a claim is contradicted\n\n")
		folded(b, "Each with the cause of what falls short, and the experiment that shows it", rest.Bytes())
	}
	p.tables(b, p.outcomes, shown)
	p.others(b, shown)
	p.score(b, p.outcomes, p.null)
	p.machine(b)
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// lead says what the paper's main claim is, what comes of it here, and why.
func (p *paper) lead(b *bytes.Buffer) {
	o := p.main
	if o == nil {
		return
	}
	fmt.Fprintf(b, "**The main claim.** %s: in the paper %s, here %s (%s).", escape(o.Claim.What), escape(o.Theirs),
		escape(o.Ours), o.Verdict)
	if o.Because != nil {
		why := "The cause is " + o.Because.Kind + "."
		if o.Because.Kind == claims.CauseEither {
			why = "Whether the programs or the machine make the difference is not known."
		}
		fmt.Fprintf(b, " %s %s", why, escape(o.Shown))
	}
	b.WriteString("\n\n")
}

// others writes the claims that stand at no figure and no table: what is a property of the design, such as its bits,
// and what is a result.
func (p *paper) others(b *bytes.Buffer, shown map[string]bool) {
	var structure, results []*claims.Outcome
	for i := range p.outcomes {
		switch o := &p.outcomes[i]; {
		case shown[o.ID]:
		case o.Claim.Kind == claims.KindExact:
			structure = append(structure, o)
		default:
			results = append(results, o)
		}
	}
	if len(structure) > 0 {
		fmt.Fprint(b, "## Sizes and counts\n\n")
		p.judged(b, structure, shown)
	}
	if len(results) > 0 {
		fmt.Fprint(b, "## Other results\n\n")
		p.judged(b, results, shown)
	}
}

// folded writes a part of a page that a reader unfolds.
func folded(b *bytes.Buffer, title string, part []byte) {
	fmt.Fprintf(b, "<details>\n<summary>%s</summary>\n\n%s</details>\n\n", title, part)
}

// holds reports whether no claim about a figure is contradicted.
func (p *paper) holds(f *report.Figure) bool {
	return !slices.ContainsFunc(about(p.outcomes, f.Where), func(o *claims.Outcome) bool {
		return o.Verdict == claims.Contradicted && o.Counted
	})
}

// figures writes the figures asked for, with the claims about each.
func (p *paper) figures(b *bytes.Buffer, shown map[string]bool, asked func(*report.Figure) bool) {
	for i, f := range p.report.Figures {
		if f.Values == nil || !asked(f) {
			continue
		}
		fmt.Fprintf(b, "### %s\n\n%s\n\n![%s](%s)\n\n", f.Title, escape(f.Caption), escape(f.Title),
			p.figure(f.ID+".svg"))
		if i < len(p.spec.Figures) {
			if text := summary(&p.spec.Figures[i], f); text != "" {
				fmt.Fprintf(b, "%s\n\n", escape(text))
			}
		}
		if len(f.Stated) > 0 {
			fmt.Fprintf(b, "In the paper: %s.\n\n", escape(strings.Join(f.Stated, "; ")))
		}
		var values bytes.Buffer
		table(&values, f.Values)
		folded(b, "The numbers", values.Bytes())
		p.judged(b, about(p.outcomes, f.Where), shown)
	}
}

// tables writes the tables, with the claims about each.
func (p *paper) tables(b *bytes.Buffer, outcomes []claims.Outcome, shown map[string]bool) {
	var all bytes.Buffer
	p.eachTable(&all, outcomes, shown)
	if all.Len() > 0 {
		fmt.Fprintf(b, "## Tables\n\n%s", all.Bytes())
	}
}

// eachTable writes the tables without a heading for all.
func (p *paper) eachTable(b *bytes.Buffer, outcomes []claims.Outcome, shown map[string]bool) {
	for i, t := range p.report.Tables() {
		d := &p.spec.Tables[i]
		if t.Table == nil {
			continue
		}
		title := d.Title
		if d.Where != "" {
			title += " (" + d.Where + ")"
		}
		fmt.Fprintf(b, "### %s\n\n", title)
		if t.Table.Caption != "" {
			fmt.Fprintf(b, "%s\n\n", escape(t.Table.Caption))
		}
		table(b, t.Table)
		p.judged(b, about(outcomes, d.Where), shown)
	}
}

// score writes the numbers of claims by verdict, and a table of the contradicted claims.
func (p *paper) score(b *bytes.Buffer, outcomes []claims.Outcome, null claims.Null) {
	fmt.Fprintf(b, "## Verdicts\n\n%d of %d measured claims hold. If the designs did nothing, %d would.\n",
		null.Ours, null.Of, null.Passed)
	fmt.Fprint(b, "[Claims](../claims.md) has the rules of the verdicts.\n\n")
	n, t := claims.Counts(outcomes), &page.Table{Rows: [][]string{nil}}
	for _, v := range claims.Verdicts {
		if n[v] > 0 {
			t.Head, t.Numeric = append(t.Head, string(v)), append(t.Numeric, true)
			t.Rows[0] = append(t.Rows[0], fmt.Sprint(n[v]))
		}
	}
	table(b, t)
	t = &page.Table{Head: []string{"claim that does not hold", "the paper", "here", "cause"}}
	for i := range outcomes {
		if o := &outcomes[i]; o.Verdict == claims.Contradicted && o.Counted {
			t.Rows = append(t.Rows, []string{escape(o.Claim.What), escape(o.Theirs), escape(o.Ours),
				cmp.Or(o.Cause, p.differences(o), "not found")})
		}
	}
	if len(t.Rows) > 0 {
		table(b, t)
	}
}

// machine writes a table of the machines, inputs and records.
func (p *paper) machine(b *bytes.Buffer) {
	c := p.census
	t := &page.Table{Head: []string{"", ""}}
	add := func(k, format string, v ...any) { t.Rows = append(t.Rows, []string{k, fmt.Sprintf(format, v...)}) }
	add("GPUs", "%s", strings.Join(gpusOf(p.spec), ", "))
	if len(p.spec.Set) > 0 {
		add("settings of all", "`%s`", strings.Join(p.spec.Set, "` `"))
	}
	sizes := []string{p.spec.Size}
	for i := range p.spec.Variants {
		if s := p.spec.Variants[i].Size; s != "" && !slices.Contains(sizes, s) {
			sizes = append(sizes, s)
		}
	}
	add("programs", "%d, at size %s", len(p.spec.Groups["all"]), strings.Join(sizes, " and "))
	if p.spec.Sample != nil {
		add("long launches", "sampled")
	}
	add("registers", "%s", map[string]string{"paper": "as the paper prints them"}[p.spec.Registers])
	if p.spec.Registers != "paper" {
		t.Rows[len(t.Rows)-1][1] = "as the compiler allocates them"
	}
	add("points", "%d of %d recorded, %d missing, %d failed or refused", c.Done, c.Points, len(c.Missing),
		len(c.Failed))
	if some := p.spec.Perturbed; p.Perturb > 0 && len(some) > 0 {
		add("perturbed runs of a point", "%d, of `%s`", p.Perturb, strings.Join(some, "` `"))
	} else {
		add("perturbed runs of a point", "%d", p.Perturb)
	}
	add("processor time", "%.1f hours", p.Seconds/3600)
	add("packed", "%s", p.Date)
	versions := map[string]int{}
	maps.Copy(versions, c.Other)
	if n := c.Done - total(c.Other); n > 0 {
		versions[p.Version] += n
	}
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		add("Kumiko "+v, "%d records", versions[v])
	}
	state := "as today"
	if p.golden != p.Golden {
		state = "some results of these GPUs have changed since: run the study again for today's"
	}
	add("golden results", "%s", state)
	fmt.Fprintf(b, "## Machine, inputs and records\n\n")
	table(b, t)
	read := "claims"
	if p.spec.Paper == "" {
		read = "report"
	}
	fmt.Fprintf(b, "```\nkumiko-lab study run %s\n", p.name)
	fmt.Fprintf(b, "kumiko-lab study %s %s --dir %s/records/%s.jsonl.zst\n```\n\n", read, p.name, out, p.name)
}

func total(of map[string]int) (n int) {
	for _, k := range of {
		n += k
	}
	return n
}

// judged writes the verdicts of claims, and the causes of the claims that fall short. A page has each cause once.
func (p *paper) judged(b *bytes.Buffer, list []*claims.Outcome, shown map[string]bool) {
	t := &page.Table{Head: []string{"claim", "the paper", "here", "verdict"}}
	var causes []string
	for _, o := range list {
		if shown[o.ID] {
			continue
		}
		shown[o.ID] = true
		verdict := "**" + string(o.Verdict) + "**"
		if m := o.Marks(); m != "" {
			verdict += " (" + m + ")"
		}
		t.Rows = append(t.Rows, []string{o.ID + ": " + escape(o.Claim.What), escape(o.Theirs), escape(o.Ours), verdict})
		if o.Because == nil && o.Verdict.Short() {
			for _, id := range o.Claim.Deviations {
				if d := p.deviations[id]; d != nil && !shown["deviation "+id] {
					shown["deviation "+id] = true
					causes = append(causes, fmt.Sprintf("- [%s](%s): %s", id, fromPages(d), escape(d.Title)))
				}
			}
		}
		if o.Because != nil && !shown["cause "+o.Because.ID] {
			shown["cause "+o.Because.ID] = true
			causes = append(causes, fmt.Sprintf("- %s (%s): %s\n  `%s`", o.Because.ID, o.Because.Kind, escape(o.Shown),
				o.Experiment))
		}
	}
	if len(t.Rows) == 0 {
		return
	}
	table(b, t)
	if len(causes) > 0 {
		fmt.Fprintf(b, "Causes of what falls short, with the experiments that show them:\n\n%s\n\n",
			strings.Join(causes, "\n"))
	}
}

// fromPages returns the place of a deviation as seen from the pages of papers.
func fromPages(d *deviations.Deviation) string {
	return "../" + strings.TrimPrefix(d.Place, "lab/docs/")
}

// differences returns links to the deviations of a claim.
func (p *paper) differences(o *claims.Outcome) string {
	var out []string
	for _, id := range o.Claim.Deviations {
		if d := p.deviations[id]; d != nil {
			out = append(out, fmt.Sprintf("[%s](%s)", id, fromPages(d)))
		}
	}
	return strings.Join(out, ", ")
}

// table writes a table in Markdown.
func table(b *bytes.Buffer, t *page.Table) {
	line := func(cells []string) {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(strings.ReplaceAll(c, "|", `\|`), "\n", "<br>")
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	line(slices.Clone(t.Head))
	for i := range t.Head {
		if i < len(t.Numeric) && t.Numeric[i] {
			b.WriteString("|---:")
			continue
		}
		b.WriteString("|---")
	}
	b.WriteString("|\n")
	for _, r := range t.Rows {
		line(slices.Clone(r))
	}
	b.WriteString("\n")
}

// escape keeps signs of Markdown from having effect.
func escape(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}
