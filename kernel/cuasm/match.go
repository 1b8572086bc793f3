package cuasm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kumiko/kernel/sass/opcode"
)

// numeral is a number with its possible suffixes.
var numeral = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?)(\.[A-Z0-9_]+)*\|?$`)

// isNumber reports whether an operand is a number, or a relocation to be replaced by one.
func (o *operand) isNumber() bool {
	if o.kind != isOther {
		return false
	}
	text := strings.TrimLeft(o.text, signs)
	return numeral.MatchString(text) || strings.HasPrefix(text, "INF") || strings.HasSuffix(text, "NAN") ||
		strings.Contains(text, "@")
}

// isSymbol reports whether an operand is a name, replaced by a register or a constant in maxas.
func (o *operand) isSymbol() bool {
	return o.kind == isOther && o.name != "" && o.name[0] >= 'a' && o.name[0] <= 'z'
}

// isPlace reports whether an operand is a place in the constant bank, by its address or by a name of maxas'.
func (o *operand) isPlace() bool {
	return o.kind == isConstant && o.name[0] >= 'a' && o.name[0] <= 'z'
}

// isUniform reports whether an operand is a uniform register.
func (o *operand) isUniform() bool { return o.kind == isRegister && o.name[0] == 'U' }

// fits reports whether an operand matches a kind of the grammar (forms).
func (o *operand) fits(kind byte) bool {
	if o.isSymbol() && kind != 'P' && kind != 'M' {
		return true
	}
	switch kind {
	case 'D':
		return o.kind == isRegister && !o.isUniform() && o.sign == "" && o.isResult()
	case 'U':
		return o.isUniform() && o.sign == "" && o.isResult()
	case 'R':
		return o.kind == isRegister
	case 'S':
		return o.kind == isRegister || o.isPlace() || o.isNumber() || strings.HasPrefix(o.text, "`")
	case 'P':
		return o.kind == isPredicate
	case 'M':
		return o.kind == isAddress
	case 'C':
		return o.isPlace()
	case 'N':
		return o.isNumber() || strings.HasPrefix(o.text, "`")
	case 'B':
		return o.isBelow(1 << 8)
	case 'H':
		return o.isBelow(1 << 5)
	case 'L':
		return o.kind == isOther || o.kind == isConstant
	case 'X':
		return o.kind == isOther && !o.isNumber()
	case 'K':
		return barrier.MatchString(o.text)
	case 'W':
		return o.kind == isRegister || barrier.MatchString(o.text) || o.text == "MACTIVE"
	case 'V':
		return slices.Contains(special, o.name)
	case 'T':
		return slices.Contains(dimensions, o.text)
	}
	return true
}

// barrier is a convergence barrier. B15 is the last one in the instructions collected by CuAssembler.
var barrier = regexp.MustCompile(`^B([0-9]|1[0-5])$`)

// isResult reports whether a register has only suffixes possible for a result. With .CC an instruction writes the
// carry too.
func (o *operand) isResult() bool {
	_, suffixes, _ := strings.Cut(o.name, ".")
	return suffixes == "" || suffixes == "CC"
}

// isBelow reports whether an operand is a number below a bound.
func (o *operand) isBelow(bound uint64) bool {
	n, err := strconv.ParseUint(o.text, 0, 64)
	return o.isNumber() && err == nil && n < bound
}

// kinds describes the operands of the grammar.
var kinds = map[byte]string{0: "nothing", 'D': "a register to write", 'U': "a uniform register to write",
	'R': "a register", 'S': "a register, a constant or a number", 'P': "a predicate", 'M': "an address, such as [R2]",
	'C': "a constant, such as c[0x0][0x160]", 'N': "a number", 'L': "a label", 'X': "a name, such as CC",
	'B': "a number from 0x0 to 0xff", 'H': "a number from 0x0 to 0x1f", 'K': "a convergence barrier, B0 to B15",
	'W': "a register, a convergence barrier (B0 to B15) or MACTIVE",
	'V': "a special register, such as SR_TID.X", 'T': "the dimensions of a texture, such as 2D",
	'?': "an operand"}

// A matcher compares operands with a form.
type matcher struct {
	operands []operand
	form     *form
	at       int    // the first operand without a match, as far as is known
	want     []byte // possible kinds of operand at; 0: none
}

// match reports whether the operands from i on match the form from slot j on.
func (m *matcher) match(i, j int) bool {
	if j == len(m.form.operands) {
		if i < len(m.operands) {
			m.miss(i, 0)
		}
		return i == len(m.operands)
	}
	s := m.form.operands[j]
	if i < len(m.operands) && m.operands[i].fits(s.kind) {
		if m.match(i+1, j+1) {
			return true
		}
	} else {
		m.miss(i, s.kind)
	}
	return s.absent && m.match(i, j+1)
}

// miss records that operand i is not of a kind.
func (m *matcher) miss(i int, kind byte) {
	if i > m.at {
		m.at, m.want = i, m.want[:0]
	}
	if i == m.at {
		m.want = append(m.want, kind)
	}
}

// wanted describes the possible operands at the first mismatch of an opcode.
func (m *matcher) wanted(opcode string) string {
	slices.Sort(m.want)
	want := slices.Compact(m.want)
	if slices.Equal(want, []byte{0}) {
		return fmt.Sprintf("the end of the instruction: %s has no operand %d", opcode, m.at+1)
	}
	var list []string
	for _, k := range want {
		list = append(list, kinds[k])
	}
	return fmt.Sprintf("%s as operand %d of %s", strings.Join(list, ", or "), m.at+1, opcode)
}

// outOfRange reports whether a name is a register outside every file: R256, P8, or a number for RZ or PT.
func outOfRange(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	rest := strings.TrimPrefix(base, "U")
	if len(rest) < 2 || rest[0] != 'R' && rest[0] != 'P' || strings.Trim(rest[1:], "0123456789") != "" {
		return false
	}
	x, ok := opcode.ParseReg([]byte(base))
	return !ok || x.Kind == opcode.Zero && base != "R255"
}
