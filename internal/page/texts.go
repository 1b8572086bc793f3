package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Texts hands the texts of a figure that come from outside to its specification.
// Vega makes expressions and keys of the texts that a specification has, so that
// one with a line break, a backslash or the name of something in JavaScript ends
// the drawing, or is missing from it; what it takes as data it leaves alone. A
// Texts makes parameters of them, and what stands in the specification names
// these. Categories are numbers in the data, by which their names are found.
//
// The parameters (Params) belong to the specification's.
type Texts struct {
	params []any
	names  map[string]string // of the parameters, by their values
}

// param names the parameter of a value. One value has one, since layers agree on
// a title only if they name it alike.
func (t *Texts) param(value any) string {
	key := fmt.Sprintf("%#v", value)
	if name, ok := t.names[key]; ok {
		return name
	}
	name := fmt.Sprintf("text%d", len(t.params))
	t.params = append(t.params, map[string]any{"name": name, "value": value})
	if t.names == nil {
		t.names = map[string]string{}
	}
	t.names[key] = name
	return name
}

// Text is what stands for a title; nil for an empty one, which takes no room.
func (t *Texts) Text(s string) any {
	if s == "" {
		return nil
	}
	return map[string]any{"expr": t.param(s)}
}

// Wrapped is what stands for a title of any length, which is broken between words
// into lines of at most so many letters; nil for an empty one.
func (t *Texts) Wrapped(s string, letters int) any {
	if utf8.RuneCountInString(s) <= letters {
		return t.Text(s)
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > letters {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return map[string]any{"expr": t.param(append(lines, line))}
}

// Labels is the labelExpr of an axis or a legend of categories 0, 1, 2... with
// these names.
func (t *Texts) Labels(names []string) string { return t.param(names) + "[datum.value]" }

// Params are the parameters of the texts so far.
func (t *Texts) Params() []any { return t.params }
