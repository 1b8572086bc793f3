package ptx

import (
	"bytes"
	"strings"

	"kumiko/internal/infile"
	"kumiko/kernel/ir"
)

// Limits bound the size of a module. A zero field stands for its default.
type Limits struct {
	// Instructions of a kernel after inlining. Default 131072, about ten times the largest kernels in use; every
	// call of a function is a copy of it.
	Instructions int
}

// maxInsts is the default of Limits.Instructions.
const maxInsts = 1 << 17

// emitter builds one kernel.
type emitter struct {
	m      *module
	errs   *errors
	k      *ir.Kernel
	code   []node
	cc     ir.Pred // the condition code CC.CF, -1 until used
	shared map[*variable]int64
	home   *module            // of the kernel; m is that of the function being appended
	roots  map[*module]*scope // of each module: its registers and local variables of module scope
	site   pos                // of the call, in the kernel's file, of a function of another module
	frame  *frame
	local  int // bytes of local memory in use by the frames
	slots  []*slot
	full   bool
	body   *body   // body being appended; nil: the kernel's own code
	bodies []*body // of the recursive functions called by the kernel
	stack  ir.Operand
}

// node is an instruction with branch targets or a parameter slot still to be resolved.
type node struct {
	in     ir.Inst
	to     *label
	toList []*label
	skip   bool // a branch to be dropped if it leads to the next instruction
	slot   *slot
	use    slotUse
	off    int64
	from   *slot // source of a copy to slot
	// callee is set to slot or to from, if that one is a parameter of a function whose frame begins at the end of the
	// stack, because the function is being called or has just returned.
	callee *slot
	grow   *body // an addition or a subtraction of the size of its frame
	// save marks the place before a call of a recursive function or, with restore set, the place behind it.
	save    *callSave
	restore bool
}

// frame is one instance of a function's body.
type frame struct {
	fn     *function
	parent *frame
	end    *label // behind the body
}

// Parse reads a PTX source. A kernel with an error, or with an unsupported instruction, in itself or in a function
// called by it, is among the module's refused kernels. The error returned, if any, is an ErrorList naming every
// such line: of everything shared by all kernels, or of the kernels if none can run.
func Parse(file string, src []byte) (*ir.Module, error) { return ParseAt(file, src, ir.GlobalBase) }

// ParseAt is Parse for a module sharing the device's memory with others. Its variables of global space are placed
// from base on, the result of mem.End for the module before.
func ParseAt(file string, src []byte, base uint64) (*ir.Module, error) {
	return ParseWithin(file, src, base, Limits{})
}

// ParseWithin is ParseAt with the given limits in place of the defaults. A panic is returned as an
// *ir.InternalError.
func ParseWithin(file string, src []byte, base uint64, lim Limits) (out *ir.Module, err error) {
	errs := &errors{file: file}
	var m *module
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, m.internal(file, p)
		}
	}()
	m = read(file, src, lim, errs)
	if err := errs.err(); err != nil {
		return nil, err
	}
	m.places.global = base
	m.layout(&m.places, errs)
	m.markUnknown()
	out = m.ir(src, errs)
	m.kernels(out, errs)
	if err := errs.err(); err != nil {
		return nil, err
	}
	return out, nil
}

// read makes the syntax tree of a source.
func read(file string, src []byte, lim Limits, errs *errors) *module {
	if what, at := infile.Odd(src); what != "" {
		line := bytes.LastIndexByte(src[:at], '\n') + 1
		errs.add(pos{bytes.Count(src[:at], []byte{'\n'}) + 1, at - line + 1},
			"found %s, expected PTX, which is plain text", what)
		return nil
	}
	if strings.HasSuffix(file, ".cu") {
		errs.add(pos{1, 1}, "found a file of CUDA C++, expected PTX, which kumiko compile makes of it")
		return nil
	}
	m := parseModule(file, src, errs)
	m.most = lim.Instructions
	if m.most <= 0 {
		m.most = maxInsts
	}
	m.findWants()
	return m
}

// ir returns the module without its kernels, once everything has its address.
func (m *module) ir(src []byte, errs *errors) *ir.Module {
	return &ir.Module{File: m.file, Version: m.version, Target: m.target, Vars: m.irVars(errs),
		Textures: m.places.textures, Wants: m.wants, Source: &ir.Source{File: m.file, Text: src}}
}

// internal returns the error for a panic, at the instruction being built. There is no module while the text is
// being read.
func (m *module) internal(file string, p any) error {
	if m == nil {
		return ir.Internal(&ir.Kernel{File: file}, nil, p)
	}
	in := &ir.Inst{Line: int32(m.at.line), Col: int32(m.at.col)}
	return ir.Internal(&ir.Kernel{File: file, Name: m.building}, in, p)
}

