package ptx

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// stackAlign is the alignment of a frame, in bytes: the alignment of the widest access to local memory.
const stackAlign = 16

// stackPointer returns the register with the end of the stack, an address in local memory.
// The stack grows upwards.
func (e *emitter) stackPointer() ir.Operand {
	if e.stack.Kind == ir.KindNone {
		e.emitInto(nil, func() { e.stack = e.temp(4) })
		e.k.Stack = true
	}
	return e.stack
}

// callSave has the values saved by a caller across a call that may run the caller's own code.
type callSave struct {
	from, to *body
	values   []ir.Operand
}

// needed reports whether the call can overwrite registers of its caller.
func (c *callSave) needed() bool { return c.from != nil && c.to.reaches(c.from, map[*body]bool{}) }

// saveAcrossCalls replaces the marks around the calls of recursive functions by stores and loads. at has places in
// the code; saveAcrossCalls returns the new code and the new places.
func (e *emitter) saveAcrossCalls(code []node, at []int) ([]node, []int) {
	if len(e.bodies) == 0 {
		return code, at
	}
	for e.liveAcrossCalls(code, at) {
	}
	var out []node
	moved := make([]int, len(code)+1)
	for i := range code {
		moved[i] = len(out)
		switch n := &code[i]; {
		case n.save == nil:
			out = append(out, *n)
		case n.save.needed():
			out = e.appendSave(out, n)
		}
	}
	moved[len(code)] = len(out)
	for i := range at {
		at[i] = moved[at[i]]
	}
	return out, at
}

// liveAcrossCalls adds the values live behind each call to its saved values, given the values saved so far. It
// reports whether it has added any.
func (e *emitter) liveAcrossCalls(code []node, at []int) (more bool) {
	k := &ir.Kernel{NumRegs: e.k.NumRegs, NumPreds: e.k.NumPreds, Insts: resolved(code, at)}
	for i := range code {
		switch s := code[i].save; {
		case s == nil || !s.needed():
		case code[i].restore:
			k.Insts[i].Dst = s.from.values
		default:
			k.Insts[i].Src = s.values
		}
	}
	g := cfg.Build(k.Insts)
	info := liveness.Analyze(k, g)
	for b := range g.Blocks {
		info.Scan(b, func(pc int, after bitset.Set) {
			s := code[pc].save
			if s == nil || !code[pc].restore || !s.needed() {
				return
			}
			live := liveOf(s.from.values, after, k.NumRegs)
			more = more || len(live) > len(s.values)
			s.values = live
		})
	}
	return more
}

