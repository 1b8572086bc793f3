// Package code prepares kernels for a machine. It compiles them for the GPU, refuses those that no unit executes, and
// gives them their addresses in instruction memory, their programs for the schedulers and their per-PC analyses.
package code

import (
	"slices"

	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/program"
)

// compiled caches kernels in executable form.
type compiled struct {
	spec config.CompileSpec
	done map[compileKey]*ir.Kernel
}

type compileKey struct {
	k *ir.Kernel
	config.Launched
}

func newCompiled(spec config.CompileSpec) compiled {
	return compiled{spec: spec, done: map[compileKey]*ir.Kernel{}}
}

// get returns the kernel of a launch in executable form. A kernel not known yet is compiled for the parameters of the
// launch.
func (c *compiled) get(l *host.Launch, compile func(*ir.Kernel, config.Launched) (*ir.Kernel, error)) (*ir.Kernel,
	error) {
	k, err := kernelOf(l)
	if err != nil {
		return nil, err
	}
	key := compileKey{k, config.Launched{Registers: l.Registers, Threads: l.Threads(), DynShared: l.DynShared,
		Module: l.Module}}
	out := c.done[key]
	if out == nil {
		if out, err = compile(k, key.Launched); err != nil {
			return nil, err
		}
		c.done[key] = out
	}
	return out, nil
}

// StreamCompiler compiles kernels for an execution without timing. The code is the machine's but for the numbers of
// registers, which do not appear in streams.
type StreamCompiler struct{ compiled }

func NewStreamCompiler(c *config.Config) *StreamCompiler {
	return &StreamCompiler{newCompiled(c.CompileSpec())}
}

// Compile returns the kernel of a launch in executable form.
func (s *StreamCompiler) Compile(l *host.Launch) (*ir.Kernel, error) {
	return s.get(l, func(k *ir.Kernel, p config.Launched) (*ir.Kernel, error) {
		out, _, err := s.spec.Compile(k, p)
		return out, err
	})
}

// Store holds the kernels of a machine, each compiled, analysed and placed in instruction memory once.
type Store struct {
	compiled
	cfg      *config.Config
	memory   memory
	codes    []result.Code
	programs map[*ir.Kernel]*program.Program
	tables   map[*ir.Kernel]*tables.Tables
}

// NewStore returns an empty store for the machines of a configuration.
func NewStore(c *config.Config) *Store {
	return &Store{compiled: newCompiled(c.CompileSpec()), cfg: c, memory: newMemory(),
		programs: map[*ir.Kernel]*program.Program{}, tables: map[*ir.Kernel]*tables.Tables{}}
}

// Compile returns a launch's kernel in executable form, placed in instruction memory.
func (s *Store) Compile(l *host.Launch) (*ir.Kernel, error) {
	out, err := s.get(l, func(k *ir.Kernel, p config.Launched) (*ir.Kernel, error) {
		out, report, err := s.cfg.Compile(k, p)
		if err == nil {
			err = Executable(out, &s.cfg.SM)
		}
		if err == nil && report.By != "" {
			s.codes = append(s.codes, result.Code{Kernel: k.Name, Code: s.cfg.Compiler.Code, Assembler: report.By,
				Registers: report.Used, SpilledBytes: report.Spilled, Instructions: len(out.Insts), Hash: report.Hash,
				Notes: report.Notes})
		}
		return out, err
	})
	if err == nil {
		s.Place(out)
	}
	return out, err
}

// Codes lists the kernels compiled so far that are machine code of another assembler.
func (s *Store) Codes() []result.Code { return s.codes }

// Place assigns a kernel its address in instruction memory, unless it has one.
func (s *Store) Place(k *ir.Kernel) { s.memory.load(k) }

// Charged returns a recorded kernel with its footprint limited to the registers of a thread on this GPU.
// Rounding up to the allocation unit may have put the recorded footprint one register above the limit.
func (s *Store) Charged(k *ir.Kernel) *ir.Kernel {
	if k.Footprint <= s.spec.MaxRegs || k.NumRegs > s.spec.MaxRegs {
		return k
	}
	key := compileKey{k, config.Launched{Registers: s.spec.MaxRegs}}
	if s.done[key] == nil {
		fits := *k
		fits.Footprint = s.spec.MaxRegs
		s.done[key] = &fits
	}
	return s.done[key]
}

// WithWords returns a copy of a kernel with control words made by the compiler for a machine.
func (s *Store) WithWords(k *ir.Kernel, of *control.Machine) *ir.Kernel {
	key := compileKey{k, config.Launched{Registers: k.Footprint}}
	if s.done[key] == nil {
		hw := s.cfg.Hardware()
		out := *k
		out.Insts = slices.Clone(k.Insts)
		control.Traced(&out, of.On(&hw))
		s.done[key] = &out
	}
	return s.done[key]
}

// Program returns a kernel in the form used by the schedulers, including the operations inserted into its
// stream by the register file's design.
func (s *Store) Program(k *ir.Kernel, insert *regfile.Insertions) *program.Program {
	p := s.programs[k]
	if p == nil || !p.Inserts(insert) {
		p = program.New(k, s.cfg.SM.Target(), insert)
		p.Code = s.memory.of[k]
		s.programs[k] = p
	}
	return p
}

// Tables returns the per-PC analyses of a kernel. They are computed once.
func (s *Store) Tables(k *ir.Kernel) *tables.Tables {
	t := s.tables[k]
	if t == nil {
		t = tables.New(k)
		s.tables[k] = t
	}
	return t
}
