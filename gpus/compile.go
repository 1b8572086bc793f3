package gpus

import (
	"fmt"

	"kumiko/gpus/config"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/program"
)

// compiled caches a machine's kernels in executable form.
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

// keyOf returns the cache key of a launch's kernel: the kernel and the launch parameters that affect compilation.
func keyOf(k *ir.Kernel, l *host.Launch) compileKey {
	return compileKey{k, config.Launched{Registers: l.Registers, Threads: l.Threads(), DynShared: l.DynShared}}
}

// charged returns a recorded kernel with its footprint limited to the registers of a thread on this GPU.
// Rounding up to the allocation unit may have put the recorded footprint one register above the limit.
func (c *compiled) charged(k *ir.Kernel) *ir.Kernel {
	if k.Footprint <= c.spec.MaxRegs || k.NumRegs > c.spec.MaxRegs {
		return k
	}
	key := compileKey{k, config.Launched{Registers: c.spec.MaxRegs}}
	if c.done[key] == nil {
		fits := *k
		fits.Footprint = c.spec.MaxRegs
		c.done[key] = &fits
	}
	return c.done[key]
}

// compile returns a launch's kernel in executable form.
func (m *machine) compile(l *host.Launch) (*ir.Kernel, error) {
	k, err := kernelOf(l)
	if err != nil {
		return nil, err
	}
	key := keyOf(k, l)
	out := m.kernels.done[key]
	if out == nil {
		if out, _, err = m.cfg.Compile(k, key.Launched); err == nil {
			err = executable(out, m.spec)
		}
		if err != nil {
			return nil, err
		}
		m.kernels.done[key] = out
	}
	m.code.load(out)
	return out, nil
}

// program returns a kernel in the form used by the schedulers, including the operations inserted into its
// stream by the register file's design.
func (m *machine) program(k *ir.Kernel, insert *regfile.Insertions) *program.Program {
	p := m.programs[k]
	if p == nil || !p.Inserts(insert) {
		p = program.New(k, m.spec.Target(), insert)
		p.Code = m.code.of[k]
		m.programs[k] = p
	}
	return p
}

// tablesOf returns the per-PC analyses of a kernel. They are computed once.
func (m *machine) tablesOf(k *ir.Kernel) *tables.Tables {
	t := m.tables[k]
	if t == nil {
		t = tables.New(k)
		m.tables[k] = t
	}
	return t
}

// admit returns the number of CTAs of a launch that an SM can hold, and the related limits.
func (m *machine) admit(k *ir.Kernel, cta occupancy.CTA) (regfile.Admission, error) {
	a, err := m.cfg.Admit(m.tablesOf(k), cta)
	if _, ok := regfile.As[regfile.Inserter](m.sms[0].Regfile); err == nil && a.Insert != nil && !ok {
		err = fmt.Errorf("internal error: register file %s puts operations into the stream and does not name them",
			m.cfg.RegFile.Kind)
	}
	return a, ofKernel(k, err)
}