// liveOf returns the values with a live word.
func liveOf(values []ir.Operand, live bitset.Set, regs int) (out []ir.Operand) {
	for _, v := range values {
		first, words := int(v.Reg), int(v.Words)
		if v.Kind == ir.KindPred {
			first, words = regs+int(v.Reg), 1
		}
		for w := range words {
			if live.Has(first + w) {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// appendSave appends the stores before a call, or the loads behind it. Values of 64 bits come first, for alignment.
func (e *emitter) appendSave(out []node, n *node) []node {
	line, col := n.in.Line, n.in.Col
	size := 0
	var list []ir.Inst
	for _, words := range []uint8{2, 1, 0} { // predicates have no words
		for _, v := range n.save.values {
			if v.Words != words {
				continue
			}
			mem := ir.Inst{Op: ir.OpSt, Type: ir.B32, Space: ir.Local, Addr: ir.Addr{Base: e.stack,
				Offset: int64(size)}}
			if words == 2 {
				mem.Type = ir.B64
			}
			size += mem.Type.Size()
			list = append(list, e.saveValue(mem, v, n.restore)...)
		}
	}
	size = alignUp(size, stackAlign)
	step := ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{e.stack},
		Src: []ir.Operand{e.stack, ir.Imm(uint64(size), 1)}}
	if n.restore {
		step.Op = ir.OpSub
		list = append([]ir.Inst{step}, list...)
	} else {
		list = append(list, step)
	}
	for _, in := range list {
		in.Line, in.Col = line, col
		out = append(out, node{in: in})
	}
	return out
}

// saveValue stores or loads one value; a predicate goes through a register.
func (e *emitter) saveValue(mem ir.Inst, v ir.Operand, restore bool) []ir.Inst {
	reg := v
	if v.Kind == ir.KindPred {
		reg = e.temp(4)
	}
	if restore {
		mem.Op, mem.Dst = ir.OpLd, []ir.Operand{reg}
	} else {
		mem.Src = []ir.Operand{reg}
	}
	switch {
	case v.Kind != ir.KindPred:
		return []ir.Inst{mem}
	case restore:
		return []ir.Inst{mem, {Op: ir.OpSetp, Type: ir.U32, Mods: ir.Mods{Cmp: ir.NE}, Dst: []ir.Operand{v},
			Src: []ir.Operand{reg, ir.Imm(0, 1)}}}
	}
	return []ir.Inst{{Op: ir.OpSelp, Type: ir.U32, Dst: []ir.Operand{reg},
		Src: []ir.Operand{ir.Imm(1, 1), ir.Imm(0, 1), v}}, mem}
}

// onStack returns the address of a local variable, relative to its function's frame if there is one.
func (b *body) onStack(offset int64) ir.Addr {
	if b == nil {
		return ir.Addr{Offset: offset}
	}
	return ir.Addr{Base: b.frame, Offset: offset}
}

// frameAddress returns the address of a local variable of a recursive function in a
// register.
func (d *decoder) frameAddress(b *body, offset int64, t ir.Type) ir.Operand {
	low := d.e.temp(4)
	in := d.plain(ir.OpAdd)
	in.Type, in.Dst, in.Src = ir.U32, []ir.Operand{low}, []ir.Operand{b.frame, ir.Imm(uint64(offset), 1)}
	d.e.add(in)
	return d.widened(low, t)
}

// widened returns an address in local memory as a value of a type.
func (d *decoder) widened(low ir.Operand, t ir.Type) ir.Operand {
	if t.Size() != 8 {
		return low
	}
	wide := d.e.temp(8)
	in := d.plain(ir.OpCvt)
	in.Type, in.SrcType, in.Dst, in.Src = ir.U64, ir.U32, []ir.Operand{wide}, []ir.Operand{low}
	d.e.add(in)
	return wide
}

// buildAlloca builds alloca ptr, size{, align} (PTX ISA section 9.7.18.3): the stack grows by size, from the next
// aligned address on. The memory is released at the return of the function.
func buildAlloca(d *decoder) {
	if !d.need(2, 3) {
		return
	}
	align := uint64(8)
	if len(d.in.ops) == 3 {
		o := &d.in.ops[2]
		if align = o.value.bits; o.kind != opConst || o.value.kind != tokInt || align == 0 || align > 1<<23 ||
			align&(align-1) != 0 {
			d.errorf(o.pos, "found %s as the alignment of %s, expected a power of two from 1 to 2^23", o.describe(),
				d.in.full())
			return
		}
	}
	dst, ok := d.dst(&d.in.ops[0], d.out.Type)
	size, good := d.src(&d.in.ops[1], d.out.Type)
	if !ok || !good {
		return
	}
	if size.Kind == ir.KindImm {
		if size.Imm > ir.MaxLocalBytes {
			d.errorf(d.in.ops[1].pos, "found an allocation of %d bytes in %s, expected at most %d", size.Imm,
				d.in.full(), ir.MaxLocalBytes)
			return
		}
		size = ir.Imm(size.Imm, 1)
	}
	sp, at := d.e.stackPointer(), d.e.temp(4)
	mask := max(align, stackAlign) - 1
	for _, in := range []ir.Inst{
		{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{at}, Src: []ir.Operand{sp, ir.Imm(mask, 1)}},
		{Op: ir.OpAnd, Type: ir.B32, Dst: []ir.Operand{at}, Src: []ir.Operand{at, ir.Imm(uint64(^uint32(mask)), 1)}},
		{Op: ir.OpAlloca, Type: ir.U32, Dst: []ir.Operand{sp}, Src: []ir.Operand{at, size}, Guard: d.guard},
		// The next frame begins at a multiple of the frames' alignment.
		{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{sp}, Src: []ir.Operand{sp, ir.Imm(stackAlign-1, 1)},
			Guard: d.guard},
		{Op: ir.OpAnd, Type: ir.B32, Dst: []ir.Operand{sp},
			Src: []ir.Operand{sp, ir.Imm(uint64(^uint32(stackAlign-1)), 1)}, Guard: d.guard},
	} {
		in.Line, in.Col = d.out.Line, d.out.Col
		d.e.add(in)
	}
	d.give(dst, at)
}

// give moves an address in local memory to a register of the instruction's type.
func (d *decoder) give(dst, low ir.Operand) {
	in := d.plain(ir.OpMov)
	in.Type, in.Guard, in.Dst, in.Src = unsigned(d.out.Type), d.guard, []ir.Operand{dst}, []ir.Operand{low}
	if d.out.Type.Size() == 8 {
		in.Op, in.SrcType = ir.OpCvt, ir.U32
	}
	d.e.add(in)
}

// lowWord returns the low word of a value of 32 or 64 bits.
func (d *decoder) lowWord(v ir.Operand) ir.Operand {
	if v.Kind == ir.KindImm {
		return ir.Imm(uint64(uint32(v.Imm)), 1)
	}
	if v.Words != 2 {
		return v
	}
	low := d.e.temp(4)
	in := d.plain(ir.OpCvt)
	in.Type, in.SrcType, in.Dst, in.Src = ir.U32, ir.U64, []ir.Operand{low}, []ir.Operand{v}
	d.e.add(in)
	return low
}

// buildStackSave builds stacksave d (PTX ISA section 9.7.18.1).
func buildStackSave(d *decoder) {
	if !d.need(1, 1) {
		return
	}
	if dst, ok := d.dst(&d.in.ops[0], d.out.Type); ok {
		d.give(dst, d.e.stackPointer())
	}
}

// buildStackRestore builds stackrestore a (PTX ISA section 9.7.18.2).
func buildStackRestore(d *decoder) {
	if !d.need(1, 1) {
		return
	}
	if v, ok := d.src(&d.in.ops[0], d.out.Type); ok {
		in := d.plain(ir.OpMov)
		in.Type, in.Guard, in.Dst, in.Src = ir.U32, d.guard, []ir.Operand{d.e.stackPointer()},
			[]ir.Operand{d.lowWord(v)}
		d.e.add(in)
	}
}

// movesStack reports whether a body moves the stack by itself. Then the stack is restored at the return of the
// function.
func (b *block) movesStack() bool {
	for i := range b.stmts {
		st := &b.stmts[i]
		if st.kind == stBlock && st.block.movesStack() ||
			st.kind == stInst && (st.inst.op == "alloca" || st.inst.op == "stackrestore") {
			return true
		}
	}
	return false
}
