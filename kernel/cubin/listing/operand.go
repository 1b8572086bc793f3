package listing

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the kind of an operand.
type Kind uint8

// Kinds of operands.
const (
	None        Kind = iota
	Reg              // R0, RZ: N
	UReg             // UR4, URZ: N
	Pred             // P0, PT: N
	UPred            // UP0, UPT: N
	Barrier          // B0: N
	Int              // 0x10: Value
	Float            // 1.5, +INF: Text
	Bank             // c[0x3][R4+0x10]: Bank, Base, Value
	Memory           // [R2.64+UR4+0x10]: Base, Index, Value
	Label            // `(.L_x_1): Text
	Word             // SR_TID.X, 2D, PR, SB0, {0}: Text
	AddressWord      // 32@lo((a + 8)): Text, Value, N: 0 for the lower word, 1 for the upper one
)

// Zero is the number of RZ and URZ, and True that of PT and UPT.
const (
	Zero = 255
	True = 7
)

// Operand is one operand of an instruction.
type Operand struct {
	Kind  Kind
	N     int
	Neg   bool // -
	Not   bool // ! of a predicate, ~ of an integer
	Abs   bool // between bars
	Reuse bool
	// Suffix follows a register, without the dot: 64, U32, X4, H0_H0, B1.
	Suffix string
	Value  int64
	Text   string
	Bank   int
	Base   Part
	Index  Part
}

// Part is a register in an address.
type Part struct {
	Kind   Kind // Reg, UReg or None
	N      int
	Suffix string
}

// operands splits the text between mnemonic and semicolon.
func operands(s string) ([]Operand, error) {
	var out []Operand
	for s = strings.TrimSpace(s); s != ""; {
		depth, end := 0, len(s)
		for i, c := range s {
			switch {
			case c == '[' || c == '(' || c == '{':
				depth++
			case c == ']' || c == ')' || c == '}':
				depth--
			case c == ',' && depth == 0 || c == ' ' && depth == 0 && strings.HasPrefix(s[i:], " `("):
				// RET has no comma in front of its function.
				end = i
			}
			if end < len(s) {
				break
			}
		}
		o, err := operand(strings.TrimSpace(s[:end]))
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		if end == len(s) {
			break
		}
		s = strings.TrimSpace(strings.TrimPrefix(s[end:], ","))
		if s == "" {
			return nil, fmt.Errorf("a comma without an operand behind it")
		}
	}
	return out, nil
}

func operand(s string) (o Operand, err error) {
	text := s
	for {
		switch {
		case strings.HasPrefix(s, "-") && !numeric(s):
			o.Neg = true
		case strings.HasPrefix(s, "!"), strings.HasPrefix(s, "~"):
			o.Not = true
		default:
			return o, o.bare(s, text)
		}
		s = s[1:]
	}
}

// numeric reports whether a minus sign belongs to a number.
func numeric(s string) bool {
	s = s[1:]
	return s != "" && (s[0] >= '0' && s[0] <= '9') || s == "INF" || s == "QNAN" || s == "SNAN"
}

// bare reads an operand without its signs.
func (o *Operand) bare(s, text string) error {
	if s, o.Reuse = strings.CutSuffix(s, ".reuse"); !o.Reuse {
		before, behind, ok := strings.Cut(s, ".reuse.") // as R0.reuse.H0_H0
		if o.Reuse = ok; ok {
			s = before + "." + behind
		}
	}
	if strings.HasPrefix(s, "|") {
		inner, rest, ok := strings.Cut(s[1:], "|")
		if !ok || rest != "" {
			return fmt.Errorf("operand %q: expected a register between bars", text)
		}
		o.Abs, s = true, inner
	}
	switch {
	case s == "":
		return fmt.Errorf("operand %q: expected a register, a number, an address or a label", text)
	case strings.HasPrefix(s, "`("):
		name, ok := strings.CutSuffix(s[2:], ")")
		if !ok || name == "" {
			return fmt.Errorf("operand %q: expected a label in `()", text)
		}
		o.Kind, o.Text = Label, name
		return nil
	case strings.HasPrefix(s, "c["):
		return o.bank(s, text)
	case strings.HasPrefix(s, "["):
		inner, ok := strings.CutSuffix(s[1:], "]")
		if !ok {
			return fmt.Errorf("operand %q: expected ] at its end", text)
		}
		o.Kind = Memory
		return o.address(inner, text)
	}
	return o.value(s, text)
}

