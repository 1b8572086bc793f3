package cerf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// lastRead marks the last read of a register: no lane needs it afterwards (ir.Timing.Dead).
const lastRead bank.Hint = 1

// operandHints returns the compiler's hints on operands for the tags: under lru-prioritized whether a read is the last,
// otherwise nothing.
func (s *Spec) operandHints() bank.Hints {
	if s.Policy != Prioritized {
		return bank.Hints{}
	}
	return bank.Hints{Last: lastRead, AnyOrder: true,
		Source: func(t *ir.Timing, i int) bank.Hint { return bank.Hint(t.Dead >> i & 1) }}
}

// dies reports whether a register becomes inactive after a read.
func (s *Spec) dies(a *bank.Access) bool {
	return a.Hint&lastRead != 0 && (s.Dead == DeadLive || a.Content.Lanes == version.FullMask)
}
