package ptx

import "kumiko/kernel/ir"

// body is the single copy, in a kernel, of a function calling itself, directly or through others. A call of it is a
// branch, and it returns by an indexed branch to the places behind its calls. A caller saves on the stack the
// values possibly overwritten by such a call.
type body struct {
	fn     *function
	scope  *scope // of its parameters
	call   pos    // of its first call, if it is of another module than the kernel
	entry  *label
	sites  []*label     // behind its calls
	index  ir.Operand   // index of the return place in sites
	frame  ir.Operand   // the address of its local variables
	local  int          // their bytes
	moves  bool         // it moves the stack by itself
	values []ir.Operand // registers and predicates of its code
	calls  map[*body]bool
	ret    int // index of the returning node
}

// reaches reports whether the code of b may, through calls, execute the code of another body.
func (b *body) reaches(other *body, seen map[*body]bool) bool {
	if b == other {
		return true
	}
	seen[b] = true
	for c := range b.calls {
		if !seen[c] && c.reaches(other, seen) {
			return true
		}
	}
	return false
}

// emitInto runs f, which emits instructions. The registers that it makes belong to b.
func (e *emitter) emitInto(b *body, f func()) {
	own := e.body
	e.body = b
	f()
	e.body = own
}

// bodyOf returns the copy of a recursive function, emitted behind the kernel.
func (e *emitter) bodyOf(f *function, call pos) *body {
	for _, b := range e.bodies {
		if b.fn == f {
			return b
		}
	}
	b := &body{fn: f, scope: open(e.roots[f.home], nil), entry: &label{}, moves: f.body.movesStack(),
		calls: map[*body]bool{}}
	b.call = e.siteOf(f, call)
	e.bodies = append(e.bodies, b)
	local := e.local
	e.emitInto(b, func() {
		b.index, b.frame = e.temp(4), e.temp(4)
		e.local = 0
		for _, list := range [][]*variable{f.params, f.rets} {
			e.declare(b.scope, list)
			for _, v := range list {
				if sym := b.scope.names[v.name]; sym.slot != nil {
					sym.slot.formal = true
				} else {
					e.register(sym)
				}
			}
		}
	})
	e.local = local
	return b
}

// callBody calls the copy of a recursive function.
func (d *decoder) callBody(c callSite, f *function) {
	e := d.e
	b := e.bodyOf(f, d.in.pos)
	if e.body != nil {
		e.body.calls[b] = true
	}
	site := &label{}
	b.sites = append(b.sites, site)
	saved := &callSave{from: e.body, to: b}
	e.add(d.plain(ir.OpNop)).save = saved
	pass := make([]func(), len(f.params))
	for i, v := range f.params {
		pass[i] = d.passArg(b.scope.names[v.name], v, &c.args[i])
	}
	for _, p := range pass {
		p()
	}
	d.move(ir.U32, b.index, ir.Imm(uint64(len(b.sites)-1), 1))
	e.stackPointer()
	e.jump(d.in.pos, ir.Operand{}, b.entry, false)
	call := &e.code[len(e.code)-1]
	call.in.Flow, call.toList = ir.FlowCall, []*label{site}
	e.place(site)
	take := make([]func(), len(f.rets))
	for i, v := range f.rets {
		take[i] = d.takeResult(b.scope.names[v.name], v, &c.rets[i])
	}
	n := e.add(d.plain(ir.OpNop))
	n.save, n.restore = saved, true
	for _, t := range take {
		t()
	}
}

// plain returns an instruction with the position of the decoded one.
func (d *decoder) plain(op ir.Op) ir.Inst { return ir.Inst{Op: op, Line: d.out.Line, Col: d.out.Col} }

func (d *decoder) move(t ir.Type, to, from ir.Operand) {
	in := d.plain(ir.OpMov)
	in.Type, in.Dst, in.Src = t, []ir.Operand{to}, []ir.Operand{from}
	d.e.add(in)
}

// scratches lists fresh registers, or a predicate, for the value of a parameter.
func (d *decoder) scratches(v *variable) (list []ir.Operand) {
	for range max(v.vec, 1) {
		if v.typ == ir.PredType {
			list = append(list, ir.P(d.e.newPred()))
		} else {
			list = append(list, d.e.temp(v.typ.Size()))
		}
	}
	return list
}

