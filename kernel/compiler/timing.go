package compiler

import "kumiko/kernel/ir"

func setTiming(k *ir.Kernel) {
	for pc := range k.Insts {
		ir.SetTiming(&k.Insts[pc])
	}
}
