package probe

import (
	"fmt"

	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// Loop is the loop of a sequence: the instruction before To branches back to the instruction at From.
type Loop struct{ From, To int }

// FindLoop returns the loop of a section, or nil. It sets the target of the loop's branch.
func FindLoop(s *cuasm.Section) (*Loop, error) {
	var found *Loop
	for i := range s.Insts {
		to, ok := s.Jumps[i]
		if !ok {
			continue
		}
		in := &s.Insts[i]
		at, ok := s.Labels[to]
		switch {
		case !ok:
			return nil, fmt.Errorf("%d:%d: found a branch to %s, expected a label of the sequence", in.Line, in.Col, to)
		case at > i:
			return nil, fmt.Errorf("%d:%d: found a branch to %s, which is behind it, expected one back: a loop",
				in.Line, in.Col, to)
		case found != nil:
			return nil, fmt.Errorf("%d:%d: found another branch, expected one loop", in.Line, in.Col)
		}
		in.Target, found = at, &Loop{From: at, To: i + 1}
	}
	return found, nil
}

// loopOf finds the loop again after instructions have been inserted. It returns nil if l is nil.
func loopOf(code []ir.Inst, l *Loop) *Loop {
	if l == nil {
		return nil
	}
	for i := range code {
		if in := &code[i]; in.T.Class == ir.ClassBranch && in.Op == ir.OpBra {
			return &Loop{From: in.Target, To: i + 1}
		}
	}
	return nil
}
