package config

import (
	"fmt"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/sm/occupancy"
)

// CompileSpec is what the code that a machine executes depends on. Numbers of
// registers are no part of it: they do not show in streams.
type CompileSpec struct {
	Options   compiler.Options
	MaxRegs   int // registers per thread
	CTAShared int // the largest shared memory of a CTA, in bytes
}

// CompileSpec is that of the GPU's machines.
func (c *Config) CompileSpec() CompileSpec {
	out := CompileSpec{Options: c.CompilerOptions(0, 0), MaxRegs: c.SM.MaxRegs, CTAShared: c.SM.CTAShared}
	if out.CTAShared <= 0 {
		out.CTAShared = c.SM.SharedBytes
	}
	return out
}

// CaptureKey is the same for configurations whose machines can play one another's
// captures: those for which programs are compiled to the same instructions.
func (c *Config) CaptureKey() string { return fmt.Sprintf("%+v", c.CompileSpec()) }

// CompileReport brings a kernel into the form that this GPU executes in CTAs of the
// given number of threads (0: not known), allocated to at most so many registers (0:
// what the allocator needs). Its registers are numbered as the register file's kind
// wants them for such CTAs.
func (c *Config) CompileReport(k *ir.Kernel, registers, threads int) (*ir.Kernel, compiler.Report, error) {
	o := c.CompilerOptions(registers, threads)
	out, report, err := compiler.CompileReport(k, o)
	if err != nil || threads == 0 {
		return out, report, err
	}
	if a, err := c.Admit(tables.New(out), occupancy.CTA{Threads: threads, Registers: out.Footprint,
		SharedBytes: out.SharedBytes}); err != nil || !a.FirstUse {
		return out, report, nil // what does not fit on an SM can be looked at all the same
	}
	o.FirstUse = true
	return compiler.CompileReport(k, o)
}
