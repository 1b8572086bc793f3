// Package deviations reads the register of deviations from the papers,
// docs/deviations.md. Claims and the notes of studies refer to its entries.
package deviations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kumiko/docs"
)

// Deviation is an entry of the register.
type Deviation struct {
	ID, Title string
	Of        string // short name of a paper, or all
	What      string
	HowMuch   string
	Why       string
}

// All returns the project's register.
func All() ([]Deviation, error) { return Parse(docs.Deviations) }

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
	return fmt.Errorf("no deviation %q in docs/deviations.md; expected one of %s", id, strings.Join(ids, ", "))
}

// Parse reads a register. It returns an error for an incomplete entry.
func Parse(text string) ([]Deviation, error) {
	var out []Deviation
	for i, part := range strings.Split("\n"+text, "\n## ") {
		if i == 0 {
			continue
		}
		head, body, _ := strings.Cut(part, "\n")
		id, title, ok := strings.Cut(head, ": ")
		d := Deviation{ID: id, Title: title}
		for _, p := range strings.Split(body, "\n\n") {
			p = strings.ReplaceAll(strings.Join(strings.Fields(p), " "), "`", "")
			for name, field := range map[string]*string{"Of": &d.Of, "What": &d.What, "How much": &d.HowMuch,
				"Why": &d.Why} {
				if rest, ok := strings.CutPrefix(p, name+": "); ok {
					*field = rest
				}
			}
		}
		if !ok || d.Of == "" || d.What == "" || d.HowMuch == "" || d.Why == "" {
			return nil, fmt.Errorf("deviation %q: expected an id, a title, and the paragraphs Of, What, How much, Why",
				head)
		}
		out = append(out, d)
	}
	return out, nil
}

// Reference is how a text names a deviation, as [deviation ID].
var Reference = regexp.MustCompile(`\[deviation ([a-z0-9-]+)\]`)

// References returns the IDs of deviations in a text.
func References(text string) []string {
	var out []string
	for _, m := range Reference.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}
