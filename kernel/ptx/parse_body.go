package ptx

import "kumiko/kernel/ir"

var bodySpaces = map[string]ir.Space{
	"reg": ir.SpaceNone, "param": ir.Param, "local": ir.Local, "shared": ir.Shared,
	"global": ir.Global, "const": ir.Const,
}

// block reads a brace-enclosed scope.
func (p *parser) block() *block {
	defer p.enter()()
	open := p.next()
	b := &block{labels: map[string]pos{}}
	for !p.is("}") {
		if p.tok.kind == tokEOF {
			p.errs.last(p.tok.pos, "found the end of the file, expected \"}\" to close the block of line %d",
				open.pos.line)
			return b
		}
		p.guarded(func() { p.statement(b) })
	}
	p.next()
	return b
}

func (p *parser) statement(b *block) {
	switch t := p.tok; t.kind {
	case tokDot:
		p.bodyDirective(b)
	case tokIdent:
		p.next()
		if p.accept(":") {
			p.label(b, t)
			return
		}
		p.instruction(b, t, nil)
	case tokPunct:
		switch t.text {
		case "{":
			b.stmts = append(b.stmts, stmt{kind: stBlock, pos: t.pos, block: p.block()})
		case "@":
			p.next()
			g := operand{kind: opName, not: p.accept("!")}
			n := p.ident("a predicate")
			g.name, g.pos = n.text, n.pos
			p.instruction(b, p.ident("an instruction"), &g)
		case ";":
			p.next()
		default:
			p.fail("an instruction")
		}
	default:
		p.fail("an instruction")
	}
}

func (p *parser) label(b *block, t token) {
	if at, dup := b.labels[t.text]; dup {
		p.errs.add(t.pos, "found a second label %s, the first is in line %d", t.text, at.line)
	} else {
		b.labels[t.text] = t.pos
	}
	switch {
	case p.dot("callprototype"):
		b.stmts = append(b.stmts, stmt{kind: stProto, pos: t.pos, name: t.text, proto: p.prototype()})
	case p.dot("branchtargets"), p.dot("calltargets"):
		p.next()
		s := stmt{kind: stTargets, pos: t.pos, name: t.text}
		for {
			s.names = append(s.names, p.operand())
			if !p.accept(",") {
				break
			}
		}
		p.expect(";", " behind the list of targets")
		for _, n := range s.names {
			p.fn.refs[n.name] = true
		}
		b.stmts = append(b.stmts, s)
	default:
		b.stmts = append(b.stmts, stmt{kind: stLabel, pos: t.pos, name: t.text})
	}
}

func (p *parser) bodyDirective(b *block) {
	t := p.tok
	switch t.text {
	case "loc", "file", "pragma", "section":
		p.skipDirective()
		return
	case "extern", "visible", "weak":
		p.next()
		if p.tok.kind != tokDot {
			p.fail("a variable")
		}
		if _, ok := bodySpaces[p.tok.text]; !ok {
			p.fail("a variable")
		}
	}
	space, ok := bodySpaces[p.tok.text]
	if !ok {
		p.fail("a declaration or an instruction")
	}
	vars := p.variables(space)
	for _, v := range vars {
		v.extern = t.text == "extern"
	}
	if space == ir.Param && p.fn.kernel && p.oldParams() {
		p.fn.params = append(p.fn.params, vars...)
		return
	}
	if space == ir.Global || space == ir.Const {
		if t.text == "extern" {
			p.m.inner = append(p.m.inner, vars...)
		}
		p.m.vars = append(p.m.vars, vars...) // static: one instance, named in this scope
	}
	b.stmts = append(b.stmts, stmt{kind: stDecl, pos: t.pos, vars: vars})
}

// oldParams reports whether .param in the body of a kernel declares its
// parameters, as before PTX 1.4.
func (p *parser) oldParams() bool {
	return before14(p.m)
}

