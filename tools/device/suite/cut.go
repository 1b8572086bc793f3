package suite

import (
	"fmt"
	"strings"

	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// loop is a loop that has been cut out of a listing.
type loop struct {
	code  []ir.Inst
	lines []string // of the listing
	found int      // instructions of the row's opcode
}

// cut returns the first loop of a listing that has an opcode, such as FFMA; suffixes of its
// instructions do not count. Instructions without control words are refused: nothing would say
// when they issue.
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

// simulated is the loop as probe is to run it: all of the code.
func (l *loop) simulated() *probe.Loop { return &probe.Loop{To: len(l.code)} }
