package probe

import (
	"fmt"

	"kumiko/gpus/config"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/ir"
)

// OfGPU stands for the machine for which the GPU's own control words would be made.
const OfGPU = "gpu"

// Controlled is the setting by which control words are obeyed.
const Controlled = "sched.dependences=control"

// Words gives a sequence that has no control words those that the compiler would make for a
// machine (control.Names), or for that of the GPU. Where a result takes longer than a stall count
// says, NOPs come in.
func Words(cfg *config.Config, code []ir.Inst, machine string) ([]ir.Inst, error) {
	for i := range code {
		in := &code[i]
		switch {
		case in.Control.Set:
			return nil, fmt.Errorf("%d:%d: found the control word %s at %s, expected none in a sequence that is to "+
				"get its own (--auto-control)", in.Line, in.Col, in.Control, in.Sym)
		case in.Control.Reuse != 0:
			return nil, fmt.Errorf("%d:%d: found a flag of reuse at %s, expected none in a sequence that is to get "+
				"its own (--auto-control)", in.Line, in.Col, in.Sym)
		}
	}
	if machine == OfGPU {
		if machine = cfg.Machine(); machine == "" {
			return nil, fmt.Errorf("--auto-control: found GPU %s, whose control words are not known, expected "+
				"--auto-control=sm_52, sm_75 or sm_86", cfg.Name)
		}
	}
	m, err := control.For(machine)
	if err != nil {
		return nil, fmt.Errorf("--auto-control: %w", err)
	}
	return control.Sequence(code, m), nil
}
