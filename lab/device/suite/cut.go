package suite

import (
	"fmt"
	"strings"

	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// loop is a loop cut out of a listing.
type loop struct {
	code  []ir.Inst
	lines []string // of the listing
	found int      // instructions of the row's opcode
}

// cut returns the first loop of a listing with an instruction of the given opcode, such as FFMA. Suffixes of the
// opcode are ignored. Instructions without control words are refused, since their issue times would be undefined.
func cut(file, text, opcode string) (*loop, error) {
	sections, err := cuasm.ReadListing(file, []byte(text))
	if err != nil {
		return nil, err
	}
	for s := range sections {
		x := &sections[s]
		for end := range x.Insts {
			from, ok := x.Labels[x.Jumps[end]]
			if !ok || from > end {
				continue
			}
			l := &loop{code: x.Insts[from : end+1], lines: strings.Split(text, "\n")}
			for i := range l.code {
				in := &l.code[i]
				if name, _, _ := strings.Cut(in.Sym, "."); strings.HasPrefix(name, opcode) {
					l.found++
				}
				if !in.Control.Set {
					return nil, fmt.Errorf("%s:%d:%d: found %s without a control word, expected a listing of "+
						"nvdisasm -hex", file, in.Line, in.Col, in.Sym)
				}
			}
			if l.found > 0 {
				return l, nil
			}
		}
	}
	return nil, fmt.Errorf("%s: found no loop with %s, expected one: a label, and a BRA back to it", file, opcode)
}

// simulated returns the loop in the form used by probe: the whole code.
func (l *loop) simulated() *probe.Loop { return &probe.Loop{To: len(l.code)} }
