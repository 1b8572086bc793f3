package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/claims"
)

// short returns the paper's title without the authors.
func (p *paper) short() string {
	title, _, _ := strings.Cut(p.spec.Title, " (")
	return title
}

// index writes the list of the papers with their scores, and the studies beside them.
func index(list, others []*paper) []byte {
	b := &bytes.Buffer{}
	fmt.Fprint(b, `# The papers, reproduced

For each paper a page with its figures and tables beside Kumiko's, the verdict on each claim, and the causes of what
falls short. `+"`make papers`"+` writes the pages from the committed records, in about a minute and without simulating
anything.

`)
	t := &page.Table{Head: []string{"paper", "claims", "exact", "within", "direction", "contradicted", "unresolved",
		"not run", "hold", "hold without the designs"}}
	for range t.Head {
		t.Numeric = append(t.Numeric, len(t.Numeric) > 0)
	}
	by := map[string][]int{}
	for k, p := range list {
		if p.report == nil {
			t.Rows = append(t.Rows, append([]string{p.short() + ": no records here yet"}, make([]string, 9)...))
			continue
		}
		outcomes, null := p.outcomes, p.null
		n := claims.Counts(outcomes)
		all := 0
		for _, c := range n {
			all += c
		}
		cells := []string{"[" + p.short() + "](" + p.name + ".md)"}
		for _, c := range []int{all, n[claims.Exact], n[claims.Within], n[claims.Direction], n[claims.Contradicted],
			n[claims.Unresolved], n[claims.NotRun] + n[claims.NotTestable] + n[claims.Calibrated]} {
			cells = append(cells, fmt.Sprint(c))
		}
		t.Rows = append(t.Rows, append(cells, fmt.Sprintf("%d of %d", null.Ours, null.Of), fmt.Sprintf("%d of %d",
			null.Passed, null.Of)))
		for cause, c := range claims.Blames(outcomes) {
			if by[cause] == nil {
				by[cause] = make([]int, len(list))
			}
			by[cause][k] = c
		}
		if n := claims.Described(outcomes); n > 0 {
			by[""][k] -= n
			if by[described] == nil {
				by[described] = make([]int, len(list))
			}
			by[described][k] = n
		}
	}
	table(b, t)
	causes(b, list, by)
	beside(b, others)
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// described heads claims without a kind of cause, whose difference from the paper is a deviation with an experiment.
const described = "described as a deviation"

// causes writes how many claims fall short for which kind of cause.
func causes(b *bytes.Buffer, list []*paper, by map[string][]int) {
	fmt.Fprint(b, `## Why claims fall short

Claims with the verdict direction, contradicted or unresolved, by the kind of their cause.
Each cause is shown by an experiment, which the page of the paper names.
Where a claim has no kind of cause, its page leads to the deviation that describes the difference.

`)
	t := &page.Table{Head: []string{"cause"}, Numeric: []bool{false}}
	for _, p := range list {
		t.Head, t.Numeric = append(t.Head, p.name), append(t.Numeric, true)
	}
	t.Head, t.Numeric = append(t.Head, "all"), append(t.Numeric, true)
	for _, kind := range append(append([]string{}, claims.CauseKinds...), described, "") {
		cells, sum := []string{kind}, 0
		if kind == "" {
			cells[0] = "not found"
		}
		for k := range list {
			n := 0
			if by[kind] != nil {
				n = by[kind][k]
			}
			cells, sum = append(cells, fmt.Sprint(n)), sum+n
		}
		t.Rows = append(t.Rows, append(cells, fmt.Sprint(sum)))
	}
	table(b, t)
}

// The papers stand in the README between these lines.
const (
	papersBegin = "<!-- papers -->\n"
	papersEnd   = "<!-- /papers -->\n"
)

// introduced returns the project's README with what today's records say about the papers: how many claims hold, and the
// map of the machines on which a design pays.
func introduced(file string, list, others []*paper) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(text), papersBegin)
	_, after, also := strings.Cut(rest, papersEnd)
	if !ok || !also {
		return nil, fmt.Errorf("%s: found no place for the papers, expected the lines %s and %s", file,
			strings.TrimSpace(papersBegin), strings.TrimSpace(papersEnd))
	}
	b := bytes.NewBufferString(before + papersBegin + "\n")
	papers, ours, of, null, open := 0, 0, 0, 0, 0
	for _, p := range list {
		if p.report != nil {
			papers, ours, of, null = papers+1, ours+p.null.Ours, of+p.null.Of, null+p.null.Passed
			open += claims.Blames(p.outcomes)[claims.CauseEither]
		}
	}
	fmt.Fprintf(b, "The laboratory measures %d claims of %d papers. %d of them hold here, whereas %d would hold if "+
		"the designs did nothing.\nWhy the others do not is on [their pages](lab/docs/papers/README.md), each cause "+
		"with the experiment that shows it.\nFor %d of them it is open whether the programs or the machine make the "+
		"difference.\n\n", of, papers, ours, null, open)
	var more []string
	first := true
	for _, p := range others {
		f, text := p.first()
		switch link := fmt.Sprintf("[%s](lab/docs/papers/%s.md)", escape(p.spec.Title), p.name); {
		case f == nil || !strings.HasPrefix(p.name, wherePrefix):
		case first:
			fmt.Fprintf(b, "![%s](lab/docs/papers/%s)\n\n%s:\n%s\n", escape(f.Title), p.figure(f.ID+".svg"), link,
				strings.ReplaceAll(escape(text), ". ", ".\n"))
			first = false
		default:
			more = append(more, strings.Replace(link, "Where", "where", 1))
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(b, "More maps: %s.\n", strings.Join(more, ", "))
	}
	if !first {
		b.WriteString("\n")
	}
	b.WriteString(papersEnd + after)
	return b.Bytes(), nil
}
