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

// CaptureKey is the same for configurations that can play one another's
// captures: programs are compiled to the same instructions for them.
func (c *Config) CaptureKey() string { return fmt.Sprintf("%+v", c.CompileSpec()) }

// Launched is what of a launch the code of its kernel depends on.
type Launched struct {
	Registers int // per thread, that the launch asks for; 0: what the allocator needs
	Threads   int // of a CTA; 0: not known
	DynShared int // bytes of dynamic shared memory of a CTA
}

// Compile brings a kernel into the form that the machines of the GPU execute in such launches. Its
// registers are numbered as the register file's kind wants them, which where the
// threads are not known is as the allocator leaves them. Whoever runs a kernel, or shows it, compiles it so.
func (c *Config) Compile(k *ir.Kernel, l Launched) (*ir.Kernel, compiler.Report, error) {
	s := c.CompileSpec()
	out, report, err := s.Compile(k, l)
	if err != nil || l.Threads == 0 {
		return out, report, err
	}
	if a, err := c.Admit(tables.New(out), occupancy.CTA{Threads: l.Threads, Registers: out.Footprint,
		SharedBytes: out.SharedBytes + l.DynShared}); err != nil || !a.FirstUse {
		return out, report, nil // what does not fit is refused when it is launched, and can be looked at
	}
	s.Options.FirstUse = true
	return s.Compile(k, l)
}

// Compile compiles a kernel for such launches, its registers numbered as the options say. Where
// the launch asks for none and a thread cannot have as many as the allocator needs, what does not
// fit is spilled, as by an assembler for the GPU.
func (s *CompileSpec) Compile(k *ir.Kernel, l Launched) (*ir.Kernel, compiler.Report, error) {
	o := s.Options
	o.Registers, o.Threads = l.Registers, l.Threads
	out, report, err := compiler.CompileReport(k, o)
	if err == nil && l.Registers == 0 && out.Footprint > s.MaxRegs {
		o.Registers = s.MaxRegs
		return compiler.CompileReport(k, o)
	}
	return out, report, err
}
