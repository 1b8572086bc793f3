package ptx

import "kumiko/kernel/ir"

// callSite is a decoded call: call (rets), target, (args), list.
type callSite struct {
	target     *operand
	rets, args []operand
	list       *operand // .callprototype or .calltargets
}

func (d *decoder) callSite() (c callSite, ok bool) {
	ops := d.in.ops
	if len(ops) > 0 && ops[0].kind == opList {
		c.rets, ops = ops[0].elems, ops[1:]
	}
	if len(ops) == 0 || ops[0].kind != opName {
		d.errorf(d.in.pos, "found a call without a function, expected (results), function, (arguments)")
		return c, false
	}
	c.target, ops = &ops[0], ops[1:]
	if len(ops) > 0 && ops[0].kind == opList {
		c.args, ops = ops[0].elems, ops[1:]
	}
	if len(ops) > 0 && ops[0].kind == opName {
		c.list, ops = &ops[0], ops[1:]
	}
	if len(ops) > 0 {
		d.errorf(ops[0].pos, "found %s, expected the end of the call", ops[0].describe())
		return c, false
	}
	return c, true
}

// buildCall inlines the called function.
func buildCall(d *decoder) {
	c, ok := d.callSite()
	if !ok {
		return
	}
	end := &label{}
	if d.guard.Kind != ir.KindNone {
		not := d.guard
		not.Neg = !not.Neg
		d.e.jump(d.in.pos, not, end, false)
		d.guard, d.out.Guard = ir.Operand{}, ir.Operand{}
	}
	sym := d.e.lookup(d.s, c.target.name)
	switch {
	case sym == nil:
		d.errorf(c.target.pos, "found %s, expected a function or a register with a function's address", c.target.name)
	case sym.kind == symFunc && sym.fn.body == nil:
		d.builtin(c, sym.fn)
	case sym.kind == symFunc:
		d.inline(c, sym.fn)
	default:
		d.indirect(c)
	}
	d.e.place(end)
}

// inline appends the body of a function, its parameters bound to the call's. If the function turns out to be
// recursive, the kernel is built again, with a call instead.
func (d *decoder) inline(c callSite, f *function) {
	e := d.e
	if len(c.args) != len(f.params) || len(c.rets) != len(f.rets) {
		d.errorf(d.in.pos, "found %d arguments and %d results, expected %d and %d of %s", len(c.args), len(c.rets),
			len(f.params), len(f.rets), f.name)
		return
	}
	for fr := e.frame; fr != nil; fr = fr.parent {
		if fr.fn == f {
			e.m.recursive[f] = true
		}
	}
	if e.full {
		return
	}
	if e.m.recursive[f] {
		d.callBody(c, f)
		return
	}
	local := e.local
	s := open(e.roots[f.home], nil)
	for i, v := range f.params {
		d.bindArg(s, v, &c.args[i])
	}
	results := make([]func(), len(f.rets))
	for i, v := range f.rets {
		results[i] = d.bindResult(s, v, &c.rets[i])
	}
	e.frame = &frame{fn: f, parent: e.frame, end: &label{}}
	moves, top := f.body.movesStack(), ir.Operand{}
	if moves {
		top = e.temp(4)
		d.move(ir.U32, top, e.stackPointer())
	}
	leave := e.into(f, e.siteOf(f, d.in.pos))
	e.block(s, f.body)
	leave()
	e.place(e.frame.end)
	if moves {
		d.move(ir.U32, e.stack, top)
	}
	e.frame = e.frame.parent
	e.local = local
	for _, store := range results {
		store()
	}
}

// paramSlot returns the slot of an operand, if it is a .param variable, or nil.
func (d *decoder) paramSlot(o *operand) *slot {
	if o.kind != opName || o.offset != 0 {
		return nil
	}
	if sym := d.e.lookup(d.s, o.name); sym != nil && sym.kind == symVar {
		return sym.slot
	}
	return nil
}

// bindArg binds a formal parameter to its argument. A .param argument becomes the callee's variable itself, since
// it is not written during the call.
func (d *decoder) bindArg(s *scope, v *variable, o *operand) {
	actual := d.paramSlot(o)
	if actual != nil && v.space == ir.Param {
		s.names[v.name] = &symbol{kind: symVar, typ: v.typ, vec: v.vec, reg: -1, v: v, slot: actual}
		actual.size, actual.align = max(actual.size, v.size), max(actual.align, v.align)
		return
	}
	d.e.declare(s, []*variable{v})
	sym := s.names[v.name]
	in := ir.Inst{Op: ir.OpMov, Type: v.typ, Line: d.out.Line, Col: d.out.Col}
	switch {
	case actual != nil:
		in.Op, in.Dst = ir.OpLd, d.formals(sym)
		d.e.access(in, actual, slotLoad, 0)
	case v.space == ir.Param:
		vals, ok := d.actuals(o, v, true)
		if !ok {
			return
		}
		in.Op, in.Src = ir.OpSt, vals
		d.e.access(in, sym.slot, slotStore, 0)
	default:
		if vals, ok := d.actuals(o, v, v.typ != ir.PredType); ok {
			d.moves(v.typ, d.formals(sym), vals)
		}
	}
}

