package gpgpusim

import (
	"fmt"
	"slices"
	"strings"
)

// Text returns the GPU file, made of the named files. Where a key was set twice, the last value counts.
func (g *GPU) Text(files ...string) string {
	var b strings.Builder
	from := strings.Join(files, " and ")
	fmt.Fprintf(&b, "# Made of %s by kumiko new gpu. The comment of a line is the option that it is from.\n", from)
	fmt.Fprintf(&b, "base = %q\ndoc  = %q\n", g.Base, "GPGPU-Sim's configuration "+from)
	tables := []string{}
	lines := map[string][]setting{}
	for i, s := range g.settings {
		if slices.ContainsFunc(g.settings[i+1:], func(o setting) bool { return o.key == s.key }) {
			continue
		}
		table, key := "", s.key
		if at := strings.LastIndexByte(s.key, '.'); at >= 0 {
			table, key = s.key[:at], s.key[at+1:]
		}
		if lines[table] == nil && table != "" {
			tables = append(tables, table)
		}
		lines[table] = append(lines[table], setting{key, s.value, s.source})
	}
	writeLines(&b, lines[""])
	for _, t := range tables {
		fmt.Fprintf(&b, "\n[%s]\n", t)
		writeLines(&b, lines[t])
	}
	if len(g.left) > 0 {
		b.WriteString("\n# Left out, and what that changes:\n")
	}
	for _, o := range g.left {
		fmt.Fprintf(&b, "#   -%s %s: %s\n", o.Name, o.Value, o.changes)
	}
	if len(g.unknown) > 0 {
		b.WriteString("\n# Not known, and left out:\n")
	}
	for _, o := range g.unknown {
		fmt.Fprintf(&b, "#   -%s %s (%s)\n", o.Name, o.Value, o.place())
	}
	return b.String()
}

// writeLines writes the lines of a table, aligned.
func writeLines(b *strings.Builder, list []setting) {
	key, value := 0, 0
	for _, s := range list {
		key = max(key, len(s.key))
		if len(s.value) < 16 {
			value = max(value, len(s.value))
		}
	}
	for _, s := range list {
		fmt.Fprintf(b, "%-*s = %-*s # %s\n", key, s.key, value, s.value, s.source)
	}
}

// Counts returns how many settings the file has, and how many options were left out and not known.
func (g *GPU) Counts() (settings, left, unknown int) {
	return len(g.settings), len(g.left), len(g.unknown)
}
