package ptx

import "kumiko/kernel/ir"

// function reads a .entry or .func from its directive on.
func (p *parser) function(extern bool, as linkage) {
	f := &function{home: p.m, kernel: p.next().text == "entry", extern: extern, linkage: as,
		system: p.system, refs: map[string]bool{}}
	if !f.kernel && p.is("(") {
		f.rets = p.params()
	}
	t := p.ident("the function's name")
	f.name, f.pos = t.text, t.pos
	if p.is("(") {
		f.params = p.params()
	}
	p.performance(f)
	p.declare(f)
	if p.accept(";") || p.tok.kind == tokDot || p.tok.kind == tokEOF {
		return // before PTX 3.0 a declaration may end without a semicolon
	}
	if !p.is("{") {
		p.fail("\"{\" or \";\" behind the head of " + f.name)
	}
	p.fn = f
	f.body = p.block()
	p.fn = nil
}

// declare adds a function to the module; a definition takes the place of an earlier declaration.
func (p *parser) declare(f *function) {
	old := p.m.syms[f.name]
	if old == nil {
		p.m.funcs = append(p.m.funcs, f)
		p.m.syms[f.name] = &symbol{kind: symFunc, fn: f}
		return
	}
	switch {
	case old.kind != symFunc:
		p.errs.add(f.pos, "found a second declaration of %s, which is a variable", f.name)
	case !p.is("{"):
		old.fn.linkage = max(old.fn.linkage, f.linkage)
	case old.fn.body != nil:
		p.errs.add(f.pos, "found a second definition of %s, the first is in line %d", f.name, old.fn.pos.line)
	default:
		for i, g := range p.m.funcs {
			if g == old.fn {
				p.m.funcs[i] = f
			}
		}
		f.linkage = max(f.linkage, old.fn.linkage)
		old.fn = f
	}
}

// performances are the directives between a function's head and its body.
var performances = map[string]bool{
	"maxntid": true, "reqntid": true, "maxnreg": true, "minnctapersm": true, "maxnctapersm": true,
	"maxclusterrank": true,
	"abi_preserve":   true, "abi_preserve_control": true, "reqnctapercluster": true, "noreturn": true,
	"explicitcluster":   true,
	"blocksareclusters": true, "unified": true, "pragma": true,
}

// performance reads the directives between a function's head and its body.
func (p *parser) performance(f *function) {
	for p.tok.kind == tokDot && performances[p.tok.text] {
		at := p.tok.pos
		switch p.next().text {
		case "maxntid":
			p.triple(&f.perf[perfMax])
		case "reqntid":
			p.triple(&f.perf[perfReq])
		case "maxnreg":
			f.maxRegs = p.positive("a number of registers")
		case "minnctapersm":
			f.minCTAs = p.positive("a number of CTAs")
		case "maxnctapersm", "abi_preserve", "abi_preserve_control":
			p.intConst("a number")
		case "maxclusterrank":
			f.maxCluster = p.positive("a number of CTAs")
		case "reqnctapercluster":
			p.triple(&f.perf[perfCluster])
		case "explicitcluster":
			f.clustered = true
		case "blocksareclusters":
			p.errs.add(at, "found .blocksareclusters, which is not supported: give the grid in CTAs, and the size of "+
				"a cluster by .reqnctapercluster")
		case "unified":
			for p.accept("("); !p.accept(")"); {
				if p.next().kind == tokEOF {
					p.fail("\")\" behind .unified")
				}
			}
		case "pragma":
			p.next()
			p.expect(";", " behind .pragma")
		}
	}
}

// positive reads a number from 1 to a million.
func (p *parser) positive(what string) int {
	at := p.tok.pos
	n := p.intConst(what)
	if n < 1 || n > 1<<20 {
		p.errs.add(at, "found %d, expected %s from 1 on", n, what)
		n = 1
	}
	return int(n)
}

func (p *parser) triple(v *[3]int) {
	*v = [3]int{1, 1, 1}
	for i := 0; i < 3; i++ {
		v[i] = p.positive("a number of threads")
		if i == 2 || !p.accept(",") {
			return
		}
	}
}

// params reads a parenthesised list of formal parameters.
func (p *parser) params() []*variable {
	p.expect("(", "")
	var list []*variable
	for !p.accept(")") {
		if len(list) > 0 {
			p.expect(",", " or \")\" between parameters")
		}
		switch {
		case p.dot("param"):
			p.next()
			list = append(list, p.oneVariable(ir.Param))
		case p.dot("reg"):
			p.next()
			list = append(list, p.oneVariable(ir.SpaceNone))
		default:
			p.fail("a parameter (.param or .reg)")
		}
	}
	return list
}

// prototype reads ": .callprototype (ret) _ (params)" behind its label.
func (p *parser) prototype() *function {
	f := &function{pos: p.next().pos}
	if p.is("(") {
		f.rets = p.params()
	}
	p.ident("\"_\" in the prototype")
	if p.is("(") {
		f.params = p.params()
	}
	for p.acceptDot("noreturn") {
	}
	for p.acceptDot("abi_preserve") || p.acceptDot("abi_preserve_control") {
		p.intConst("a number")
	}
	p.expect(";", " behind .callprototype")
	return f
}
