package config

import (
	"fmt"
	"strings"

	"kumiko/components/spec"
	"kumiko/kernel/compiler"
	"kumiko/kernel/cubin"
	"kumiko/kernel/ir"
)

// granule is the unit of a thread's registers charged to residency, of this project's compiler and of machine code.
const granule = 4

// assembled returns the machine code of a kernel for launches l. The number of registers is what the assembler needed,
// within the bound set by the launch, and rounded up to the granule. If the launch sets no bound and the assembler
// needed more than a thread can have on this GPU, the kernel is assembled again with that as the bound.
func (s *CompileSpec) assembled(k *ir.Kernel, l Launched) (*ir.Kernel, compiler.Report, error) {
	r := cubin.Request{Arch: s.Arch, Module: l.Module, Kernel: k.Name, Registers: l.Registers}
	c, err := cubin.Compile(r)
	if err == nil && l.Registers == 0 && c.NumRegs > s.MaxRegs {
		r.Registers = s.MaxRegs
		c, err = cubin.Compile(r)
	}
	if err != nil {
		return nil, compiler.Report{}, err
	}
	if most := r.Registers; most > 0 && c.NumRegs > most {
		return nil, compiler.Report{}, fmt.Errorf("%s: kernel %s: found %d registers of a thread in the code for "+
			"sm_%d, expected at most %d: ptxas needs no fewer", k.File, k.Name, c.NumRegs, s.Arch, most)
	}
	c.Footprint = min((c.NumRegs+granule-1)/granule*granule, max(s.MaxRegs, c.NumRegs))
	report := compiler.MachineReport(c.Kernel, c.Spilled, s.Options.Unit)
	report.By, report.Hash, report.Notes = c.File.Assembler, c.File.Hash, c.File.Notes
	return c.Kernel, report, nil
}

// codes refuses machine code that the GPU does not execute. On a GPU that issues by control words the code's own words
// are obeyed, and these are for the times of one chip: that with the compute capability of the GPU. Where scoreboards
// decide, as on the papers' GPUs, code for any architecture runs, and its words are ignored, as the papers' simulators
// do: an instruction takes the unit and the time of its class.
func (c *Config) codes() error {
	arch := c.Compiler.Arch()
	if arch == 0 || !c.SM.Scheduler.Controlled() || Capability(arch) == c.Capability {
		return nil
	}
	return &spec.Error{Key: "compiler.code", Found: c.Compiler.Code, Want: fmt.Sprintf("%s or %s: the GPU issues by "+
		"the code's control words (sched.dependences = control), which are for the times of one chip", ownCode,
		"sm_"+strings.ReplaceAll(c.Capability, ".", ""))}
}

// Capability returns the compute capability of an architecture, 7.5 for sm_75.
func Capability(arch int) string { return fmt.Sprintf("%d.%d", arch/10, arch%10) }
