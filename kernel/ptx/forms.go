package ptx

import (
	_ "embed"
	"strings"
)

//go:embed forms.tsv
var formsText string

// Form is a pattern of instructions: {a,b} means either, [.x] the instruction with and without the modifier.
type Form struct {
	Section     string `json:"section"`
	Instruction string `json:"instruction"`
	Operands    string `json:"operands"` // one letter for each register; the head of forms.tsv names them
	Status      string `json:"status"`   // executes, refused, or stops the launch
}

// Forms lists the forms of instructions with their statuses. A test runs each of them.
func Forms() []Form {
	var out []Form
	section := ""
	for line := range strings.Lines(formsText) {
		line = strings.TrimSuffix(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(line, "\t")
		out = append(out, Form{section, c[0], c[1], c[2]})
	}
	return out
}
