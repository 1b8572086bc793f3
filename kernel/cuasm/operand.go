package cuasm

import (
	"strings"

	"kumiko/kernel/ir"
	"kumiko/kernel/sass/opcode"
)

// operand is an operand as written.
type operand struct {
	kind operandKind
	reg  opcode.Reg   // of a register or a predicate
	regs []opcode.Reg // registers within the brackets of an address or of a constant
	neg  bool         // written with !
	sign string       // signs before it, such as - or !
	name string       // with its suffixes; empty if it has no name
	// words are the names of the operand, including those within its brackets.
	words []word
	// reuse: the operand has the suffix .reuse.
	reuse bool
	at    int    // where it begins in its line
	text  string // as it is written
}

// word is a name in an operand, with its suffixes.
type word struct {
	name string
	at   int // where it begins in its line
}

type operandKind uint8

const (
	isRegister operandKind = iota
	isPredicate
	isAddress  // [R2+0x10]
	isConstant // c[0x0][0x160]
	isOther    // an immediate, a label, a special register, a dimension
)

// named is a register by its name.
type named struct{ opcode.Reg }

// register looks a name up, ignoring its suffixes.
func register(name string) (named, bool) {
	base, _, _ := strings.Cut(name, ".")
	x, ok := opcode.ParseReg([]byte(base))
	if ok && x.Kind == opcode.Zero && strings.HasSuffix(base, "PT") {
		return named{x}, true
	}
	return named{x}, ok
}

func (n named) isPredicate() bool {
	return n.Kind == opcode.Predicate || n.Kind == opcode.UniformPredicate || n.Kind == opcode.Zero
}

// guard returns the predicate as an operand, none for PT.
func (n named) guard() ir.Operand {
	switch n.Kind {
	case opcode.Predicate:
		return ir.P(ir.Pred(n.N))
	case opcode.UniformPredicate:
		return ir.P(ir.UniformPreds + ir.Pred(n.N))
	}
	return ir.Operand{}
}

// operands reads a statement's operands up to its semicolon or brace.
func (r *reader) operands(x *statement) error {
	if r.ended() {
		x.end = r.at
		return r.end()
	}
	for {
		r.space()
		from := r.at
		o, err := r.operand()
		if err != nil {
			return err
		}
		o.at, o.text = from, strings.TrimSpace(r.text[from:r.at])
		if x.operands = append(x.operands, o); len(x.operands) > mostOperands {
			return r.badHere("the end of the instruction, which has 16 operands")
		}
		if r.ended() {
			x.end = r.at
			return r.end()
		}
		// BRX and RET have their target behind a register without a comma.
		if !r.accept(',') && !jumps[x.base()] {
			return r.badHere(", or ;")
		}
	}
}

const mostOperands = 16

// ended reports whether the instruction ends here.
func (r *reader) ended() bool {
	r.space()
	return r.at < len(r.text) && (r.text[r.at] == ';' || r.text[r.at] == '}')
}

// end steps over the end of an instruction. Nothing may follow it.
func (r *reader) end() error {
	for r.accept(';') || r.accept('}') {
	}
	if r.space(); r.at < len(r.text) {
		return r.badHere("the end of the line")
	}
	return nil
}

// signs are the possible bytes before an operand.
const signs = "-!~|+"

// operand reads one operand.
func (r *reader) operand() (operand, error) {
	r.space()
	from := r.at
	o := operand{kind: isOther}
	for r.at < len(r.text) && strings.IndexByte(signs, r.text[r.at]) >= 0 {
		if strings.IndexByte(r.text[from:r.at], r.text[r.at]) >= 0 {
			return o, r.badByte("an operand, which has each of - ! ~ | + once at most before it")
		}
		r.at++
	}
	o.sign = r.text[from:r.at]
	o.neg = strings.Contains(o.sign, "!")
	if r.at >= len(r.text) {
		return o, r.bad(r.at, "the end of the line", "an operand")
	}
	switch c := r.text[r.at]; {
	case c == '[':
		o.kind = isAddress
		return o, r.brackets(&o)
	case c == '`':
		return o, r.parentheses()
	case c == '{':
		return o, r.until('}')
	}
	name := r.name()
	o.name = name
	switch {
	case name == "" && r.at < len(r.text) && r.text[r.at] == '$':
		r.at++
		r.name()
	case name == "":
		r.at = from
		return o, r.badHere("an operand")
	case r.accept('['):
		r.at--
		o.kind = isConstant
		if name == "desc" {
			o.kind = isAddress
		}
		return o, r.brackets(&o)
	case name[0] >= '0' && name[0] <= '9':
		return o, r.number1()
	default:
		o.words = append(o.words, word{name, r.at - len(name)})
		r.word(&o, name)
	}
	if strings.HasPrefix(r.text[r.at:], "|") {
		r.at++
	}
	// a suffix behind the bars: |R1|.reuse
	if r.at < len(r.text) && r.text[r.at] == '.' {
		o.reuse = o.reuse || strings.Contains(r.name(), ".reuse")
	}
	return o, nil
}

// word makes an operand of a name.
func (r *reader) word(o *operand, name string) {
	x, ok := register(name)
	if !ok {
		return // SR_TID.X, SB0, INF
	}
	o.reg, o.kind = x.Reg, isRegister
	base, suffixes, _ := strings.Cut(name, ".")
	o.reuse = strings.Contains("."+suffixes+".", ".reuse.")
	if strings.TrimPrefix(base, "U")[0] == 'P' {
		o.kind = isPredicate
	}
}

// number1 steps over the possible rest of a number: an exponent's sign, or a relocation such as 32@lo(name).
func (r *reader) number1() error {
	if r.at < len(r.text) && (r.text[r.at] == '-' || r.text[r.at] == '+') && strings.HasSuffix(r.text[:r.at], "e") {
		r.at++
		r.name()
	}
	if r.at < len(r.text) && r.text[r.at] == '@' {
		return r.parentheses()
	}
	return nil
}

// parentheses steps over everything up to the end of the outermost pair. The pair is required.
func (r *reader) parentheses() error {
	for depth := 0; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '(':
			depth++
		case ')':
			if depth--; depth <= 0 {
				r.at++
				return nil
			}
		}
	}
	return r.bad(r.at, "the end of the line", "\")\"")
}

// until steps over everything up to a required byte.
func (r *reader) until(c byte) error {
	n := strings.IndexByte(r.text[r.at:], c)
	if n < 0 {
		return r.bad(len(r.text), "the end of the line", "\""+string(rune(c))+"\"")
	}
	r.at += n + 1
	return nil
}

// brackets reads one or more pairs of brackets, and the registers in them.
func (r *reader) brackets(o *operand) error {
	for r.accept('[') {
		from := r.at
		if err := r.until(']'); err != nil {
			return err
		}
		if strings.TrimSpace(r.text[from:r.at-1]) == "" {
			return r.bad(from, "\"]\"", "an address or a number before it")
		}
		for at := from; at < r.at-1; {
			if !nameByte(r.text[at]) {
				at++
				continue
			}
			first := at
			for nameByte(r.text[at]) {
				at++
			}
			name := r.text[first:at]
			o.words = append(o.words, word{name, first})
			if x, ok := register(name); ok {
				o.regs = append(o.regs, x.Reg)
			}
		}
	}
	if r.at < len(r.text) && r.text[r.at] == '.' {
		o.reuse = strings.Contains(r.name()+".", ".reuse.") // c[0x0][0x4].H1
	}
	if r.at < len(r.text) && r.text[r.at] == '|' {
		r.at++
	}
	return nil
}
