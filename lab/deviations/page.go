package deviations

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// Plain returns a text of the register in one line, without the marks of Markdown.
func Plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("`", "", "**", "").Replace(link.ReplaceAllString(text, "$1"))
}

// Page returns the page of a file, in Markdown.
func (f *File) Page() []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "# %s\n\n%s\n\n| entry | in one line |\n|---|---|\n", f.Title, strings.TrimSpace(f.Intro))
	for i := range f.Entries {
		d := &f.Entries[i]
		_, anchor, _ := strings.Cut(d.Place, "#")
		fmt.Fprintf(b, "| [%s](#%s) | %s |\n", d.ID, anchor, d.Line)
	}
	for i := range f.Entries {
		f.Entries[i].write(b)
	}
	return b.Bytes()
}

// write writes the section of an entry.
func (d *Deviation) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n", d.heading())
	for _, p := range []struct{ name, text string }{{"Paper", d.Paper}, {"Kumiko", d.Kumiko}, {"Effect", d.Effect},
		{"Why", d.Why}} {
		if p.text != "" {
			fmt.Fprintf(b, "\n**%s:** %s\n", p.name, strings.TrimSpace(p.text))
		}
	}
	for _, t := range d.Tables {
		if t.Measured != "" {
			fmt.Fprintf(b, "\n**Measured:** %s\n", strings.TrimSpace(t.Measured))
		}
		fmt.Fprintf(b, "\n| %s |\n|%s\n", strings.Join(t.Head, " | "), strings.Repeat("---|", len(t.Head)))
		for _, row := range t.Rows {
			fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		}
	}
}
