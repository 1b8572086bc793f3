package ptx

import (
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// scope is one instance of a block: inlining a function twice makes two.
type scope struct {
	parent *scope
	names  map[string]*symbol
	ranges []*variable // .reg name<count>
	block  *block
	labels map[string]*label
}

// label is a branch target: the index of the node that it stands before.
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
		for _, r := range s.ranges {
			if sym := r.member(name); sym != nil {
				s.names[name] = sym
				return sym
			}
		}
	}
	return e.m.syms[name]
}

// member is a register of a range such as %r<10>, nil if name is not one.
func (v *variable) member(name string) *symbol {
	digits, ok := strings.CutPrefix(name, v.name)
	if !ok || digits == "" || len(digits) > 1 && digits[0] == '0' {
		return nil
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || int64(n) >= int64(v.count-1) {
		return nil
	}
	return &symbol{kind: symReg, typ: v.typ, vec: v.vec, reg: -1}
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

// register gives a symbol its registers on first use: one, an even-aligned
// pair for 64 bits, or a predicate. Only registers that are used are numbered.
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
	return ir.Pred(e.k.NumPreds - 1)
}

func (e *emitter) newReg(words int) ir.Reg {
	r := alignUp(e.k.NumRegs, words)
	e.k.NumRegs = r + words
	return ir.Reg(r)
}

// temp is a fresh register for a value of the given size in bytes.
func (e *emitter) temp(size int) ir.Operand {
	words := max(1, (size+3)/4)
	return ir.R(e.newReg(words), words)
}

// declare enters the variables of a declaration in a scope.
func (e *emitter) declare(s *scope, vars []*variable) {
	for _, v := range vars {
		if v.count > 0 {
			s.ranges = append(s.ranges, v)
			continue
		}
		if s.names[v.name] != nil {
			e.errs.add(v.pos, "found a second declaration of %s in this scope", v.name)
			continue
		}
		sym := &symbol{kind: symVar, typ: v.typ, vec: v.vec, reg: -1, v: v}
		switch v.space {
		case ir.SpaceNone:
			sym.kind = symReg
		case ir.Param:
			sym.slot = e.newSlot(v)
		case ir.Local:
			sym.local = int64(e.reserveLocal(v))
		}
		s.names[v.name] = sym
	}
}

func (e *emitter) reserveLocal(v *variable) int {
	off := alignUp(e.local, max(v.align, 1))
	e.local = off + v.size
	e.fitsLocal(v, e.local)
	e.k.LocalBytes = max(e.k.LocalBytes, e.local)
	return off
}

// fitsLocal refuses a variable that ends beyond what a thread can have of local
// memory.
func (e *emitter) fitsLocal(v *variable, end int) {
	if end > ir.MaxLocalBytes {
		e.errs.add(v.pos, "found %s end at byte %d of the local memory of a thread, expected at most %d", v.name, end, ir.MaxLocalBytes)
	}
}
