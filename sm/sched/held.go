package sched

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/program"
)

// plan has, for each instruction of a program, the demands of a register file's planes.
type plan struct {
	prog    *program.Program
	held    gateBits // the gates holding each instruction
	vacated []uint16 // registers from this number on are given up before each instruction; nil: none
}

// Plan computes the gates and the vacated registers of each instruction of a program.
func (p *Planes) Plan(prog *program.Program) *plan {
	return &plan{prog, gateBitsOf(p.Gates, prog), vacatedOf(p.vacates, prog)}
}

// gateBits has one byte per instruction, with one bit for every gate holding the instruction.
type gateBits []uint8

// vacatedOf asks the design, for each instruction of a program, for the lowest register given up before the
// instruction: the warp gives up this register and all above. It returns nil if no register is ever given up.
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

// gateBitsOf asks every gate whether it holds each instruction of a program, inserted
// operations included. It returns nil without gates.
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
