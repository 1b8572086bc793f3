package gpus

import (
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// variant compiles a launch's kernel with its registers numbered as they were
// allocated or by their first use, or takes it from what has been compiled.
func (m *machine) variant(k *ir.Kernel, registers int, firstUse bool) (*ir.Kernel, error) {
	key := compileKey{k, registers, firstUse}
	if c := m.compiled[key]; c != nil {
		return c, nil
	}
	o := m.compiler
	o.FirstUse = firstUse
	c, err := compileTo(k, registers, o, m.spec.MaxRegs)
	if err == nil {
		m.compiled[key] = c
	}
	return c, err
}

// numbered tells whether a launch's registers are numbered by their first use.
// That is what makes those of CTAs that share private ones; a kernel that leaves
// nothing to share is executed as it was allocated, and with no difference to a
// GPU that does not share.
func (m *machine) numbered(l *host.Launch, k *ir.Kernel) (bool, error) {
	if !m.compiler.FirstUse || m.ctas == nil {
		return m.compiler.FirstUse, nil
	}
	plain, err := m.variant(k, l.Registers, false)
	if err != nil {
		return false, err
	}
	fit, err := m.ctas(needsOf(l, plain))
	return err == nil && fit.SharedPairs > 0, nil // what does not fit is refused when it is launched
}
