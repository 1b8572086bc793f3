package ptx

import (
	"kumiko/kernel/ir"
)

// scope is one instance of a block: inlining a function twice makes two.
type scope struct {
	parent *scope
	names  map[string]*symbol
	ranges map[string]*variable // .reg name<count>, by name
	// lowest is, by stem, the declared name with the smallest number: x7 of x7 and x12, and x10 of a range x1<5>.
	lowest map[string]numberedName
	block  *block
	labels map[string]*label
}

// numberedName is a declared name with a number at its end.
type numberedName struct {
	n  int
	at pos
}

// label is a branch target: the index of the node behind it.
type label struct {
	at     int
	placed bool
}

// lookup finds a name from the innermost scope outwards; nil if undeclared.
func (e *emitter) lookup(s *scope, name string) *symbol {
	for ; s != nil; s = s.parent {
		if sym := s.names[name]; sym != nil {
			return sym
		}
		if r := s.rangeOf(name); r != nil {
			sym := &symbol{kind: symReg, typ: r.typ, vec: r.vec, reg: -1}
			s.names[name] = sym
			return sym
		}
	}
	return e.m.syms[name]
}

// numbered calls f with every split of a name into a stem and a number, in the notation of a register range:
// without leading zeros, and no higher than the end of any range.
func numbered(name string, f func(stem string, n int)) {
	n, unit := 0, 1
	for i := len(name) - 1; i > 0 && isDigit(name[i]) && unit < maxRange*10; i-- {
		digit := int(name[i] - '0')
		if n += digit * unit; digit != 0 || unit == 1 {
			f(name[:i], n)
		}
		unit *= 10
	}
}

// rangeOf returns the range of registers of a name, such as %r<10> for %r3; nil if there is none.
func (s *scope) rangeOf(name string) (found *variable) {
	if len(s.ranges) > 0 {
		numbered(name, func(stem string, n int) {
			if r := s.ranges[stem]; r != nil && n < r.count-1 {
				found = r
			}
		})
	}
	return found
}

// earlier finds a declaration in this scope of a name, or of one of the registers
// of a range.
func (s *scope) earlier(v *variable) (pos, bool) {
	first := v.name
	if v.count > 0 {
		if v.count == 1 { // no register at all
			return pos{}, false
		}
		if low, ok := s.lowest[v.name]; ok && low.n < v.count-1 {
			return low.at, true
		}
		first += "0"
	}
	if old := s.rangeOf(first); old != nil {
		return old.pos, true
	}
	if sym := s.names[first]; sym != nil && sym.v != nil {
		return sym.v.pos, true
	}
	return pos{}, false
}

// enter records the names of a declaration.
func (s *scope) enter(v *variable) {
	name := v.name
	if v.count > 0 {
		if s.ranges == nil {
			s.ranges = map[string]*variable{}
		}
		if old := s.ranges[name]; old == nil || old.count < v.count {
			s.ranges[name] = v
		}
		if name += "0"; v.count == 1 {
			return
		}
	}
	numbered(name, func(stem string, n int) {
		if low, ok := s.lowest[stem]; !ok || n < low.n {
			if s.lowest == nil {
				s.lowest = map[string]numberedName{}
			}
			s.lowest[stem] = numberedName{n, v.pos}
		}
	})
}

// target finds a label from the innermost scope outwards.
func (s *scope) target(name string) *label {
	for ; s != nil; s = s.parent {
		if s.block == nil {
			continue
		}
		if _, ok := s.block.labels[name]; ok {
			l := s.labels[name]
			if l == nil {
				l = &label{}
				s.labels[name] = l
			}
			return l
		}
	}
	return nil
}

// open makes a scope for an instance of a block.
func open(parent *scope, b *block) *scope {
	return &scope{parent: parent, block: b, names: map[string]*symbol{}, labels: map[string]*label{}}
}

// register allocates a symbol's registers on first use: one, an even-aligned pair for 64 bits, or a predicate. So
// only used registers are numbered.
func (e *emitter) register(sym *symbol) ir.Reg {
	if sym.reg >= 0 {
		return sym.reg
	}
	if sym.typ == ir.PredType {
		sym.reg = ir.Reg(e.newPred())
		return sym.reg
	}
	sym.reg = e.newReg(sym.typ.Words())
	for i := 1; i < sym.vec; i++ {
		e.newReg(sym.typ.Words())
	}
	return sym.reg
}

func (e *emitter) newPred() ir.Pred {
	e.k.NumPreds++
	p := ir.Pred(e.k.NumPreds - 1)
	if e.body != nil {
		e.body.values = append(e.body.values, ir.P(p))
	}
	return p
}

func (e *emitter) newReg(words int) ir.Reg {
	r := alignUp(e.k.NumRegs, words)
	e.k.NumRegs = r + words
	if e.body != nil {
		e.body.values = append(e.body.values, ir.R(ir.Reg(r), words))
	}
	return ir.Reg(r)
}

// temp returns a fresh register for a value of the given size in bytes.
func (e *emitter) temp(size int) ir.Operand {
	words := max(1, (size+3)/4)
	return ir.R(e.newReg(words), words)
}

// declare enters the variables of a declaration in a scope.
func (e *emitter) declare(s *scope, vars []*variable) {
	for _, v := range vars {
		if at, twice := s.earlier(v); twice {
			e.errs.add(v.pos, "found a second declaration of %s in this scope, the first is in line %d", v, at.line)
			continue
		}
		s.enter(v)
		if v.count > 0 {
			continue
		}
		if def := e.elsewhere(v); def != nil {
			s.names[v.name] = def
			continue
		}
		sym := &symbol{kind: symVar, typ: v.typ, vec: v.vec, reg: -1, v: v}
		switch v.space {
		case ir.SpaceNone:
			sym.kind = symReg
		case ir.Param:
			sym.slot = e.newSlot(v)
		case ir.Local:
			sym.local, sym.body = int64(e.reserveLocal(v)), e.body
		}
		s.names[v.name] = sym
	}
}

// elsewhere returns the definition of a variable that a function declares by .extern; nil: there is none.
func (e *emitter) elsewhere(v *variable) *symbol {
	if !v.extern || v.space != ir.Global && v.space != ir.Const {
		return nil
	}
	if s := e.m.syms[v.name]; s != nil && s.kind == symVar && s.defines() {
		return s
	}
	if s := e.m.known[v.name]; s != nil && s.kind == symVar {
		return s
	}
	return nil
}

func (e *emitter) reserveLocal(v *variable) int {
	off := alignUp(e.local, max(v.align, 1))
	e.local = off + v.size
	e.fitsLocal(v, e.local)
	if e.body != nil {
		e.body.local = max(e.body.local, e.local)
	} else {
		e.k.LocalBytes = max(e.k.LocalBytes, e.local)
	}
	return off
}

// fitsLocal refuses a variable beyond the end of the local memory of a thread.
func (e *emitter) fitsLocal(v *variable, end int) {
	if end > ir.MaxLocalBytes {
		e.errs.add(v.pos, "found %s end at byte %d of the local memory of a thread, expected at most %d", v.name, end,
			ir.MaxLocalBytes)
	}
}
