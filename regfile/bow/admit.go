package bow

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Hint is the compiler's hint on the destination of a result.
type Hint uint8

// Hints.
const (
	Banks  Hint = iota // only to the banks: not read within the window
	Both               // to the window and the banks: read within the window, and perhaps later
	Window             // only to the window: no lane needs it after the window. Also the default without a plan
)

// Plan holds the hints of a kernel.
type Plan struct {
	Hints [][ir.NumDests]Hint // by PC and destination; empty: none
}

// hint returns the hint of a destination of an instruction.
func (p *Plan) hint(pc uint32, dest int) Hint {
	if p == nil || int(pc) >= len(p.Hints) {
		return Window
	}
	return p.Hints[pc][dest]
}

// Admit leaves residency to the GPU's rules. It returns the hints.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	a, err := l.ByRules()
	p := &Plan{}
	if l.Tables != nil && s.Writes == Hints {
		p.Hints = hintsOf(l.Tables.Kernel().Insts, s.Window)
	}
	a.Plan = p
	return a, err
}

// merge joins the hints of several kernels in one program.
func merge(_ *Spec, parts []regfile.Part) (regfile.Merged, error) {
	out := &Plan{}
	for i := range parts {
		out.Hints = append(out.Hints, parts[i].Plan.(*Plan).Hints...)
	}
	return regfile.Merged{Plan: out}, nil
}

// hintsOf computes the hints of a program.
func hintsOf(insts []ir.Inst, window int) [][ir.NumDests]Hint {
	out := make([][ir.NumDests]Hint, len(insts))
	for _, b := range cfg.Build(insts).Blocks {
		for pc := b.Start; pc < b.End; pc++ {
			t := &insts[pc].T
			for d := range t.NDst {
				out[pc][d] = hintOf(insts[pc+1:b.End], t.Dst[d], window)
			}
		}
	}
	return out
}

// hintOf returns the hint of a value from the rest of its basic block. Every read keeps the value for another
// window.
func hintOf(rest []ir.Inst, r ir.RegID, window int) Hint {
	h := Banks
	last := -1 // index of its last use in rest
	for i := 0; i < len(rest) && i-last < window; i++ {
		t := &rest[i].T
		for k, s := range t.Src[:t.NSrc] {
			if s != r {
				continue
			}
			if h, last = Both, i; t.Dead>>k&1 != 0 {
				return Window
			}
		}
		for _, d := range t.Dst[:t.NDst] {
			if d == r && !t.Guarded {
				return Window // the rest of the value is overwritten
			}
		}
	}
	return h
}