// value reads a register, a number or a word.
func (o *Operand) value(s, text string) error {
	if p := register(s); p.Kind != None {
		o.Kind, o.N, o.Suffix = p.Kind, p.N, p.Suffix
		return nil
	}
	if v, ok := integer(s); ok {
		o.Kind, o.Value = Int, v
		return nil
	}
	if number, ok := strings.CutSuffix(s, ".NEG"); ok && isFloat(strings.TrimSpace(number)) { // as 3.NEG and -INF .NEG
		o.Kind, o.Text, o.Neg = Float, strings.TrimSpace(number), !o.Neg
		return nil
	}
	if isFloat(s) {
		o.Kind, o.Text = Float, s
		return nil
	}
	if strings.HasPrefix(s, "32@") {
		return o.symbol(s[len("32@"):], text)
	}
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		o.Kind, o.Text = Word, s
		return nil
	}
	if strings.ContainsAny(s, "[]()`|{}; ") {
		return fmt.Errorf("operand %q: expected a register, a number, an address or a label", text)
	}
	o.Kind, o.Text = Word, s
	return nil
}

// symbol reads lo(a) or hi((a + 8)).
func (o *Operand) symbol(s, text string) error {
	half, rest, ok := strings.Cut(s, "(")
	inner, ok2 := strings.CutSuffix(rest, ")")
	inner = strings.Trim(inner, "()")
	name, more, sum := strings.Cut(inner, " + ")
	o.Kind, o.Text = AddressWord, name
	if half == "hi" {
		o.N = 1
	}
	var err error
	if sum {
		o.Value, err = strconv.ParseInt(more, 0, 32)
	}
	if !ok || !ok2 || err != nil || half != "lo" && half != "hi" || name == "" || strings.ContainsAny(name, " ()") {
		return fmt.Errorf("operand %q: expected a word of an address, as 32@lo(a)", text)
	}
	return nil
}

// bank reads c[0x3][R4+0x10].
func (o *Operand) bank(s, text string) error {
	number, rest, ok := strings.Cut(s[2:], "]")
	rest = strings.TrimPrefix(strings.TrimSpace(rest), "[")
	inner, suffix, ok2 := strings.Cut(rest, "]")
	o.Suffix = strings.TrimPrefix(suffix, ".")
	ok = ok && !strings.ContainsAny(suffix, "[] ")
	v, ok3 := integer(number)
	if !ok || !ok2 || !ok3 || v < 0 || v > 17 {
		return fmt.Errorf("operand %q: expected a constant, as c[0x0][0x160]", text)
	}
	o.Kind, o.Bank = Bank, int(v)
	return o.address(inner, text)
}

// address reads the sum in brackets.
func (o *Operand) address(s, text string) error {
	for i, part := range strings.Split(s, "+") {
		if v, ok := integer(part); ok && (i > 0 || !strings.Contains(s, "+")) {
			o.Value = v
			continue
		}
		p := register(part)
		switch {
		case p.Kind == Reg && o.Base.Kind == None:
			o.Base = p
		case p.Kind == UReg && o.Index.Kind == None:
			o.Index = p
		default:
			return fmt.Errorf("operand %q: expected a register, a uniform register and a number in brackets", text)
		}
	}
	return nil
}

// register reads a register of any file; Kind is None for anything else.
func register(s string) (p Part) {
	name, suffix, _ := strings.Cut(s, ".")
	for _, f := range []struct {
		prefix, last string
		kind         Kind
		most, fixed  int
	}{{"UR", "URZ", UReg, 62, Zero}, {"UP", "UPT", UPred, 6, True}, {"R", "RZ", Reg, 254, Zero},
		{"P", "PT", Pred, 6, True}, {"B", "", Barrier, 15, 0}} {
		if name == f.last && f.last != "" {
			return Part{f.kind, f.fixed, suffix}
		}
		digits, ok := strings.CutPrefix(name, f.prefix)
		if !ok || digits == "" || len(digits) > 3 || digits[0] == '0' && len(digits) > 1 {
			continue
		}
		if n, err := strconv.ParseUint(digits, 10, 16); err == nil && int(n) <= f.most {
			return Part{f.kind, int(n), suffix}
		}
	}
	return Part{}
}

// integer reads a hexadecimal number.
func integer(s string) (int64, bool) {
	digits, neg := strings.CutPrefix(s, "-")
	digits, hex := strings.CutPrefix(digits, "0x")
	if !hex {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, 16, 63)
	if err != nil {
		return 0, false
	}
	if neg {
		return -int64(v), true
	}
	return int64(v), true
}

// isFloat reports whether s is a number of floating point: a decimal number, an infinity or a NaN. Integers are printed
// in hexadecimal. A number with letters behind it, such as 1D and 2D, is a word.
func isFloat(s string) bool {
	switch strings.TrimLeft(s, "+-") {
	case "INF", "QNAN", "SNAN":
		return true
	}
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
