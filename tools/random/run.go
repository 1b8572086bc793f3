package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"kumiko/gpus/capture"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// load puts a program's buffers into the memory of a device, and returns its launch and its output.
func (p *program) load(m *mem.Memory, module *ir.Module) (*host.Launch, []byte, error) {
	if err := m.LoadModule(module); err != nil {
		return nil, nil, err
	}
	table := m.Alloc("table", 4*tableLen)
	data, err := m.Bytes(table, 4*tableLen)
	if err != nil {
		return nil, nil, err
	}
	for i := range tableLen {
		binary.LittleEndian.PutUint32(data[4*i:], tableWord(i))
	}
	n := 4 * p.vars * p.grid * p.block
	out := m.Alloc("out", n)
	data, err = m.Bytes(out, n)
	return &host.Launch{Module: module, Kernel: "random", Grid: [3]int{p.grid, 1, 1}, Block: [3]int{p.block, 1, 1},
		Registers: p.registers, Args: []host.Arg{host.U64(table), host.U64(out)}}, data, err
}

// tableFactor spreads the number of a word over all bits.
const tableFactor = 2654435761

// tableWord returns a word of the table.
func tableWord(i int) uint32 { return uint32(i) * tableFactor }

// limits stop an endless kernel.
var limits = emu.Limits{WarpInsts: 1 << 20}

// plain executes the program as it was read, without compiler and timing, and returns its output.
func (p *program) plain(module *ir.Module) ([]byte, error) {
	var m mem.Memory
	l, out, err := p.load(&m, module)
	if err != nil {
		return nil, err
	}
	r := &emu.Runner{Mem: &m, Out: io.Discard, Limits: limits, Compile: func(*host.Launch) (*ir.Kernel, error) {
		k := *module.Kernels[0]
		cfg.Build(k.Insts).SetReconv(k.Insts)
		return &k, nil
	}}
	return out, r.Launch(l)
}

// captures has the executions of a program, one for each different code.
type captures struct {
	p      *program
	module *ir.Module
	want   []byte
	done   map[string]*capture.Capture
}

// newCaptures executes the program without timing. If gcc is not empty, the result must equal the one of the C form.
func newCaptures(p *program, gcc string) (*captures, error) {
	m, err := ptx.Parse("random.ptx", []byte(p.text))
	if err != nil {
		return nil, err
	}
	if len(m.Kernels) != 1 {
		return nil, errors.New("the kernel was refused")
	}
	c := &captures{p: p, module: m, done: map[string]*capture.Capture{}}
	if c.want, err = p.plain(m); err != nil || gcc == "" {
		return c, err
	}
	byGCC, err := p.byGCC(gcc)
	if err != nil {
		return nil, err
	}
	return c, p.differs(c.want, byGCC, "the C form")
}

// get returns the execution of the code of a design. Its output must equal the plain execution's.
func (c *captures) get(d *design) (*capture.Capture, error) {
	key := d.cfg.CaptureKey()
	if x := c.done[key]; x != nil {
		return x, nil
	}
	x := capture.New(d.cfg, capture.Options{Printf: io.Discard})
	l, out, err := c.p.load(x.Memory(), c.module)
	if err != nil {
		return nil, err
	}
	if err := x.Launch(l); err != nil {
		return nil, err
	}
	if err := c.p.differs(out, c.want, "the kernel as it was read"); err != nil {
		return nil, err
	}
	c.done[key] = x.Capture()
	return c.done[key], nil
}

// runOn runs the program on a design, and checks every operand.
func (c *captures) runOn(d *design) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			d.machine = nil
		}
	}()
	x, err := c.get(d)
	if err != nil {
		return err
	}
	m, err := d.ready()
	if err != nil {
		return err
	}
	return m.Play(x)
}
