package emu

import (
	"fmt"
	"strings"
	"sync"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
)

// Program is a kernel in executable form. Any number of launches, also concurrent ones, may share it: execution
// does not change it.
type Program struct {
	k        *ir.Kernel
	code     []inst
	lay      layout
	views    int // memory instructions, each with a cache of its last region
	texViews int // texture fetches, likewise
	// plain[pc] counts the unguarded instructions before pc.
	plain  []uint32
	valued bool      // streams have the classes of written values
	spare  sync.Pool // of *cta: states left by ended launches for the next
}

// Kernel returns the kernel the program's streams refer to. If the prepared kernel was allocated, it is this
// kernel. Otherwise it is a copy, with the parts of Timing needed by a stream.Cursor filled in.
func (p *Program) Kernel() *ir.Kernel { return p.k }

// decoder is the state of decoding one instruction.
type decoder struct {
	k     *ir.Kernel
	in    *ir.Inst
	out   *inst
	lay   *layout
	prog  *Program
	temps int
	err   string
}

// Prepare decodes a kernel. Its error lists every unsupported instruction, with its position. A panic is returned
// as an *ir.InternalError.
func Prepare(k *ir.Kernel) (*Program, error) { return prepareProgram(k, false) }

// prepareValued is Prepare for streams with the classes of written values (stream.CTA.Values). Execution takes longer.
func prepareValued(k *ir.Kernel) (*Program, error) { return prepareProgram(k, true) }

func prepareProgram(k *ir.Kernel, valued bool) (p *Program, err error) {
	var at *ir.Inst
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, ir.Internal(k, at, v)
		}
	}()
	p = &Program{k: withCursorTiming(k), lay: layout{regs: k.NumRegs + uniformRegs(k)}, valued: valued}
	n := len(k.Insts)
	p.code = make([]inst, n+1)
	p.plain = make([]uint32, n+2)
	var problems []string
	for pc := range n {
		d := &decoder{k: p.k, in: &p.k.Insts[pc], out: &p.code[pc], lay: &p.lay, prog: p}
		at = d.in
		d.decode(pc)
		if d.err != "" {
			problems = append(problems, fmt.Sprintf("%s: %s: %s", position(k, d.in), describe(d.in), d.err))
		}
		p.plain[pc+1] = p.plain[pc]
		if !d.out.guarded {
			p.plain[pc+1]++
		}
	}
	p.join()
	p.lay.found = nil
	p.plain[n+1] = p.plain[n]
	p.code[n] = inst{kind: kindControl, ctl: fellOff, pc: int32(n), src: &ir.Inst{Op: ir.OpExit}}
	p.markLeaving()
	if problems != nil {
		return nil, fmt.Errorf("kernel %s cannot be executed:\n%s", k.Name, strings.Join(problems, "\n"))
	}
	return p, nil
}

// withCursorTiming returns an allocated k itself. A kernel without allocation has not been compiled, and
// withCursorTiming returns a copy with the reconvergence points and the parts of Timing needed for a stream.
func withCursorTiming(k *ir.Kernel) *ir.Kernel {
	if k.Allocated {
		return k
	}
	c := *k
	c.Insts = append([]ir.Inst(nil), k.Insts...)
	for i := range c.Insts {
		in := &c.Insts[i]
		in.T.Guarded = in.Guard.Kind == ir.KindPred
		if isMemory(in.Op) {
			in.T.Space = in.Space
			in.T.Bytes = uint8(accessBytes(in))
		}
	}
	cfg.Build(c.Insts).SetReconv(c.Insts)
	return &c
}

func isMemory(op ir.Op) bool {
	return op == ir.OpLd || op == ir.OpSt || op == ir.OpAtom || op == ir.OpRed || op == ir.OpTex
}

// accessBytes returns the number of bytes of a lane's access.
func accessBytes(in *ir.Inst) int {
	n := 1
	switch in.Op {
	case ir.OpLd:
		n = max(len(in.Dst), 1)
	case ir.OpSt:
		n = max(len(in.Src), 1)
	}
	return n * in.Type.Size()
}

func (p *decoder) decode(pc int) {
	in, out := p.in, p.out
	out.pc, out.src = int32(pc), in
	out.target, out.reconv = int32(in.Target), int32(in.Reconv)
	out.masked = in.T.Guarded
	out.access = in.T.Space != ir.SpaceNone
	out.boolOp = in.Mods.Bool
	if in.Guard.Kind != ir.KindNone {
		out.guarded = true
		out.guard, out.guardInv = p.predSource(in.Guard)
	}
	if in.Op >= ir.NumOps || decoders[in.Op] == nil {
		p.fail("the operation is not supported")
		return
	}
	decoders[in.Op](p)
	if p.err != "" {
		return
	}
	switch {
	case out.lanes != nil:
		out.kind = kindLanes
	case out.pred != nil:
		out.kind = kindPred
	case out.exec != nil:
		out.kind = kindExec
	case out.ctl != nil:
		out.kind = kindControl
		if p.k.Converges {
			out.reconv = -1
		}
	default:
		p.fail("type %s is not supported", typeWords(in))
	}
	if out.access && out.mem == nil && out.tex == nil && in.T.Space != ir.Barriers {
		p.fail("a memory space (%s) on an instruction that does not access memory", in.T.Space)
	}
	if in.Uniform {
		out.oncePerWarp()
	}
	if p.prog.valued {
		out.noteValues()
		return
	}
	if !in.Uniform && vector.Available && p.err == "" {
		out.seq.ops = p.vectorOps()
	}
}

// position returns file:line:column of an instruction, or the known part of it.
func position(k *ir.Kernel, in *ir.Inst) string {
	file := k.File
	if file == "" {
		file = k.Name
	}
	switch {
	case in.Line == 0:
		return file
	case in.Col == 0:
		return fmt.Sprintf("%s:%d", file, in.Line)
	}
	return fmt.Sprintf("%s:%d:%d", file, in.Line, in.Col)
}

// describe names an instruction's operation and types.
func describe(in *ir.Inst) string {
	if in.Op >= ir.NumOps {
		return fmt.Sprintf("operation %d", in.Op)
	}
	s := in.Op.String()
	if in.Space != ir.SpaceNone {
		s += "." + in.Space.String()
	}
	if in.Type != ir.TypeNone {
		s += "." + in.Type.String()
	}
	if in.SrcType != ir.TypeNone && in.SrcType != in.Type {
		s += "." + in.SrcType.String()
	}
	return s
}

func typeWords(in *ir.Inst) string {
	if in.SrcType == ir.TypeNone || in.SrcType == in.Type {
		return in.Type.String()
	}
	return in.Type.String() + " from " + in.SrcType.String()
}
