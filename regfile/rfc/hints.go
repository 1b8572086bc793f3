package rfc

import (
	"kumiko/components/bank"
	"kumiko/kernel/ir"
)

// Hints on an operand.
const (
	readLast bank.Hint = 1 << iota // no lane needs the register after this read (ir.Timing.Dead)
	readFar                        // the next read is behind the next long consumer (ir.Timing.FarSrc)
)

// Hints on a result.
const (
	madeLong   bank.Hint = 1 << iota // by a global, local or texture load or atomic
	madeShared                       // by a load or atomic of shared memory
	madeFar                          // read, if at all, behind the next long consumer (ir.Timing.FarDst)
)

// operandHints returns the compiler's hints on operands and results for the cache. Operands have hints only if the
// cache
// uses them.
func (s *Spec) operandHints() bank.Hints {
	w := bank.Hints{Result: resultHint}
	if s.hints() {
		w.Source, w.Last = sourceHint, readLast
	}
	return w
}

func sourceHint(t *ir.Timing, i int) (w bank.Hint) {
	if t.Dead>>i&1 != 0 {
		w = readLast
	}
	if t.FarSrc>>i&1 != 0 {
		w |= readFar
	}
	return w
}

func resultHint(t *ir.Timing, i int) (w bank.Hint) {
	switch t.Class {
	case ir.ClassTexture:
		w = madeLong
	case ir.ClassLoad, ir.ClassAtomic:
		switch t.Space {
		case ir.Global, ir.Local, ir.Generic:
			w = madeLong
		case ir.Shared:
			w = madeShared
		}
	}
	if t.FarDst>>i&1 != 0 {
		w |= madeFar
	}
	return w
}
