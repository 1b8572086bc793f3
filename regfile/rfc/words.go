package rfc

import (
	"kumiko/components/bank"
	"kumiko/kernel/ir"
)

// What the cache wants to know of an operand.
const (
	readLast bank.Word = 1 << iota // no lane needs the register after this read (ir.Timing.Dead)
	readFar                        // the next read is behind the next long consumer (ir.Timing.FarSrc)
)

// What the cache wants to know of a result.
const (
	madeLong   bank.Word = 1 << iota // by a global, local or texture load or atomic
	madeShared                       // by a load or atomic of shared memory
	madeFar                          // it is read, if at all, behind the next long consumer (ir.Timing.FarDst)
)

// words are what the cache wants to know of operands and results. Of operands it
// wants nothing where it would do nothing about it.
func (s *Spec) words() bank.Words {
	w := bank.Words{Result: resultWord}
	if s.hints() {
		w.Source, w.Last = sourceWord, readLast
	}
	return w
}

func sourceWord(t *ir.Timing, i int) (w bank.Word) {
	if t.Dead>>i&1 != 0 {
		w = readLast
	}
	if t.FarSrc>>i&1 != 0 {
		w |= readFar
	}
	return w
}

func resultWord(t *ir.Timing, i int) (w bank.Word) {
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