// formals lists the registers of a formal parameter, one for each element of a vector.
func (d *decoder) formals(sym *symbol) (list []ir.Operand) {
	r := d.e.register(sym)
	if sym.typ == ir.PredType {
		return []ir.Operand{ir.P(ir.Pred(r))}
	}
	words := sym.typ.Words()
	for i := range max(sym.vec, 1) {
		list = append(list, ir.R(r+ir.Reg(i*words), words))
	}
	return list
}

// actuals lists the values of an argument for the formal parameter v, one for each element
// of a vector.
func (d *decoder) actuals(o *operand, v *variable, loose bool) (list []ir.Operand, ok bool) {
	elems, ok := d.elementsOf(o, v)
	for i := range elems {
		val, good := d.source(&elems[i], v.typ, loose)
		list, ok = append(list, val), ok && good
	}
	return list, ok
}

// taken returns the destination registers of result v, one for each element of a vector.
func (d *decoder) taken(o *operand, v *variable) (list []ir.Operand, ok bool) {
	elems, ok := d.elementsOf(o, v)
	for i := range elems {
		r, good := d.dst(&elems[i], v.typ)
		list, ok = append(list, r), ok && good
	}
	return list, ok
}

// elementsOf lists the elements of an argument or a result of a call, as many as v has.
func (d *decoder) elementsOf(o *operand, v *variable) ([]operand, bool) {
	list := d.members(o)
	if len(list) != max(v.vec, 1) {
		d.errorf(o.pos, "found %s of %d elements for the parameter %s, expected %d", o.describe(), len(list), v.name,
			max(v.vec, 1))
		return nil, false
	}
	return list, true
}

// moves appends a move for each element.
func (d *decoder) moves(t ir.Type, to, from []ir.Operand) {
	for i := range to {
		d.move(t, to[i], from[i])
	}
}

// bindResult declares a formal result. It returns a function to move the result to the caller behind the body.
func (d *decoder) bindResult(s *scope, v *variable, o *operand) func() {
	nothing := func() {}
	actual := d.paramSlot(o)
	if actual != nil && v.space == ir.Param {
		s.names[v.name] = &symbol{kind: symVar, typ: v.typ, vec: v.vec, reg: -1, v: v, slot: actual}
		actual.size, actual.align = max(actual.size, v.size), max(actual.align, v.align)
		return nothing
	}
	d.e.declare(s, []*variable{v})
	sym := s.names[v.name]
	in := ir.Inst{Op: ir.OpMov, Type: v.typ, Line: d.out.Line, Col: d.out.Col}
	if actual != nil {
		in.Op, in.Src = ir.OpSt, d.formals(sym)
		return func() { d.e.access(in, actual, slotStore, 0) }
	}
	if o.kind == opSink {
		return nothing
	}
	dst, ok := d.taken(o, v)
	if !ok {
		return nothing
	}
	if v.space == ir.Param {
		in.Op, in.Dst = ir.OpLd, dst
		return func() { d.e.access(in, sym.slot, slotLoad, 0) }
	}
	return func() { d.moves(v.typ, dst, d.formals(sym)) }
}

// argument returns the value of a scalar argument in a register.
func (d *decoder) argument(o *operand, t ir.Type) (ir.Operand, bool) {
	s := d.paramSlot(o)
	if s == nil {
		return d.src(o, t)
	}
	r := d.e.temp(t.Size())
	d.e.access(ir.Inst{Op: ir.OpLd, Type: t, Dst: []ir.Operand{r}, Line: d.out.Line, Col: d.out.Col}, s, slotLoad, 0)
	return r, true
}

// pointer returns the type of an address: by the operand's own size, if known (sources before PTX 2.3 do not state
// an address size), otherwise by the module's.
func (d *decoder) pointer(o *operand) ir.Type {
	size := d.e.m.addrSize
	if sym := d.e.lookup(d.s, o.name); sym != nil && (sym.kind == symReg || sym.slot != nil) {
		size = sym.typ.Size()
	}
	if size == 8 {
		return ir.B64
	}
	return ir.B32
}

// builtin builds a call of a system function.
func (d *decoder) builtin(c callSite, f *function) {
	switch f.name { // systemFunctions has all of them
	case "vprintf":
		d.printf(c)
	case "__assertfail", "__assert_fail":
		d.assertion(c)
	default:
		d.errorf(c.target.pos, "found a call of %s, which is declared but nowhere defined%s", f.name,
			f.home.whereDefined(f.name))
	}
}

