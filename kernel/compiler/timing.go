package compiler

import (
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// setTiming fills in Timing of an allocated kernel. varying says on which
// branches lanes may disagree.
func setTiming(k *ir.Kernel, varying []bool) {
	for pc := range k.Insts {
		ir.SetTiming(&k.Insts[pc])
	}
	k.Varying = varying
	marks.Dead(k)
	marks.LongConsumers(k)
	marks.Far(k)
}
