// Package deviations reads the register of deviations from the papers,
// docs/deviations, which claims and the notes of studies name.
package deviations

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"kumiko/docs"
)

// Deviation is an entry of the register.
type Deviation struct {
	ID, Title string
	Place     string   // file and anchor from the project's root
	Of        []string // short names of papers, or all
	Designs   []string // names of a machine's parts that the entry is about; nil: any machine
	Programs  []string // benchmarks that it is about, or BuiltIn; nil: any program
	Paper     string   // what the paper does or says
	Kumiko    string   // what Kumiko does
	Effect    string   // what the difference changes; empty where Numbers say it
	Why       string
	Numbers   []Numbers
}

// Numbers is a table of an entry.
type Numbers struct {
	Measured string // how, or nothing
	Head     []string
	Rows     [][]string
}

// BuiltIn stands for every built-in benchmark.
const BuiltIn = "built-in"

// Use is what a study uses.
type Use struct {
	Paper    string          // its short name; empty: none
	Designs  map[string]bool // parts of its machines
	Programs map[string]bool // benchmarks, and BuiltIn if there is one
}

// Concerns reports whether the entry concerns a study. An entry about designs does where one of the designs is used,
// whatever the paper.
func (d *Deviation) Concerns(u *Use) bool {
	in := func(set map[string]bool) func(string) bool { return func(name string) bool { return set[name] } }
	if d.Designs != nil {
		return slices.ContainsFunc(d.Designs, in(u.Designs))
	}
	return (slices.Contains(d.Of, "all") || u.Paper != "" && slices.Contains(d.Of, u.Paper)) &&
		(d.Programs == nil || slices.ContainsFunc(d.Programs, in(u.Programs)))
}

// All returns the project's register.
func All() ([]Deviation, error) {
	files, err := fs.Glob(docs.Deviations, "deviations/*.md")
	if err != nil {
		return nil, err
	}
	var out []Deviation
	for _, file := range files {
		text, err := fs.ReadFile(docs.Deviations, file)
		if err != nil {
			return nil, err
		}
		list, err := Parse("docs/"+file, string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// Unknown returns an error for an ID missing from the register, or nil.
func Unknown(id string) error {
	all, err := All()
	if err != nil || slices.ContainsFunc(all, func(d Deviation) bool { return d.ID == id }) {
		return err
	}
	var ids []string
	for _, d := range all {
		ids = append(ids, d.ID)
	}
	return fmt.Errorf("no deviation %q in docs/deviations; expected one of %s", id, strings.Join(ids, ", "))
}

// Parse reads a file of the register. Entries without a paragraph Of are of the paper with the file's name.
func Parse(file, text string) ([]Deviation, error) {
	var out []Deviation
	for i, part := range strings.Split("\n"+text, "\n## ") {
		if i == 0 {
			continue
		}
		head, body, _ := strings.Cut(part, "\n")
		id, title, ok := strings.Cut(head, ": ")
		d := Deviation{ID: id, Title: title, Place: file + "#" + docs.Anchor(head),
			Of: []string{strings.TrimSuffix(path.Base(file), ".md")}}
		if err := d.read(body); err != nil {
			return nil, fmt.Errorf("%s: deviation %q: %w", file, id, err)
		}
		if !ok || d.Paper == "" || d.Kumiko == "" || d.Why == "" || d.Effect == "" && len(d.Numbers) == 0 {
			return nil, fmt.Errorf("%s: deviation %q: expected an id, a title, the paragraphs Paper, Kumiko, Why, "+
				"and Effect or a table", file, head)
		}
		out = append(out, d)
	}
	return out, nil
}

// read reads the paragraphs of an entry.
func (d *Deviation) read(body string) error {
	measured := ""
	for _, p := range strings.Split(strings.TrimSpace(body), "\n\n") {
		if strings.HasPrefix(p, "|") {
			n, err := table(p)
			if err != nil {
				return err
			}
			n.Measured, measured = measured, ""
			d.Numbers = append(d.Numbers, n)
			continue
		}
		p = plain(strings.Join(strings.Fields(p), " "))
		name, rest, _ := strings.Cut(p, ": ")
		switch name {
		case "Of":
			d.Of = strings.Split(rest, ", ")
		case "Designs":
			d.Designs = strings.Split(rest, ", ")
		case "Programs":
			d.Programs = strings.Split(rest, ", ")
		case "Paper":
			d.Paper = rest
		case "Kumiko":
			d.Kumiko = rest
		case "Effect":
			d.Effect = rest
		case "Why":
			d.Why = rest
		case "Measured":
			measured = strings.TrimSpace(measured + " " + rest)
		default:
			return fmt.Errorf("found the paragraph %q, expected Of, Designs, Programs, Paper, Kumiko, Effect, Why, "+
				"Measured or a table", p)
		}
	}
	if measured != "" && len(d.Numbers) > 0 {
		return fmt.Errorf("no table follows Measured: %s", measured)
	}
	d.Effect = strings.TrimSpace(d.Effect + " " + measured)
	return nil
}

// table reads a table in Markdown.
func table(text string) (Numbers, error) {
	var rows [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
			return Numbers{}, fmt.Errorf("found %q in a table, expected a row between | and |", line)
		}
		cells := strings.Split(line[1:len(line)-1], "|")
		for i := range cells {
			cells[i] = plain(strings.TrimSpace(cells[i]))
		}
		if len(rows) > 0 && len(cells) != len(rows[0]) {
			return Numbers{}, fmt.Errorf("found %d cells in %q, expected %d", len(cells), line, len(rows[0]))
		}
		rows = append(rows, cells)
	}
	if len(rows) < 3 {
		return Numbers{}, fmt.Errorf("found a table of %d lines, expected a head, a rule and rows", len(rows))
	}
	return Numbers{Head: rows[0], Rows: rows[2:]}, nil
}

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plain returns a text without the marks of Markdown.
func plain(text string) string {
	return strings.NewReplacer("`", "", "**", "").Replace(link.ReplaceAllString(text, "$1"))
}

// Reference is how a text names a deviation, as [deviation ID].
var Reference = regexp.MustCompile(`\[deviation ([a-z0-9-]+)\]`)

// References returns the deviations that a text names.
func References(text string) []string {
	var out []string
	for _, m := range Reference.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}
