package cuasm

import (
	"strconv"
	"strings"

	"kumiko/kernel/ir"
	"kumiko/kernel/sass/opcode"
)

// statement is an instruction as written.
type statement struct {
	control  ir.Control
	guard    ir.Operand
	opcode   string
	operands []operand
	line     int
	col      int
	end      int // where its semicolon or brace stands
}

// validOpcode reports whether a name can be an opcode.
func validOpcode(name string) bool { return opcode.Valid(name) }

// withoutResult are the opcodes without a result register: all their operands are read.
var withoutResult = set("ST", "STG", "STS", "STL", "RED", "REDS", "BRA", "BRX", "BRXU", "EXIT", "RET", "CAL",
	"CALL", "JMP", "JMX", "JMXU", "BAR", "NOP", "DEPBAR", "LDGDEPBAR", "MEMBAR", "ERRBAR",
	"SSY", "SYNC", "BRK", "PBK", "BREAK", "BSSY",
	"BSYNC", "YIELD", "WARPSYNC", "CCTL", "CCTLL", "BPT", "KILL", "NANOSLEEP", "PRET", "SUST", "R2P", "LDGSTS")

// comparisons write their first two operands, both predicates.
var comparisons = set("ISETP", "FSETP", "DSETP", "HSETP2", "PSETP", "PLOP3", "CSETP", "FCHK", "UISETP",
	"UPLOP3", "UPSETP")

// carrying are the opcodes with a carry behind the result.
var carrying = set("IADD3", "IADD", "LEA", "IMAD", "UIADD3", "ULEA", "VOTE", "VOTEU", "SHFL")

// jumps are the opcodes whose target may follow a register without a comma.
var jumps = set("BRX", "BRXU", "JMX", "JMXU", "RET", "CALL")

// second are the opcodes with their only operand encoded in the field of the second, b.
var second = set("MOV", "IABS", "I2F", "F2I", "F2F", "I2I", "FRND", "POPC", "FLO", "BREV")

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// base returns the opcode without its suffixes.
func (x *statement) base() string {
	base, _, _ := strings.Cut(x.opcode, ".")
	return base
}

// results returns the number of result operands, the first of the operands.
func (x *statement) results() int {
	base := x.base()
	if withoutResult[base] || len(x.operands) == 0 {
		return 0
	}
	predicate := func(i int) bool {
		return i < len(x.operands) && x.operands[i].kind == isPredicate && !x.operands[i].neg
	}
	n := 0
	for n < 2 && predicate(n) {
		n++
	}
	if comparisons[base] {
		return n
	}
	if n < len(x.operands) && x.operands[n].kind == isRegister {
		n++
		for carrying[base] && predicate(n) {
			n++
		}
	}
	return n
}

// build returns the instruction. Operands other than registers keep their slots: register zero takes their place.
func (x *statement) build() ir.Inst {
	c := opcode.Parse(x.opcode)
	var dst, src, address []opcode.Reg
	consts, slot, reuse := 0, 0, uint8(0)
	if second[x.base()] {
		src, slot = append(src, opcode.Reg{Kind: opcode.Zero}), 1
	}
	n := x.results()
	for i := range x.operands {
		o := &x.operands[i]
		if i < n {
			dst = append(dst, o.reg)
			continue
		}
		switch o.kind {
		case isPredicate:
			if o.reg.Kind != opcode.Zero {
				src = append(src, o.reg)
			}
			continue
		case isRegister:
			src = append(src, o.reg)
		case isAddress:
			address = addressOf(o)
		case isConstant:
			consts++
			if x.base() == "LDC" {
				address = addressOf(o)
				break
			}
			src = append(src, append(o.regs, opcode.Reg{Kind: opcode.Constant, At: constantAt(o.text)})[0])
		case isOther:
			if !c.Addressed() {
				src = append(src, opcode.Reg{Kind: opcode.Zero})
			}
		}
		if o.reuse && slot < ir.OperandSlots {
			reuse |= 1 << slot
		}
		slot++
	}
	in := c.Build(dst, append(address, src...), c.Addressed() || address != nil, nil)
	in.T.Consts = max(in.T.Consts, uint8(consts))
	in.Guard = x.guard
	if in.Guard.Kind == ir.KindPred {
		in.T.SrcPreds |= 1 << in.Guard.Reg
	}
	in.Control = x.control
	in.Control.Reuse = reuse
	in.Line, in.Col = int32(x.line), int32(x.col)
	return in
}

// constantAt returns the place of an operand of the constant bank, such as c[0x0][0x160]: the bank in the
// upper half and the offset in the lower one.
func constantAt(text string) uint32 {
	at := uint32(0)
	for _, f := range strings.FieldsFunc(text, func(c rune) bool { return c == '[' || c == ']' }) {
		if n, err := strconv.ParseUint(f, 0, 16); err == nil {
			at = at<<16 | uint32(n)
		}
	}
	return at
}

// addressOf returns the registers of an address, register zero if there are none.
func addressOf(o *operand) []opcode.Reg {
	if len(o.regs) == 0 {
		return []opcode.Reg{{Kind: opcode.Zero}}
	}
	// A descriptor or a uniform base may stand beside the register of the lanes.
	for i, r := range o.regs {
		if r.Kind == opcode.General {
			return append([]opcode.Reg{r}, append(append([]opcode.Reg{}, o.regs[:i]...), o.regs[i+1:]...)...)
		}
	}
	return o.regs
}
