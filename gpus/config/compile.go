package config

import (
	"fmt"

	"kumiko/components/spec"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/sm/occupancy"
)

// CompileSpec holds everything that determines the code executed by a machine and the streams of its execution.
// Register numbers are left out: they do not appear in streams.
type CompileSpec struct {
	Options   compiler.Options
	Arch      int  // of ptxas' machine code, 75 for sm_75; 0: the compiler's
	MaxRegs   int  // registers per thread
	CTAShared int  // the largest shared memory of a CTA, in bytes
	Values    bool // the streams have the classes of written values
	LockStep  bool // the lanes of a warp do not go on independently
}

// CompileSpec returns the compile spec of the GPU's machines.
func (c *Config) CompileSpec() CompileSpec {
	out := CompileSpec{Options: c.CompilerOptions(0, 0), Arch: c.Compiler.Arch(), MaxRegs: c.SM.MaxRegs,
		CTAShared: c.SM.CTAShared, Values: c.RegFile.Values(), LockStep: !c.SM.Independent}
	if out.CTAShared <= 0 {
		out.CTAShared = c.SM.SharedBytes
	}
	return out
}

// CaptureKey returns a string shared by all configurations that can play one another's captures. For these
// configurations programs compile to the same instructions.
func (c *Config) CaptureKey() string { return fmt.Sprintf("%+v", c.CompileSpec()) }

// Launched holds the launch parameters that affect a kernel's code.
type Launched struct {
	Registers int // requested per thread; 0: as many as the allocator needs
	Threads   int // of a CTA; 0: not known
	DynShared int // bytes of dynamic shared memory of a CTA
	// Module is the module of the kernel. Machine code is made from its PTX; the compiler of this project ignores it.
	Module *ir.Module
}

// Compile compiles a kernel for execution by the GPU's machines in launches l. The register file's kind chooses the
// numbering of registers. If the number of threads is unknown, the numbering stays the allocator's. All code that
// runs or shows a kernel compiles the kernel with Compile.
func (c *Config) Compile(k *ir.Kernel, l Launched) (*ir.Kernel, compiler.Report, error) {
	s := c.CompileSpec()
	out, report, err := s.Compile(k, l)
	if err != nil || l.Threads == 0 || s.Arch != 0 { // the registers of machine code keep their numbers
		return out, report, err
	}
	if a, err := c.Admit(tables.New(out), occupancy.CTA{Threads: l.Threads, Registers: out.Footprint,
		SharedBytes: out.SharedBytes + l.DynShared}); err != nil || !a.FirstUse {
		return out, report, nil // a kernel too large for the SM can still be shown; its launch is refused
	}
	s.Options.FirstUse = true
	return s.Compile(k, l)
}

// Compile compiles a kernel for launches l, its registers numbered as the options say. If the launch does not set a
// number of registers and the allocator needs more than a thread can have, the excess is spilled, as by an
// assembler for the GPU, and setmaxnreg has no effect.
func (s *CompileSpec) Compile(k *ir.Kernel, l Launched) (*ir.Kernel, compiler.Report, error) {
	if s.Arch != 0 {
		return s.assembled(k, l)
	}
	if m := l.Module; m != nil && m.Source != nil && m.Source.Arch != 0 {
		return nil, compiler.Report{}, &spec.Error{Key: "compiler.code", Found: ownCode,
			Want: fmt.Sprintf("sm_%d for %s, which is machine code", m.Source.Arch, m.File)}
	}
	o := s.Options
	o.Registers, o.Threads = l.Registers, l.Threads
	out, report, err := compiler.CompileReport(k, o)
	if err == nil && l.Registers == 0 && out.Footprint > s.MaxRegs {
		o.Registers, o.Fixed = s.MaxRegs, true
		return compiler.CompileReport(k, o)
	}
	return out, report, err
}
