package compiler

import (
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// setTiming fills in Timing of an allocated kernel. varying says on which
// branches lanes may disagree.
func setTiming(k *ir.Kernel, varying []bool) {
	pc := 0
	defer func() {
		if p := recover(); p != nil {
			panic(ir.Internal(k, &k.Insts[min(pc, len(k.Insts)-1)], p))
		}
	}()
	for ; pc < len(k.Insts); pc++ {
		ir.SetTiming(&k.Insts[pc])
	}
	k.Varying = varying
	marks.Dead(k)
	marks.LongConsumers(k)
	marks.Far(k)
}
