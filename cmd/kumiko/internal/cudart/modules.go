package cudart

import (
	"fmt"
	"slices"

	"kumiko/gpus/config"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/recording"
	"kumiko/sm/occupancy"
)

// load reads modules of PTX, and links them if they are several. Their variables come behind all memory in use.
func (s *Session) load(q *request, a *answer) error {
	var texts [][]byte
	for n := q.size(); n > 0 && !q.bad; n-- {
		text := []byte(q.string())
		if isFat(text) {
			var err error
			if text, err = ptxOf(text); err != nil {
				return s.note(&fault{errImage, err.Error()})
			}
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		q.bad = true
		return nil
	}
	list, err := recording.Parse(s.gpu.Memory, len(s.modules), texts)
	if err != nil {
		return s.note(&fault{errImage, err.Error()})
	}
	a.u32(len(s.modules))
	s.modules = append(s.modules, list...)
	return s.record(&recording.Event{Kind: recording.Loaded, Texts: texts})
}

func (s *Session) module(q *request) (*ir.Module, error) {
	i := q.size()
	if i >= len(s.modules) {
		return nil, fmt.Errorf("found module %d, expected one of %d", i, len(s.modules))
	}
	return s.modules[i], nil
}

// kernel describes a kernel to the application.
func (s *Session) kernel(q *request, a *answer) error {
	m, err := s.module(q)
	if err != nil {
		return err
	}
	name := q.string()
	for _, u := range m.Linked { // a program of nvcc -rdc=true names the first of its modules for all
		if m.Kernel(name) == nil {
			m = u
		}
	}
	if err := m.Refusal(name); err != nil {
		return s.note(&fault{errImage, fmt.Sprintf("kernel %s cannot be run: %v", launch.Shown(name), err)})
	}
	k := m.Kernel(name)
	if k == nil {
		return s.note(&fault{errImage, fmt.Sprintf("%s has no kernel %s", m.File, launch.Shown(name))})
	}
	threads := 1024
	if t := k.MaxThreads; t[0] > 0 {
		threads = t[0] * max(t[1], 1) * max(t[2], 1)
	}
	registers := 0
	if code, _, err := s.gpu.Config.Compile(k, config.Launched{Module: m}); err == nil { // a launch reports the error
		registers = code.Footprint
	}
	s.kernels = append(s.kernels, kernel{m, k})
	a.u32(len(s.kernels)-1, k.ParamBytes, k.SharedBytes, k.ConstBytes, k.LocalBytes, registers, threads, len(k.Params))
	for i := range k.Params {
		a.u32(k.Params[i].Offset, k.Params[i].Size)
	}
	return nil
}

func (s *Session) asked(q *request) (*kernel, error) {
	i := q.size()
	if i >= len(s.kernels) {
		return nil, fmt.Errorf("found kernel %d, expected one of %d", i, len(s.kernels))
	}
	return &s.kernels[i], nil
}

// occupancy tells how many CTAs of a kernel an SM holds.
func (s *Session) occupancy(q *request, a *answer) error {
	k, err := s.asked(q)
	if err != nil {
		return err
	}
	l := config.Launched{Threads: q.size(), DynShared: q.size(), Module: k.module}
	code, _, err := s.gpu.Config.Compile(k.code, l)
	if err != nil {
		return &fault{errResources, err.Error()}
	}
	fit, err := s.gpu.Config.CTAs(occupancy.CTA{Threads: l.Threads, Registers: code.Footprint,
		SharedBytes: k.code.SharedBytes + l.DynShared})
	if err != nil { // not even one
		a.u32(0)
		return nil
	}
	a.u32(fit.CTAs)
	return nil
}

// variable reads a module's number and a variable's name, and returns the variable.
func (s *Session) variable(q *request) (*ir.Module, *ir.Var, error) {
	m, err := s.module(q)
	if err != nil {
		return nil, nil, err
	}
	name := q.string()
	for _, m := range append([]*ir.Module{m}, m.Linked...) { // a module's own variable first
		for i := range m.Vars {
			if v := &m.Vars[i]; v.Name == name {
				return m, v, nil
			}
		}
	}
	return nil, nil, &fault{errSymbol, fmt.Sprintf("%s has no variable %s: no kernel uses it", m.File, name)}
}

func (s *Session) symbol(q *request, a *answer) error {
	_, v, err := s.variable(q)
	if err != nil {
		return err
	}
	constant := 0
	if v.Space == ir.Const {
		constant = 1
	}
	a.u64(v.Address)
	a.u64(uint64(v.Size))
	a.u32(constant)
	return nil
}

// part returns n bytes of a variable's memory from an offset on.
func (s *Session) part(m *ir.Module, v *ir.Var, offset, n uint64) ([]byte, error) {
	data, err := s.gpu.Memory.Symbol(m, v.Name)
	if err != nil {
		return nil, err
	}
	if offset > uint64(len(data)) || n > uint64(len(data))-offset {
		return nil, &fault{code: errValue}
	}
	return data[offset : offset+n], nil
}

func (s *Session) write(q *request) error {
	m, v, err := s.variable(q)
	if err != nil {
		return err
	}
	offset := q.u64()
	from := q.rest()
	to, err := s.part(m, v, offset, uint64(len(from)))
	if err != nil {
		return err
	}
	copy(to, from)
	return s.record(&recording.Event{Kind: recording.Written, Module: slices.Index(s.modules, m), Name: v.Name,
		Addr: offset, Data: from})
}

func (s *Session) read(q *request, a *answer) error {
	m, v, err := s.variable(q)
	if err != nil {
		return err
	}
	offset := q.u64()
	from, err := s.part(m, v, offset, q.u64())
	if err == nil {
		a.body = append(a.body, from...)
	}
	return err
}