// passArg reads an argument. It returns a function to pass the argument on. All arguments are read before the first
// is passed: an argument may be a parameter of the caller, which is the same function.
func (d *decoder) passArg(formal *symbol, v *variable, o *operand) func() {
	e := d.e
	actual := d.paramSlot(o)
	if actual != nil && v.space == ir.Param {
		if actual.formal {
			own := e.newSlot(v)
			e.copySlot(d.plain(ir.OpMov), actual, own)
			actual = own
		}
		return func() { e.copySlot(d.plain(ir.OpMov), actual, formal.slot).callee = formal.slot }
	}
	val := d.scratches(v)
	if actual != nil {
		in := d.plain(ir.OpLd)
		in.Type, in.Dst = v.typ, val
		e.access(in, actual, slotLoad, 0)
	} else {
		from, ok := d.actuals(o, v, v.typ != ir.PredType)
		if !ok {
			return func() {}
		}
		d.moves(v.typ, val, from)
	}
	if formal.slot == nil {
		return func() { d.moves(v.typ, d.formals(formal), val) }
	}
	in := d.plain(ir.OpSt)
	in.Type, in.Src = v.typ, val
	return func() { e.access(in, formal.slot, slotStore, 0).callee = formal.slot }
}

// takeResult reads a result of the callee. It returns a function to pass the result to the caller, to be called
// once the caller has its own values back.
func (d *decoder) takeResult(formal *symbol, v *variable, o *operand) (give func()) {
	e := d.e
	actual := d.paramSlot(o)
	var own *slot
	var val []ir.Operand
	e.emitInto(nil, func() { // no saved value
		if formal.slot != nil {
			own = e.newSlot(v)
			e.copySlot(d.plain(ir.OpMov), formal.slot, own).callee = formal.slot
			return
		}
		val = d.scratches(v)
		d.moves(v.typ, val, d.formals(formal))
	})
	switch {
	case own != nil && actual != nil:
		return func() { e.copySlot(d.plain(ir.OpMov), own, actual) }
	case actual != nil:
		in := d.plain(ir.OpSt)
		in.Type, in.Src = v.typ, val
		return func() { e.access(in, actual, slotStore, 0) }
	case o.kind == opSink:
		return func() {}
	}
	dst, ok := d.taken(o, v)
	if !ok {
		return func() {}
	}
	if own == nil {
		return func() { d.moves(v.typ, dst, val) }
	}
	in := d.plain(ir.OpLd)
	in.Type, in.Dst = v.typ, dst
	return func() { e.access(in, own, slotLoad, 0) }
}

// emitBodies appends the recursive functions called by the kernel.
func (e *emitter) emitBodies() {
	if len(e.bodies) == 0 {
		return
	}
	e.add(ir.Inst{Op: ir.OpExit})
	outermost := e.frame
	for i := 0; i < len(e.bodies); i++ {
		b := e.bodies[i]
		e.body, e.local = b, b.local
		e.frame = &frame{fn: b.fn, parent: outermost, end: &label{}}
		leave := e.into(b.fn, b.call)
		at := ir.Inst{Type: ir.U32, Line: int32(b.fn.pos.line), Col: int32(b.fn.pos.col)}
		e.place(b.entry)
		e.moveStack(at, ir.OpMov, b.frame, e.stack)
		e.moveStack(at, ir.OpAdd, e.stack, e.stack, ir.Operand{}).grow = b
		e.block(b.scope, b.fn.body)
		e.place(e.frame.end)
		if b.moves {
			e.moveStack(at, ir.OpMov, e.stack, b.frame)
		} else {
			e.moveStack(at, ir.OpSub, e.stack, e.stack, ir.Operand{}).grow = b
		}
		b.ret = len(e.code)
		at.Op, at.Flow, at.Type, at.Src = ir.OpBrx, ir.FlowReturn, ir.TypeNone, []ir.Operand{b.index}
		e.add(at)
		leave()
	}
	e.body, e.frame = nil, outermost
	if !e.full {
		for _, b := range e.bodies {
			e.code[b.ret].toList = b.sites
		}
	}
}

func (e *emitter) moveStack(in ir.Inst, op ir.Op, to ir.Operand, from ...ir.Operand) *node {
	in.Op, in.Dst, in.Src = op, []ir.Operand{to}, from
	return e.add(in)
}
