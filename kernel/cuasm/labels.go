package cuasm

import (
	"fmt"
	"strings"

	"kumiko/internal/excerpt"
)

// jump is the place of a label's name.
type jump struct {
	line, at int
	label    string
}

// label records a label in front of the next instruction.
func (r *reader) label(name string) error {
	if line, ok := r.labels[name]; ok && r.strict {
		return r.bad(r.at, "the label "+excerpt.Quote(name)+" a second time",
			fmt.Sprintf("another name: it stands in line %d too", line))
	}
	if r.labels == nil {
		r.labels = map[string]int{}
	}
	r.labels[name] = r.number
	s := &r.sections[len(r.sections)-1]
	if s.Labels == nil {
		s.Labels = map[string]int{}
	}
	s.Labels[name] = len(s.Insts)
	return nil
}

// local are the opcodes with a place of their own function as the last operand.
var local = set("BRA", "SSY", "PBK", "PCNT", "BSSY")

// jump records the target of the next instruction.
func (r *reader) jump(x *statement) {
	n := len(x.operands)
	if n == 0 {
		return
	}
	o := &x.operands[n-1]
	label := strings.TrimSuffix(strings.TrimPrefix(o.text, "`("), ")")
	if x.base() == "BRA" {
		s := &r.sections[len(r.sections)-1]
		if s.Jumps == nil {
			s.Jumps = map[int]string{}
		}
		s.Jumps[len(s.Insts)] = label
	}
	// A number is an address, and the callee of a call may be in another file, so neither has to be a label of this
	// one.
	if local[x.base()] && o.kind == isOther && !o.isNumber() {
		r.jumps = append(r.jumps, jump{r.number, o.at, label})
	}
}

// unknownLabel returns an error about the first branch to an unknown label.
func (r *reader) unknownLabel() error {
	if !r.strict {
		return nil
	}
	for _, j := range r.jumps {
		if _, ok := r.labels[j.label]; !ok {
			return &Error{File: r.file, Line: j.line, Col: j.at + 1, Found: "a branch to " + excerpt.Quote(j.label),
				Want: "a label of the file, which stands before an instruction as " + excerpt.Printable(j.label) + ":"}
		}
	}
	return nil
}