// instruction reads from behind the opcode to the semicolon.
func (p *parser) instruction(b *block, op token, guard *operand) {
	in := &inst{pos: op.pos, op: op.text, guard: guard}
	for p.tok.kind == tokDot {
		in.mods = append(in.mods, p.next())
	}
	if !p.is(";") {
		for {
			if op.text == "call" && p.is("(") { // elsewhere, a constant expression
				in.ops = append(in.ops, p.list(opList, ")"))
			} else {
				in.ops = append(in.ops, p.operand())
			}
			if !p.accept(",") {
				break
			}
		}
	}
	p.note(in)
	b.stmts = append(b.stmts, stmt{kind: stInst, pos: op.pos, inst: in})
	if !p.is(";") {
		p.fail("\",\" or \";\" behind the operands of " + op.text)
	}
	p.next()
}

// note records the names mentioned by a function.
func (p *parser) note(in *inst) {
	var target *operand
	if in.op == "call" {
		if target = callee(in); target != nil {
			p.fn.calls = append(p.fn.calls, target.name)
		}
	}
	var walk func(ops []operand)
	walk = func(ops []operand) {
		for i := range ops {
			if o := &ops[i]; o.name != "" && o != target {
				p.fn.refs[o.name] = true
			}
			walk(ops[i].elems)
		}
	}
	walk(in.ops)
}

// callee returns the operand of a call with the name of a function, or the register with a function's address.
func callee(in *inst) *operand {
	for i := range in.ops {
		if in.ops[i].kind == opName {
			return &in.ops[i]
		}
	}
	return nil
}

// operand reads one operand.
func (p *parser) operand() operand {
	defer p.enter()()
	o := p.simpleOperand()
	if p.is("|") && (o.kind == opName || o.kind == opSink) {
		p.next()
		q := p.simpleOperand()
		return operand{kind: opPair, pos: o.pos, elems: []operand{o, q}}
	}
	return o
}

func (p *parser) simpleOperand() operand {
	t := p.tok
	switch {
	case p.is("!") || p.is("-"):
		if o, ok := p.signedName(); ok {
			return o
		}
	case p.is("{"):
		return p.list(opVector, "}")
	case p.is("["):
		return p.address()
	case t.kind == tokIdent && t.text != "WARP_SZ":
		return p.nameOperand()
	}
	if t.kind == tokEOF || t.kind == tokDot || t.kind == tokString || p.is(";") || p.is(",") {
		p.fail("an operand")
	}
	return operand{kind: opConst, pos: t.pos, value: p.expr()}
}

// signedName reads a name behind "!", or one "-". Without a name, a constant expression begins here.
func (p *parser) signedName() (o operand, ok bool) {
	save, scan, not := p.tok, p.scan, false
	if !p.accept("-") {
		for p.accept("!") {
			not = !not
		}
	}
	if p.tok.kind != tokIdent || p.tok.text == "WARP_SZ" {
		p.tok, p.scan = save, scan
		return operand{}, false
	}
	o = p.nameOperand()
	o.not, o.minus, o.pos = not, save.text == "-", save.pos
	return o, true
}

func (p *parser) list(kind operandKind, end string) operand {
	o := operand{kind: kind, pos: p.next().pos}
	for !p.accept(end) {
		if len(o.elems) > 0 {
			p.expect(",", " or \""+end+"\"")
		}
		o.elems = append(o.elems, p.operand())
	}
	return o
}

func (p *parser) nameOperand() operand {
	t := p.next()
	o := operand{kind: opName, pos: t.pos, name: t.text}
	if t.text == "_" {
		return operand{kind: opSink, pos: t.pos}
	}
	if p.tok.kind == tokDot {
		o.member = p.next().text
	}
	switch {
	case p.is("+") || p.is("-"):
		o.offset = p.offset()
	case p.is("["):
		p.next()
		o.offset, o.indexed = p.intConst("an index"), true
		p.expect("]", " behind the index")
	}
	return o
}

// address reads [a], [a+b], [constant] or [texture, {coordinates}].
func (p *parser) address() operand {
	o := operand{kind: opAddress, pos: p.next().pos}
	o.elems = append(o.elems, p.operand())
	for p.accept(",") {
		o.elems = append(o.elems, p.operand())
	}
	p.expect("]", " behind the address")
	return o
}
