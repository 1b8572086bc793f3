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
	marks.Dead(k, varying)
	marks.LongConsumers(k)
	marks.Far(k)
}
