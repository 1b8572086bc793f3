package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Texts passes texts of outside origin to a figure's specification. Vega evaluates texts inside a specification as
// expressions and keys. A text with a line break, a backslash or the name of a JavaScript object can therefore
// break the drawing, or be missing from it. Texts in data are safe. Texts turns each text into a parameter, and the
// specification contains only the parameter's name. Categories are numbers in the data, used as indexes into a list
// of names.
//
// Params must be added to the parameters of the specification.
type Texts struct {
	params []any
	names  map[string]string // of the parameters, by their values
}

// param returns the name of the parameter of a value. Each value has only one parameter, since layers share a title
// only if both use the same name.
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

// Text returns the reference to a title; nil for an empty title, which takes no space.
func (t *Texts) Text(s string) any {
	if s == "" {
		return nil
	}
	return map[string]any{"expr": t.param(s)}
}

// Wrapped returns the reference to a title of any length, broken between words into lines of at most the given
// number of letters; nil for an empty title.
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

// Labels returns the labelExpr of an axis or a legend for categories 0, 1, 2... with the given names.
func (t *Texts) Labels(names []string) string { return t.param(names) + "[datum.value]" }

// Params returns the parameters of the texts so far.
func (t *Texts) Params() []any { return t.params }
