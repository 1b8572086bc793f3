package probe

import (
	"fmt"
	"slices"

	"kumiko/gpus/config"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/ir"
)

// OfGPU selects the GPU's own machine in Words.
const OfGPU = "gpu"

// Controlled is the setting that makes schedulers obey control words.
const Controlled = "sched.dependences=control"

// Words adds control words to a sequence without any, as the compiler would make them for the machine: one of
// control.Names, or OfGPU for the machine of the GPU. NOPs are inserted if a result takes longer than the maximum stall
// count. Words returns the loop at its new place, or nil if loop is nil.
func Words(cfg *config.Config, code []ir.Inst, loop *Loop, machine string) ([]ir.Inst, *Loop, error) {
	for i := range code {
		in := &code[i]
		switch {
		case in.Control.Set:
			return nil, nil, fmt.Errorf("%d:%d: found the control word %s at %s, expected none in a sequence that is "+
				"to get its own (--auto-control)", in.Line, in.Col, in.Control, in.Sym)
		case in.Control.Reuse != 0:
			return nil, nil, fmt.Errorf("%d:%d: found a flag of reuse at %s, expected none in a sequence that is to "+
				"get its own (--auto-control)", in.Line, in.Col, in.Sym)
		}
	}
	if machine == OfGPU {
		if machine = cfg.Machine(); machine == "" {
			return nil, nil, fmt.Errorf("--auto-control: found GPU %s, whose control words are not known, expected "+
				"--auto-control=sm_52, sm_75, sm_86 or sm_90", cfg.Name)
		}
	}
	m, err := control.For(machine)
	if err != nil {
		return nil, nil, fmt.Errorf("--auto-control: %w", err)
	}
	if machine == cfg.Machine() {
		hw := cfg.Hardware()
		m = m.On(&hw)
	}
	if loop == nil {
		return control.Sequence(code, m), nil, nil
	}
	exit := ir.Inst{Op: ir.OpExit}
	ir.SetTiming(&exit)
	k := &ir.Kernel{Insts: append(slices.Clone(code), exit)}
	control.Set(k, m)
	out := k.Insts[:len(k.Insts)-1]
	return out, loopOf(out, loop), nil
}
