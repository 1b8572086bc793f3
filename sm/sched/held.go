package sched

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/program"
)

// plan is what the planes of a register file's design do with the instructions of a program.
type plan struct {
	prog    *program.Program
	held    gateBits // the gates holding each instruction
	vacated []uint16 // registers from this number on are given up before each instruction; nil: none
}

// Plan computes what the design does with a program.
func (p *Planes) Plan(prog *program.Program) *plan {
	return &plan{prog, gateBitsOf(p.Gates, prog), vacatedOf(p.vacates, prog)}
}

// gateBits has, for each instruction, a bit for every gate that holds it.
type gateBits []uint8

// vacatedOf asks a design from which register on warps give theirs up before each
// instruction of a program. It is nil where they never do.
func vacatedOf(vacates func(in *ir.Inst) int, p *program.Program) []uint16 {
	if vacates == nil {
		return nil
	}
	out, any := make([]uint16, len(p.Info)), false
	for pc := range out {
		out[pc] = regfile.NumRegisters
		if pc < len(p.Kernel.Insts) {
			out[pc] = uint16(min(vacates(&p.Kernel.Insts[pc]), regfile.NumRegisters))
		}
		any = any || out[pc] < regfile.NumRegisters
	}
	if !any {
		return nil
	}
	return out
}

// gateBitsOf asks every gate which instructions of a program it holds, inserted
// operations included. It is nil without gates.
func gateBitsOf(gates []regfile.Gate, p *program.Program) gateBits {
	if len(gates) == 0 {
		return nil
	}
	out := make(gateBits, len(p.Info))
	for i, g := range gates {
		for pc := range out {
			in := regfile.InsertedInst()
			if pc < len(p.Kernel.Insts) {
				in = &p.Kernel.Insts[pc]
			}
			if g.Holds == nil || g.Holds(in) {
				out[pc] |= 1 << i
			}
		}
	}
	return out
}
