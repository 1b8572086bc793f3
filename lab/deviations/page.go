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

// Page returns the page of a file, in Markdown. An entry's heading is its ID alone, so that links to it stay right when
// its title changes.
func (f *File) Page() []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "# %s\n", f.Title)
	for _, text := range []string{f.Intro, f.Numbers} {
		if text != "" {
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(text))
		}
	}
	for i := range f.Entries {
		f.Entries[i].write(b)
	}
	return b.Bytes()
}

// write writes the section of an entry.
func (d *Deviation) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n\n*%s*\n", d.ID, d.Title)
	for _, p := range []struct{ name, text string }{{"Paper", d.Paper}, {"Here", d.Here}, {"Because", d.Because}} {
		if p.text != "" {
			fmt.Fprintf(b, "\n**%s:** %s\n", p.name, strings.TrimSpace(p.text))
		}
	}
	for _, t := range d.Tables {
		fmt.Fprintf(b, "\n| %s |\n|%s\n", strings.Join(t.Head, " | "), strings.Repeat("---|", len(t.Head)))
		for _, row := range t.Rows {
			fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		}
	}
}
