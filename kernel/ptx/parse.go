package ptx

import (
	"kumiko/kernel/ir"
)

// parser reads tokens by recursive descent. A syntax error unwinds to the end of its statement or directive, and
// reading continues there.
type parser struct {
	scan   scanner
	tok    token
	errs   *errors
	m      *module
	fn     *function
	nested int // depth of expressions and blocks, bounded against the stack
	// skipped counts the operands around the current place that are not evaluated.
	skipped int
	system  bool // the text is one of this package's own
}

// bail unwinds to the next place where reading can continue.
type bail struct{}

const maxNesting = 200

func (p *parser) next() token {
	t := p.tok
	p.tok = p.scan.next()
	return t
}

// fail reports the current token and unwinds.
func (p *parser) fail(expected string) {
	add := p.errs.add
	if p.tok.kind == tokEOF {
		add = p.errs.last
	}
	add(p.tok.pos, "found %s, expected %s", p.tok.describe(), expected)
	panic(bail{})
}

func (p *parser) is(text string) bool  { return p.tok.kind == tokPunct && p.tok.text == text }
func (p *parser) dot(text string) bool { return p.tok.kind == tokDot && p.tok.text == text }

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptDot(text string) bool {
	if p.dot(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.fail("\"" + text + "\"" + where)
	}
}

func (p *parser) ident(what string) token {
	if p.tok.kind != tokIdent {
		p.fail(what)
	}
	return p.next()
}

func (p *parser) enter() func() {
	if p.nested++; p.nested > maxNesting {
		p.errs.last(p.tok.pos, "found %s nested too deep, expected fewer braces or operators in each other",
			p.tok.describe())
		p.scan.off, p.tok = len(p.scan.src), token{pos: p.tok.pos}
		panic(bail{})
	}
	return func() { p.nested-- }
}

// guarded runs f. If f fails, reading continues behind the next semicolon or block of the same nesting.
func (p *parser) guarded(f func()) {
	depth, skipped := p.nested, p.skipped
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bail); !ok {
				panic(r)
			}
			p.nested, p.skipped = depth, skipped
			p.resync()
		}
	}()
	f()
}

// resync skips to behind the next ";", or to a "}" or a label's end.
func (p *parser) resync() {
	for depth := 0; p.tok.kind != tokEOF; p.next() {
		switch {
		case p.is("{"):
			depth++
		case p.is("}"):
			if depth == 0 {
				return
			}
			depth--
		case p.is(";") && depth == 0:
			p.next()
			return
		}
	}
}

// parseModule reads a translation unit.
func parseModule(file string, src []byte, errs *errors) *module {
	m := &module{file: file, addrSize: 4, syms: map[string]*symbol{}, recursive: map[*function]bool{},
		aliasLinkage: map[string]linkage{}}
	m.peers = []*module{m}
	p := &parser{scan: scanner{src: string(src), line: 1, errs: errs}, errs: errs, m: m}
	p.next()
	for p.tok.kind != tokEOF {
		before := p.tok.pos
		p.guarded(p.directive)
		if p.tok.pos == before && p.tok.kind != tokEOF {
			p.next() // a stray token: reported already
		}
	}
	p.heap()
	p.m.resolveAliases(errs)
	if p.m.version == "" && len(errs.list) == 0 {
		errs.add(pos{1, 1}, "found no .version directive, expected it first")
	}
	return p.m
}

// directive reads one item of module scope.
func (p *parser) directive() {
	if p.tok.kind != tokDot {
		if p.accept(";") {
			return
		}
		p.fail("a directive")
	}
	switch p.tok.text {
	case "version":
		p.version()
	case "target":
		p.target()
	case "address_size":
		p.next()
		if n := p.intConst("32 or 64"); n == 32 || n == 64 {
			p.m.addrSize = int(n / 8)
		} else {
			p.errs.add(p.tok.pos, "found the address size %d, expected 32 or 64", n)
		}
	case "file", "loc", "pragma", "section":
		p.skipDirective()
	case "alias":
		p.alias()
	default:
		p.linked()
	}
}

// alias reads ".alias name, function;".
func (p *parser) alias() {
	p.next()
	a := p.ident("the name of an alias")
	p.expect(",", " behind the alias")
	f := p.ident("a function")
	p.expect(";", " behind the function")
	p.m.aliases = append(p.m.aliases, [2]token{a, f})
}

// resolveAliases binds each alias to its function.
func (m *module) resolveAliases(errs *errors) {
	for _, a := range m.aliases {
		s := m.syms[a[1].text]
		if s == nil || s.kind != symFunc {
			errs.add(a[1].pos, "found %s, expected a function that %s is an alias of", a[1].text, a[0].text)
			continue
		}
		if old := m.syms[a[0].text]; old != nil && old.kind == symFunc {
			m.aliasLinkage[a[0].text] = old.fn.linkage
		}
		m.syms[a[0].text] = s
	}
}

// skipDirective skips a directive without a meaning for execution.
func (p *parser) skipDirective() {
	t := p.next()
	switch t.text {
	case "section":
		for !p.is("{") && p.tok.kind != tokEOF {
			p.next()
		}
		for !p.is("}") && p.tok.kind != tokEOF {
			p.next()
		}
		p.expect("}", " to close the section")
	case "pragma":
		for !p.is(";") {
			if p.tok.kind == tokEOF || p.is("}") {
				p.fail("\";\" behind ." + t.text)
			}
			p.next()
		}
		p.next()
	default: // .file and .loc end with the line
		for p.tok.kind != tokEOF && p.tok.pos.line == t.pos.line {
			p.next()
		}
	}
}

// linked reads a function or a variable with its linking directives.
func (p *parser) linked() {
	start := p.tok
	extern, as := false, private
	for p.tok.kind == tokDot {
		switch p.tok.text {
		case "extern":
			extern = true
		case "noreturn":
		default:
			l, ok := linkages[p.tok.text]
			if !ok {
				goto item
			}
			as = max(as, l)
		}
		p.next()
	}
item:
	switch {
	case p.dot("entry"), p.dot("func"):
		p.function(extern, as)
	case p.dot("reg"): // before PTX 3.0
		p.m.regs = append(p.m.regs, p.variables(ir.SpaceNone)...)
	case p.tok.kind == tokDot && moduleSpaces[p.tok.text] != ir.SpaceNone:
		p.moduleVars(extern, as)
	default:
		if p.tok.pos != start.pos {
			p.fail(".entry, .func or a variable")
		}
		p.fail("a directive of module scope")
	}
}

var moduleSpaces = map[string]ir.Space{"global": ir.Global, "const": ir.Const, "shared": ir.Shared,
	"local": ir.Local, "tex": ir.Texture}

func (p *parser) moduleVars(extern bool, as linkage) {
	for _, v := range p.variables(moduleSpaces[p.tok.text]) {
		v.extern, v.linkage = extern, max(as, v.linkage)
		if old := p.m.syms[v.name]; old != nil {
			p.redeclared(old, v)
			continue
		}
		p.m.vars = append(p.m.vars, v)
		p.m.syms[v.name] = &symbol{kind: symVar, typ: v.typ, vec: v.vec, v: v}
	}
}

// redeclared accepts a second declaration if one of the two is extern.
func (p *parser) redeclared(old *symbol, v *variable) {
	switch {
	case old.kind != symVar:
		p.errs.add(v.pos, "found a second declaration of %s, which is a function", v.name)
	case v.extern:
	case old.v.extern:
		*old.v = *v
	default:
		p.errs.add(v.pos, "found a second declaration of %s, the first is in line %d", v.name, old.v.pos.line)
	}
}
