package code

import (
	"fmt"

	"kumiko/gpus/config"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/sm"
)

// kernelOf returns the kernel named by a launch.
func kernelOf(l *host.Launch) (*ir.Kernel, error) {
	k := l.Module.Kernel(l.Kernel)
	if k == nil {
		return nil, fmt.Errorf("%s: no kernel %q", l.Module.File, l.Kernel)
	}
	return k, nil
}

// InstError is an error about an instruction of a kernel.
type InstError struct {
	Kernel *ir.Kernel
	PC     int
	Err    error
}

// Error begins with the place of the instruction in the kernel's source.
func (e *InstError) Error() string {
	in := &e.Kernel.Insts[e.PC]
	return fmt.Sprintf("%s:%d:%d: %v", e.Kernel.File, in.Line, in.Col, e.Err)
}

func (e *InstError) Unwrap() error { return e.Err }

// nameOf returns the opcode of an instruction of machine code, and the operation of any other.
func nameOf(in *ir.Inst) string {
	if in.Sym != "" && in.Op != ir.OpTex && in.Op != ir.OpTxq {
		return in.Sym
	}
	return in.Op.String()
}

// Executable refuses a kernel with an instruction that no unit of the SM executes, with a matrix product whose
// rate the GPU does not have, or with a missing control word where the schedulers need one.
func Executable(k *ir.Kernel, s *sm.Spec) error {
	for i := range k.Insts {
		if in := &k.Insts[i]; !s.Executes(in.T.Class) {
			return &InstError{k, i, fmt.Errorf("found %s, of the class %s, expected a unit of the SM that executes it "+
				"(sm.units.NAME.classes)", nameOf(in), in.T.Class)}
		} else if !s.Multiplies(in) {
			return &InstError{k, i, fmt.Errorf("found %s, expected a product of matrices that the GPU has: its tensor "+
				"units have no rate for %s (sm.units.%s.products)", nameOf(in), in.T.Product, s.UnitOf(in.T.Class))}
		} else if s.Scheduler.Controlled() && !in.Control.Set {
			return &InstError{k, i, fmt.Errorf("found %s without a control word in %s, expected one in every "+
				"instruction, since sched.dependences = control: let the compiler make them (compiler.control_words = "+
				"sm_52, sm_75, sm_86 or sm_90; a sequence of instructions: --auto-control), or set "+
				"sched.dependences = "+
				"scoreboard", in.Op, k.Name)}
		}
	}
	return nil
}

// Timely refuses a kernel with control words made elsewhere for shorter latencies than this machine's.
func Timely(k *ir.Kernel, c *config.Config) error {
	m, err := control.For(c.Machine())
	if err != nil || !c.SM.Scheduler.Controlled() {
		return nil // the latencies assumed by the words are unknown, or the schedulers ignore the words
	}
	hw := c.Hardware()
	for i := range k.Insts {
		if in := &k.Insts[i]; in.Control.Set {
			if err := m.Late(&hw, in); err != nil {
				return &InstError{k, i, fmt.Errorf("%s: %w (sm.units.%s.latency, shared)", nameOf(in), err,
					c.SM.UnitOf(in.T.Class))}
			}
		}
	}
	return nil
}
