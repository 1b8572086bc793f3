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

// compiled are a machine's kernels in the form that the GPU executes.
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

// keyOf is what a launch's kernel is compiled for.
func keyOf(k *ir.Kernel, l *host.Launch) compileKey {
	return compileKey{k, config.Launched{Registers: l.Registers, Threads: l.Threads(), DynShared: l.DynShared}}
}

// charged is a recorded kernel with a footprint that a thread of this GPU can have:
// what is rounded up to the unit of allocation may be one register past that.
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

// compile brings a launch's kernel into the form that the GPU executes.
func (m *Machine) compile(l *host.Launch) (*ir.Kernel, error) {
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

// program is a kernel as schedulers see it, with the operations that the register
// file's design puts into its stream.
func (m *Machine) program(k *ir.Kernel, insert *regfile.Insertions) *program.Program {
	p := m.programs[k]
	if p == nil || !p.Inserts(insert) {
		p = program.New(k, m.spec.Target(), insert)
		p.Code = m.code.of[k]
		m.programs[k] = p
	}
	return p
}

// tablesOf are the analyses of a kernel by PC, made once.
func (m *Machine) tablesOf(k *ir.Kernel) *tables.Tables {
	t := m.tables[k]
	if t == nil {
		t = tables.New(k)
		m.tables[k] = t
	}
	return t
}

// admit is what an SM may hold of a launch.
func (m *Machine) admit(k *ir.Kernel, cta occupancy.CTA) (regfile.Admission, error) {
	a, err := m.cfg.Admit(m.tablesOf(k), cta)
	if _, ok := regfile.As[regfile.Inserter](m.sms[0].Regfile); err == nil && a.Insert != nil && !ok {
		err = fmt.Errorf("internal error: register file %s puts operations into the stream and does not name them",
			m.cfg.RegFile.Kind)
	}
	return a, ofKernel(k, err)
}
