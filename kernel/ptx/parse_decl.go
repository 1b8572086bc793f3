package ptx

import (
	"kumiko/kernel/ir"
)

// typeNames are the types of declarations and instructions.
var typeNames = map[string]ir.Type{}

func init() {
	for t := ir.U8; t <= ir.PredType; t++ {
		typeNames[t.String()] = t
	}
}

// maxBytes bounds the size of a variable; a larger size is a mistake.
const maxBytes = 1 << 31

// maxRange bounds the registers of name<count>.
const maxRange = 1 << 20

// variables reads one or several comma-separated variables of a state space,
// the space's directive included, to the semicolon.
func (p *parser) variables(space ir.Space) []*variable {
	p.next()
	proto := variable{space: space, vec: 1}
	p.attributes(&proto)
	var list []*variable
	for {
		v := proto
		p.declarator(&v)
		list = append(list, &v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", " behind the declaration of "+list[len(list)-1].name)
	return list
}

// oneVariable reads a formal parameter behind its space's directive.
func (p *parser) oneVariable(space ir.Space) *variable {
	v := &variable{space: space, vec: 1}
	p.attributes(v)
	p.declarator(v)
	return v
}

// attributes reads the attributes between the space and the name.
func (p *parser) attributes(v *variable) {
	typed, pointer := false, false
	for p.tok.kind == tokDot {
		t := p.next()
		switch t.text {
		case "align":
			at := p.tok.pos
			n := p.intConst("an alignment")
			if n < 1 || n > 1<<16 || n&(n-1) != 0 {
				p.errs.add(at, "found the alignment %d, expected a power of two", n)
				n = 1
			}
			if pointer {
				v.pointee = int(n)
			} else {
				v.align = int(n)
			}
		case "v2":
			v.vec = 2
		case "v4":
			v.vec = 4
		case "ptr":
			pointer = true // the next alignment is the pointee's
		case "global", "const", "local", "shared", "param": // of the pointee
		case "texref", "samplerref", "surfref":
			v.typ, v.ref, typed = ir.U64, true, true
			v.tex, v.opaque = t.text != "samplerref", t.text
		case "weak", "common":
			v.linkage = linkages[t.text]
		case "managed":
		case "attribute":
			p.parens()
		default:
			typ, ok := typeNames[t.text]
			if !ok {
				p.errs.add(t.pos, "found %s, expected a type", t.describe())
				panic(bail{})
			}
			if typ == ir.PredType && v.space != ir.SpaceNone {
				p.errs.add(t.pos, "found \".pred\", expected a type that memory can hold")
			}
			if v.typ != ir.TypeNone {
				p.errs.add(t.pos, "found a second type, expected a name")
			}
			v.typ, typed = typ, true
		}
	}
	if !typed {
		p.fail("a type")
	}
}

func (p *parser) parens() {
	p.expect("(", "")
	for depth := 1; depth > 0; {
		switch t := p.next(); {
		case t.kind == tokEOF:
			p.fail("\")\"")
		case t.kind == tokPunct && t.text == "(":
			depth++
		case t.kind == tokPunct && t.text == ")":
			depth--
		}
	}
}

// declarator reads a name with its dimensions and initialiser.
func (p *parser) declarator(v *variable) {
	t := p.ident("a name")
	v.name, v.pos = t.text, t.pos
	if predefined(v.name) {
		p.errs.add(t.pos, "found a declaration of %s, expected a name that is not a special register's", t.text)
	}
	if v.space == ir.SpaceNone && p.accept("<") {
		at := p.tok.pos
		n := p.countConst("a number of registers")
		if n < 0 || n > maxRange {
			p.errs.add(at, "found %d registers, expected fewer than a million", n)
			n = 0
		}
		v.count = int(n) + 1 // %r<0> declares nothing, but is a range
		p.expect(">", " behind the number of registers")
	}
	for p.accept("[") {
		if v.array && v.open && len(v.dims) == 0 {
			v.dims = append(v.dims, 0)
		}
		v.array = true
		if p.accept("]") {
			if len(v.dims) > 0 {
				p.errs.add(v.pos, "found an empty dimension of %s, expected it first only", v.name)
			}
			v.open = true
			v.dims = append(v.dims, 0)
			continue
		}
		at := p.tok.pos
		n := p.intConst("a dimension")
		if n < 0 || n > maxBytes {
			p.errs.add(at, "found the dimension %d, expected a positive number", n)
			n = 0
		}
		v.dims = append(v.dims, int(n))
		p.expect("]", " behind the dimension")
	}
	if p.is("=") {
		at := p.next()
		if v.space != ir.Global && v.space != ir.Const {
			p.errs.add(at.pos, "found an initialiser of %s, expected one of global and constant variables only", v.name)
		}
		if v.opaque == "samplerref" {
			p.sampler(v)
		} else {
			init := p.initialiser()
			v.init = &init
		}
	}
	p.measure(v)
}

// measure works out the size and the alignment of a variable.
func (p *parser) measure(v *variable) {
	elem := v.typ.Size() * v.vec
	if v.open && v.init != nil && v.init.list != nil {
		v.dims[0] = len(v.init.list)
	}
	n := elem
	for _, d := range v.dims {
		if n *= d; n > maxBytes || n < 0 {
			p.errs.add(v.pos, "found %s with more than 2 GiB, expected less", v.name)
			n = 0
			break
		}
	}
	v.size = n
	if v.align == 0 {
		v.align = max(elem, 1)
	}
}

func (p *parser) initialiser() initial {
	defer p.enter()()
	in := initial{pos: p.tok.pos}
	if p.accept("{") {
		in.list = []initial{}
		for !p.accept("}") {
			if len(in.list) > 0 {
				p.expect(",", " or \"}\" in the initialiser")
				if p.accept("}") {
					break
				}
			}
			in.list = append(in.list, p.initialiser())
		}
		return in
	}
	in.leaf = true
	if p.tok.kind == tokIdent && p.tok.text != "WARP_SZ" {
		p.symbolic(&in)
		return in
	}
	in.value = p.expr()
	if in.value.kind == tokInt && p.accept("(") { // 0xFF00(symbol): one byte of an address
		in.mask = in.value.bits
		p.symbolic(&in)
		p.expect(")", " behind the symbol")
	}
	return in
}

// symbolic reads symbol, generic(symbol), either with an offset.
func (p *parser) symbolic(in *initial) {
	t := p.ident("a symbol")
	in.sym = t.text
	if t.text == "generic" && p.accept("(") {
		in.sym, in.generic = p.ident("a variable").text, true
		p.expect(")", " behind the variable")
	}
	in.value = integer(uint64(p.offset()), false)
}
