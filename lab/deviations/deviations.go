// Package deviations is the register of known differences from the papers. An entry is data: what the paper says, what
// is here, and the cause with the experiment that shows it. Differences of one cause are one entry. Claims and notes of
// studies name entries by their ID; the pages in lab/docs/deviations are made from them.
package deviations

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"kumiko/docs"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// File is a page of the register. Texts of a file may have Markdown's links, code and emphasis.
type File struct {
	Name    string      `toml:"-"`     // of the page, without .md: a paper's short name, common or README
	Title   string      `toml:"title"` // heading of the page
	Intro   string      `toml:"intro"`
	Numbers string      `toml:"numbers"` // what the entries' numbers are unless they name another measure
	Entries []Deviation `toml:"deviation"`
}

// Deviation is an entry of the register.
type Deviation struct {
	ID    string `toml:"id"`
	Title string `toml:"title"` // the difference in one line
	// Of are short names of papers, or all. The default is the paper with the file's name.
	Of       []string `toml:"of"`
	Designs  []string `toml:"designs"`  // names of a machine's parts that the entry is about; none: any machine
	Programs []string `toml:"programs"` // benchmarks that it is about, or BuiltIn; none: any program
	Paper    string   `toml:"paper"`    // what the paper does or says
	Here     string   `toml:"here"`     // what Kumiko does and what comes of it; may be missing where the title says it
	Because  string   `toml:"because"`  // the cause and its experiment, or that it is not known
	Tables   []Table  `toml:"table"`

	Place   string `toml:"-"` // file and anchor of its page, from the project's root
	Numbers string `toml:"-"` // the file's
}

// Table has the numbers of an entry.
type Table struct {
	Head []string   `toml:"head"`
	Rows [][]string `toml:"rows"`
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
	if len(d.Designs) > 0 {
		return slices.ContainsFunc(d.Designs, in(u.Designs))
	}
	return (slices.Contains(d.Of, "all") || u.Paper != "" && slices.Contains(d.Of, u.Paper)) &&
		(len(d.Programs) == 0 || slices.ContainsFunc(d.Programs, in(u.Programs)))
}

//go:embed data/*.toml
var data embed.FS

// Pages is the folder of the pages, from the project's root.
const Pages = "lab/docs/deviations"

// Files returns the register, a file for each page.
func Files() ([]*File, error) {
	names, err := fs.Glob(data, "data/*.toml")
	if err != nil {
		return nil, err
	}
	var out []*File
	for _, name := range names {
		text, err := fs.ReadFile(data, name)
		if err != nil {
			return nil, err
		}
		f, err := Parse(path.Base(name), text)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// All returns the entries of all files.
func All() ([]Deviation, error) {
	files, err := Files()
	var out []Deviation
	for _, f := range files {
		out = append(out, f.Entries...)
	}
	return out, err
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
	return fmt.Errorf("no deviation %q in lab/deviations/data%s", id, nearest.Hint(id, ids))
}

// Parse reads a file of the register strictly. Mistakes come as *tomldoc.Error, joined when there are several.
func Parse(name string, text []byte) (*File, error) {
	doc, err := tomldoc.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if errs := tomldoc.Check(doc, reflect.TypeFor[File]()); len(errs) > 0 {
		return nil, tomldoc.Join(name, errs)
	}
	f := &File{Name: strings.TrimSuffix(name, ".toml")}
	if err := tomldoc.Decode(name, text, f); err != nil {
		return nil, err
	}
	if f.Name == "main" {
		f.Name = "README"
	}
	var errs []error
	for i := range f.Entries {
		d := &f.Entries[i]
		if d.Of == nil {
			d.Of = []string{f.Name}
		}
		d.Numbers = f.Numbers
		d.Place = Pages + "/" + f.Name + ".md#" + docs.Anchor(d.ID)
		if what := d.incomplete(); what != "" {
			errs = append(errs, tomldoc.Errorf(doc.At(fmt.Sprintf("deviation.%d", i)), "deviation %q: %s", d.ID, what))
		}
	}
	return f, errors.Join(errs...)
}

// incomplete says what an entry lacks, or nothing.
func (d *Deviation) incomplete() string {
	if d.ID == "" || d.Title == "" || d.Paper == "" || d.Because == "" {
		return "expected id, title, paper and because"
	}
	for _, t := range d.Tables {
		for _, row := range t.Rows {
			if len(row) != len(t.Head) {
				return fmt.Sprintf("found %d cells in the row of %q, expected %d", len(row), row[0], len(t.Head))
			}
		}
		if len(t.Rows) == 0 {
			return "found a table without rows"
		}
	}
	return ""
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
