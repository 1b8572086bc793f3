package pairs

import (
	"fmt"
	"slices"
	"strings"
)

// markdown is the pairs of some GPUs as Markdown: a table for the GPUs with the same answers, and below each the
// settings and the reasons.
func markdown(gpus []string) (string, error) {
	var order []string
	of := map[string][]string{}
	for _, g := range gpus {
		list, err := List(g)
		if err != nil {
			return "", err
		}
		t := table(list)
		if of[t] == nil {
			order = append(order, t)
		}
		of[t] = append(of[t], g)
	}
	var out strings.Builder
	for _, t := range order {
		fmt.Fprintf(&out, "On `%s`:\n\n%s\n", strings.Join(of[t], "`, `"), t)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// notes are numbered lines.
type notes []string

// number returns the number of a line.
func (n *notes) number(line string) int {
	i := slices.Index(*n, line)
	if i < 0 {
		i = len(*n)
		*n = append(*n, line)
	}
	return i + 1
}

// table is the pairs of a GPU.
func table(list []Pair) string {
	var head, rows strings.Builder
	var why notes
	path := ""
	for i := range list {
		p := &list[i]
		if p.Path == list[0].Path {
			head.WriteString(" | " + p.Residency)
		}
		if p.Path != path {
			path = p.Path
			rows.WriteString("\n| `" + path + "`")
		}
		cell := "yes"
		switch {
		case p.Why != "":
			cell = fmt.Sprintf("no %d", why.number(p.Why))
		case p.Sets != nil:
			cell = fmt.Sprintf("yes %d", why.number("with `"+p.flags()+"`"))
		}
		rows.WriteString(" | " + cell)
		if i+1 == len(list) || list[i+1].Path != path {
			rows.WriteString(" |")
		}
	}
	columns := strings.Count(head.String(), "|")
	out := "|" + head.String() + " |\n|" + strings.Repeat("---|", columns+1) + rows.String() + "\n"
	for i, line := range why {
		out += fmt.Sprintf("\n%d. %s", i+1, line)
	}
	if len(why) > 0 {
		out += "\n"
	}
	return out
}