// assertion builds a trap for a failed assertion, from the arguments of __assertfail: text, file, line and function
// (PTX Writer's Guide to Interoperability, section 3).
func (d *decoder) assertion(c callSite) {
	var src []ir.Operand
	for i := 0; i < 4 && len(c.args) >= 4; i++ {
		t := ir.B32
		if i != 2 {
			t = d.pointer(&c.args[i])
		}
		v, ok := d.argument(&c.args[i], t)
		if !ok {
			return
		}
		src = append(src, v)
	}
	d.out.Op, d.out.Src = ir.OpTrap, src
	d.e.add(d.out)
}

func (d *decoder) printf(c callSite) {
	if len(c.args) != 2 || len(c.rets) > 1 {
		d.errorf(d.in.pos, "found %d arguments of vprintf, expected the format and the arguments' address", len(c.args))
		return
	}
	format, ok := d.argument(&c.args[0], d.pointer(&c.args[0]))
	args, good := d.argument(&c.args[1], d.pointer(&c.args[1]))
	if !ok || !good {
		return
	}
	r := d.e.temp(4)
	d.out.Op, d.out.Src, d.out.Dst = ir.OpPrintf, []ir.Operand{format, args}, []ir.Operand{r}
	d.e.add(d.out)
	if len(c.rets) == 0 {
		return
	}
	if s := d.paramSlot(&c.rets[0]); s != nil {
		d.e.access(ir.Inst{Op: ir.OpSt, Type: ir.B32, Src: []ir.Operand{r}, Line: d.out.Line, Col: d.out.Col}, s,
			slotStore, 0)
	} else if dst, ok := d.dst(&c.rets[0], ir.B32); ok {
		d.e.add(ir.Inst{Op: ir.OpMov, Type: ir.B32, Dst: []ir.Operand{dst}, Src: []ir.Operand{r}, Line: d.out.Line,
			Col: d.out.Col})
	}
}

// indirect builds a call through a register. The register is compared with each possible function, and the function
// is inlined. Without a match the program traps.
func (d *decoder) indirect(c callSite) {
	t := d.pointer(c.target)
	target, ok := d.src(c.target, t)
	list, good := d.candidates(c)
	if !ok || !good {
		return
	}
	end := &label{}
	for _, f := range list {
		next := &label{}
		p := ir.P(d.e.newPred())
		d.e.add(ir.Inst{Op: ir.OpSetp, Type: t, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{p},
			Src: []ir.Operand{target, ir.Imm(f.addr, t.Words())}, Line: d.out.Line, Col: d.out.Col})
		p.Neg = true
		d.e.jump(d.in.pos, p, next, false)
		d.inline(c, f)
		d.e.jump(d.in.pos, ir.Operand{}, end, false)
		d.e.place(next)
	}
	d.e.add(ir.Inst{Op: ir.OpTrap, Line: d.out.Line, Col: d.out.Col})
	d.e.place(end)
}

// candidates returns the possible targets of an indirect call: its .calltargets, or the
// functions of its prototype's signature with a taken address.
func (d *decoder) candidates(c callSite) ([]*function, bool) {
	if c.list == nil {
		d.errorf(d.in.pos, "found a call through %s without targets, expected a .callprototype or .calltargets "+
			"behind the arguments", c.target.name)
		return nil, false
	}
	sym := d.e.lookup(d.s, c.list.name)
	var out []*function
	switch {
	case sym != nil && sym.kind == symTargets:
		for i := range sym.names {
			f := d.e.m.syms[sym.names[i].name]
			if f == nil || f.kind != symFunc || f.fn.body == nil {
				d.errorf(sym.names[i].pos, "found %s, expected a function with a body", sym.names[i].describe())
				return nil, false
			}
			out = append(out, f.fn)
		}
	case sym != nil && sym.kind == symProto:
		for _, m := range d.e.m.peers {
			for _, f := range m.funcs {
				if f.taken && !f.kernel && f.body != nil && f.matches(sym.fn) {
					out = append(out, f)
				}
			}
		}
	default:
		d.errorf(c.list.pos, "found %s, expected a .callprototype or a .calltargets list", c.list.name)
		return nil, false
	}
	if len(out) == 0 {
		d.errorf(d.in.pos, "found no function that this call can reach, expected one of its signature whose address "+
			"is taken")
		return nil, false
	}
	return out, true
}

// matches compares the shapes of two signatures.
func (f *function) matches(g *function) bool {
	same := func(a, b []*variable) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i].size != b[i].size || a[i].typ.Size() != b[i].typ.Size() && !a[i].array {
				return false
			}
		}
		return true
	}
	return same(f.params, g.params) && same(f.rets, g.rets)
}
