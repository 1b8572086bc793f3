package gpus

import (
	"fmt"

	"kumiko/gpus/config"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/sm"
	"kumiko/sm/occupancy"
)

// kernelOf is the kernel that a launch names.
func kernelOf(l *host.Launch) (*ir.Kernel, error) {
	k := l.Module.Kernel(l.Kernel)
	if k == nil {
		return nil, fmt.Errorf("%s: no kernel %q", l.Module.File, l.Kernel)
	}
	return k, nil
}

// needsOf is what a CTA of a launch needs, of a kernel that has been compiled.
func needsOf(l *host.Launch, k *ir.Kernel) occupancy.CTA {
	return occupancy.CTA{Threads: l.Threads(), Registers: k.Footprint, SharedBytes: k.SharedBytes + l.DynShared}
}

// executable refuses a kernel with an instruction that no unit of the SM executes, or that it could
// not issue.
func executable(k *ir.Kernel, s *sm.Spec) error {
	for i := range k.Insts {
		if in := &k.Insts[i]; !s.Executes(in.T.Class) {
			return fmt.Errorf("%s:%d:%d: found %s, of the class %s, expected a unit of the SM that executes it "+
				"(sm.units.NAME.classes)", k.File, in.Line, in.Col, in.Op, in.T.Class)
		} else if s.Scheduler.Controlled() && !in.Control.Set {
			return fmt.Errorf("%s:%d:%d: found %s without a control word in %s, expected one in every instruction, "+
				"since sched.dependences = control: let the compiler make them (compiler.control_words = sm_52, sm_75 "+
				"or sm_86; a sequence of instructions: --auto-control), or set sched.dependences = scoreboard",
				k.File, in.Line, in.Col, in.Op, k.Name)
		}
	}
	return nil
}

// timely refuses a kernel whose control words, made elsewhere, count on shorter latencies than the
// machine has.
func timely(k *ir.Kernel, c *config.Config) error {
	m, err := control.For(c.Machine())
	if err != nil || !c.Sched.Controlled() {
		return nil // nothing is known of what the words count on, or nothing obeys them
	}
	hw := c.Hardware()
	for i := range k.Insts {
		if in := &k.Insts[i]; in.Control.Set {
			if err := m.Late(&hw, in); err != nil {
				return fmt.Errorf("%s:%d:%d: %s: %w (sm.units.%s.latency, shared)", k.File, in.Line, in.Col, in.Sym,
					err, c.SM.UnitOf(in.T.Class))
			}
		}
	}
	return nil
}

// ofKernel names the kernel in an error.
func ofKernel(k *ir.Kernel, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", k.Name, err)
}