// kernels adds the kernels of a module. If none can run, their errors become the module's errors.
func (m *module) kernels(out *ir.Module, errs *errors) {
	inlined := map[*function]bool{}
	var wrong []*errors
	for _, f := range m.funcs {
		if !f.kernel || f.body == nil {
			continue
		}
		own := &errors{file: out.File}
		m.building = f.name
		k := m.kernel(f, out.File, own)
		for _, g := range m.reach(f) {
			inlined[g] = true
		}
		if err := own.err(); err != nil {
			wrong = append(wrong, own)
			out.Refused = append(out.Refused, ir.Refusal{Kernel: f.name, Err: err})
			continue
		}
		out.Kernels = append(out.Kernels, k)
	}
	if len(out.Kernels) > 0 || len(m.wants) > 0 || len(m.peers) > 1 {
		return
	}
	for _, e := range wrong {
		errs.take(e)
	}
	for _, f := range m.funcs { // uncalled functions are checked too
		if !inlined[f] && f.body != nil && !f.kernel {
			m.kernel(f, out.File, errs)
		}
	}
}

// kernel turns a function, as the outermost one, into a program. If an attempt finds a function to be recursive,
// another attempt follows with this knowledge.
func (m *module) kernel(f *function, file string, errs *errors) *ir.Kernel {
	for {
		known := len(m.recursive)
		own := &errors{file: file}
		k := m.attempt(f, file, own)
		if len(m.recursive) == known {
			errs.take(own)
			return k
		}
	}
}

func (m *module) attempt(f *function, file string, errs *errors) *ir.Kernel {
	k := &ir.Kernel{Name: f.name, File: file, MaxThreads: f.perf[perfMax], ReqThreads: f.perf[perfReq],
		Cluster: f.perf[perfCluster], MaxCluster: f.maxCluster, Clustered: f.clustered,
		MaxRegs: f.maxRegs, MinCTAs: f.minCTAs, ConstBytes: m.places.bank}
	e := &emitter{m: m, home: m, errs: errs, k: k, cc: -1, frame: &frame{fn: f, end: &label{}}}
	e.layoutShared(f)
	e.roots = map[*module]*scope{}
	funcs := m.reach(f)
	for _, p := range m.peers {
		s := open(nil, nil)
		e.declare(s, p.regs)
		e.declare(s, p.used(ir.Local, funcs))
		e.roots[p] = s
	}
	s := open(e.roots[m], nil)
	if f.kernel {
		e.kernelParams(s, f)
	} else {
		e.declare(s, f.params)
		e.declare(s, f.rets)
	}
	e.block(s, f.body)
	e.place(e.frame.end)
	e.emitBodies()
	e.finish()
	return k
}

// kernelParams lays the parameters out by their alignment (PTX ISA section 7.1).
func (e *emitter) kernelParams(s *scope, f *function) {
	off := 0
	for _, v := range f.params {
		off = alignUp(off, v.align)
		v.addr = uint64(off)
		d := ir.ParamDecl{Name: v.name, Type: v.typ, Count: 1, Array: v.array, Offset: off, Size: v.size,
			Align: v.align, Pointee: v.pointee}
		if n := v.typ.Size(); n > 0 {
			d.Count = v.size / n
		}
		e.k.Params = append(e.k.Params, d)
		off += v.size
		if s.names[v.name] != nil {
			e.errs.add(v.pos, "found a second parameter %s", v.name)
		}
		s.names[v.name] = &symbol{kind: symVar, typ: v.typ, vec: v.vec, reg: -1, v: v}
	}
	e.k.ParamBytes = off
	if off > ir.ParamWindowSize {
		e.errs.add(f.pos, "found %d bytes of parameters, expected at most %d", off, ir.ParamWindowSize)
	}
}

// block walks the statements of a block in a scope of its own.
func (e *emitter) block(parent *scope, b *block) {
	s := open(parent, b)
	for i := range b.stmts {
		st := &b.stmts[i]
		switch st.kind {
		case stInst:
			e.inst(s, st.inst)
		case stLabel:
			e.place(s.target(st.name))
		case stBlock:
			e.block(s, st.block)
		case stDecl:
			e.declare(s, st.vars)
		case stProto:
			s.names[st.name] = &symbol{kind: symProto, fn: st.proto}
		case stTargets:
			s.names[st.name] = &symbol{kind: symTargets, names: st.names, scope: s}
		}
	}
}

func (e *emitter) place(l *label) {
	l.at, l.placed = len(e.code), true
}

// add appends an instruction.
func (e *emitter) add(in ir.Inst) *node {
	if len(e.code) >= e.m.most {
		if !e.full {
			e.errs.add(pos{int(in.Line), int(in.Col)},
				"found more than %d instructions in %s after inlining, expected fewer (--max-kernel-instructions %d)",
				e.m.most, e.k.Name, e.m.most)
		}
		e.full = true
		return &node{}
	}
	if e.site.line > 0 {
		in.Line, in.Col = int32(e.site.line), int32(e.site.col)
	}
	e.code = append(e.code, node{in: in})
	return &e.code[len(e.code)-1]
}

// jump appends a branch to a label, taken by the lanes of the guard.
func (e *emitter) jump(at pos, guard ir.Operand, to *label, skip bool) {
	n := e.add(ir.Inst{Op: ir.OpBra, Guard: guard, Line: int32(at.line), Col: int32(at.col)})
	n.to, n.skip = to, skip
}
