package gpus

import (
	"fmt"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/program"
)

// compiled are a machine's kernels in the form that the GPU executes.
type compiled struct {
	options compiler.Options
	most    int // registers per thread
	done    map[compileKey]*ir.Kernel
}

type compileKey struct {
	k         *ir.Kernel
	registers int
	threads   int  // of a CTA
	firstUse  bool // registers numbered by their first use
}

func newCompiled(o compiler.Options, most int) compiled {
	return compiled{options: o, most: most, done: map[compileKey]*ir.Kernel{}}
}

// get compiles a kernel to a footprint, unless that has been done.
func (c *compiled) get(key compileKey) (*ir.Kernel, error) {
	if k := c.done[key]; k != nil {
		return k, nil
	}
	o := c.options
	o.FirstUse, o.Threads = key.firstUse, key.threads
	k, err := compileTo(key.k, key.registers, o, c.most)
	if err == nil {
		c.done[key] = k
	}
	return k, err
}

// charged is a recorded kernel with a footprint that a thread of this GPU can have:
// what is rounded up to the unit of allocation may be one register past that.
func (c *compiled) charged(k *ir.Kernel) *ir.Kernel {
	if k.Footprint <= c.most || k.NumRegs > c.most {
		return k
	}
	key := compileKey{k: k, registers: c.most}
	if c.done[key] == nil {
		fits := *k
		fits.Footprint = c.most
		c.done[key] = &fits
	}
	return c.done[key]
}

// compileTo compiles a kernel to a footprint; 0: what the allocator needs, but as
// an assembler for the GPU would, what does not fit is spilled.
func compileTo(k *ir.Kernel, registers int, o compiler.Options, most int) (*ir.Kernel, error) {
	o.Registers = registers
	out, err := compiler.Compile(k, o)
	if err == nil && registers == 0 && out.Footprint > most {
		o.Registers = most
		out, err = compiler.Compile(k, o)
	}
	return out, err
}

// compile brings a launch's kernel into the form that the GPU executes. Whether its
// registers are numbered anew the register file's kind says, of the kernel as it
// was allocated; what does not fit is refused when it is launched.
func (m *Machine) compile(l *host.Launch) (*ir.Kernel, error) {
	k, err := kernelOf(l)
	if err != nil {
		return nil, err
	}
	key := compileKey{k: k, registers: l.Registers, threads: l.Threads()}
	out, err := m.kernels.get(key)
	if err == nil {
		err = executable(out, m.spec)
	}
	if err != nil {
		return nil, err
	}
	if a, err := m.cfg.Admit(m.tablesOf(out), needsOf(l, out)); err == nil && a.FirstUse {
		key.firstUse = true
		if out, err = m.kernels.get(key); err != nil {
			return nil, err
		}
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
	if _, ok := m.sms[0].Regfile.(regfile.Inserter); err == nil && a.Insert != nil && !ok {
		err = fmt.Errorf("internal error: register file %s puts operations into the stream and does not name them",
			m.cfg.RegFile.Kind)
	}
	return a, ofKernel(k, err)
}
