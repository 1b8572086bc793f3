package turing

import (
	"strings"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// domain is a kind of arithmetic. A result has a short way to its own kind.
type domain uint8

const (
	other domain = iota // whose results all readers have at once
	integers
	products
	halves
	numKinds
)

// kinds has the kind of each timing class.
var kinds = [ir.NumClasses]domain{ir.ClassMove: integers, ir.ClassInt: integers, ir.ClassShift: integers,
	ir.ClassCompare: integers, ir.ClassVote: integers, ir.ClassFAdd: products, ir.ClassFMul: products,
	ir.ClassFMA: products, ir.ClassIntMul: products, ir.ClassHalf: halves}

// kindOf returns the kind of arithmetic of an instruction. Two classes are not what they seem, by ptxas' control words
// for sm_90: IMAD.MOV is a move by the multiplier, so FFMAs get its result as soon as that of another FFMA, and FCHK
// reads its operands as special functions do.
func kindOf(in *ir.Inst) domain {
	if in.T.Class == ir.ClassMove && (in.Op == ir.OpMad || in.Op == ir.OpImad ||
		strings.HasPrefix(in.Sym, "IMAD.MOV")) {
		return products
	}
	if in.Op == ir.OpDivCheck || strings.HasPrefix(in.Sym, "FCHK") {
		return other
	}
	return kinds[in.T.Class]
}

// hops has, by the kind of a reader, how much later than others it has the results of each kind.
type hops [numKinds][]wire.Cycle

// hops returns the delays of readers.
func (s *Spec) hops() (out hops) {
	for to := integers; s.Hop > 0 && to < numKinds; to++ {
		out[to] = make([]wire.Cycle, numKinds)
		for from := integers; from < numKinds; from++ {
			if from != to {
				out[to][from] = wire.Cycle(s.Hop)
			}
		}
	}
	return out
}

// fixedClass reports whether operations of a class have a fixed latency in a unit of their sub-core.
func (s *Spec) fixedClass(c ir.Class) bool { return c.FixedLatency() || s.Doubles && c.Double() }

// late returns the timing classes of variable latency.
func (s *Spec) late() *[ir.NumClasses]bool {
	var list [ir.NumClasses]bool
	for c := range ir.NumClasses {
		list[c] = !s.fixedClass(c)
	}
	return &list
}
