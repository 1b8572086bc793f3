package cuasm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"kumiko/internal/excerpt"
	"kumiko/internal/nearest"
	"kumiko/kernel/sass/opcode"
)

// check returns an error for an invalid instruction: by the grammar, by the numbers of registers, or by the
// alignment of operands of several registers.
func (r *reader) check(x *statement) error {
	c := opcode.Parse(x.opcode)
	f := grammar()[x.base()]
	if !c.Known && f == nil {
		return r.unknownOpcode(x)
	}
	for i := range x.operands {
		if err := r.checkOperand(&x.operands[i]); err != nil {
			return err
		}
		if err := r.checkNumber(x, &x.operands[i]); err != nil {
			return err
		}
	}
	if f != nil {
		if err := r.checkSuffixes(x, f); err != nil {
			return err
		}
		if err := r.checkForm(x, f); err != nil {
			return err
		}
	}
	return r.checkAlignment(x, &c)
}

// suggested returns the known name nearest to the found one, or "" if none is near. Near means within three edits
// for a found name of five letters or more, two edits for four letters, and one edit for fewer.
func suggested(found string, names []string) string {
	return nearest.Of(found, names, min(3, max(1, len(found)-2)))
}

// unknownOpcode returns an error with the probably intended opcode.
func (r *reader) unknownOpcode(x *statement) error {
	want := "an opcode of NVIDIA's GPUs, such as FFMA"
	names := slices.Concat(opcode.Names(), slices.Sorted(maps.Keys(grammar())))
	if n := suggested(x.base(), names); n != "" {
		want += "; did you mean " + n + "?"
	}
	return r.bad(x.col-1, excerpt.Quote(x.base()), want)
}

// checkSuffixes returns an error for a suffix unknown to the opcode.
func (r *reader) checkSuffixes(x *statement, f *form) error {
	at := x.col - 1 + len(x.base())
	first := make([]string, len(f.once)) // suffix of each kind
	for _, s := range strings.Split(x.opcode, ".")[1:] {
		if !f.open && !slices.Contains(f.suffixes, s) {
			return r.bad(at, "the suffix "+excerpt.Quote("."+s), suffixWanted(x.base(), s, f.suffixes))
		}
		for k, group := range f.once {
			switch {
			case !slices.Contains(group, s):
			case first[k] != "":
				return r.bad(at, "the suffix "+excerpt.Quote("."+s),
					fmt.Sprintf("none of the kind of .%s a second time", first[k]))
			default:
				first[k] = s
			}
		}
		at += 1 + len(s)
	}
	return nil
}

// suffixWanted lists the known suffixes in the place of an unknown one.
func suffixWanted(base, found string, known []string) string {
	if n := suggested(found, known); n != "" {
		return fmt.Sprintf("one of %s; did you mean .%s?", base, n)
	}
	if len(known) == 0 {
		return "none at " + base
	}
	return fmt.Sprintf("one of %s: .%s", base, strings.Join(known, " ."))
}

// checkForm returns an error for operands unknown to the opcode.
func (r *reader) checkForm(x *statement, f *form) error {
	m := matcher{operands: x.operands, form: f}
	if m.match(0, 0) {
		return nil
	}
	want := m.wanted(x.base())
	if m.at < len(x.operands) {
		o := &x.operands[m.at]
		return r.bad(o.at, excerpt.Quote(o.text), want)
	}
	return r.bad(x.end, "the end of the instruction", want)
}

// ranges are the existing registers.
const ranges = "R0 to R254, RZ, UR0 to UR62, URZ, P0 to P6, PT, UP0 to UP6 or UPT"

// ofRegister are the possible suffixes of a register operand.
var ofRegister = strings.Fields("reuse 64 CC X UX X4 X8 X16 X32 H0 H1 H0_H0 H1_H1 H0_H1 H1_H0 H0_NH1 B0 B1 B2 B3 " +
	"ROW COL U8 S8 U16 S16 U24 S24 U32 S32 U64 S64 F16 F32 F64 F32x2 HI LO HI_LO LO_HI NEG ABS INV FTZ")

// checkOperand refuses unknown registers, and wrong text before or behind one.
func (r *reader) checkOperand(o *operand) error {
	for _, w := range o.words {
		if outOfRange(w.name) {
			return r.bad(w.at, excerpt.Quote(w.name), ranges)
		}
		if err := r.checkRegisterSuffixes(w); err != nil {
			return err
		}
	}
	switch {
	case strings.Contains(o.sign, "!") && o.kind != isPredicate && o.kind != isOther:
		return r.bad(o.at, excerpt.Quote(o.text), "! before predicates alone; - or ~ before others")
	case o.sign != "" && o.sign != "!" && o.kind == isPredicate:
		return r.bad(o.at, excerpt.Quote(o.text), "! alone before a predicate")
	case strings.Count(o.text, "|")%2 != 0:
		return r.bad(o.at, excerpt.Quote(o.text), "| on both sides of an operand")
	}
	return nil
}

// checkRegisterSuffixes returns an error for an impossible suffix of a register.
func (r *reader) checkRegisterSuffixes(w word) error {
	if _, ok := register(w.name); !ok {
		return nil
	}
	base, rest, suffixed := strings.Cut(w.name, ".")
	at := w.at + len(base)
	for suffixed {
		var s string
		s, rest, suffixed = strings.Cut(rest, ".")
		if !slices.Contains(ofRegister, s) {
			want := "one of a register, such as .reuse"
			if n := suggested(s, ofRegister); n != "" {
				want = "one of a register; did you mean ." + n + "?"
			}
			return r.bad(at, "the suffix "+excerpt.Quote("."+s), want)
		}
		at += 1 + len(s)
	}
	return nil
}

// checkAlignment returns an error for an operand of two registers beginning at an odd one, or for a larger operand
// not beginning at a multiple of four.
func (r *reader) checkAlignment(x *statement, c *opcode.Code) error {
	result, source := c.Spans()
	n, sources := x.results(), 0
	for i := range x.operands {
		o := &x.operands[i]
		span := 1
		switch {
		case o.isUniform() && c.InMemory():
			// a handle of a surface or a descriptor: no data
		case o.kind == isRegister && i < n:
			span = result
		case o.kind == isRegister:
			span = source(sources)
		}
		if i >= n && o.kind != isPredicate && o.kind != isAddress {
			sources++
		}
		for _, w := range o.words {
			if o.kind == isAddress {
				span = o.addressSpan(c, i, w)
			}
			step := alignment(span)
			if w.misses(step) {
				return r.bad(w.at, excerpt.Quote(w.name), fmt.Sprintf("a register with a multiple of %d as its "+
					"number, the first of %d of %s", step, span, x.opcode))
			}
			if last, letters := w.last(span); letters != "" {
				return r.bad(w.at, excerpt.Quote(w.name), fmt.Sprintf("%s0 to %s%d as the first of %d of %s", letters,
					letters, (last-span+1)/step*step, span, x.opcode))
			}
		}
	}
	return nil
}

// last checks the registers from a word on. If some of them do not exist, it returns the number of the last
// existing register, and the letters of its name.
func (w word) last(registers int) (number int, letters string) {
	x, ok := register(w.name)
	switch {
	case ok && x.Kind == opcode.General && int(x.N)+registers-1 > mostRegister:
		return mostRegister, "R"
	case ok && x.Kind == opcode.Uniform && int(x.N)+registers-1 > mostUniform:
		return mostUniform, "UR"
	}
	return 0, ""
}

// The last registers, apart from RZ and URZ.
const (
	mostRegister = 254
	mostUniform  = 62
)

// checkNumber returns an error for an immediate of more than 32 bits, and for a place outside the constant banks.
func (r *reader) checkNumber(x *statement, o *operand) error {
	if o.kind == isOther && o.name != "" {
		if n, err := strconv.ParseUint(o.name, 0, 64); err == nil && n > math.MaxUint32 {
			return r.bad(o.at, excerpt.Quote(o.text), "a number of 32 bits")
		}
		return nil
	}
	if o.kind != isConstant || len(o.regs) > 0 || x.base() == "LDC" || x.base() == "ULDC" || len(o.words) != 2 {
		return nil // with a register or of a part of a word; or a name stands for the place
	}
	bank, offset := o.words[0], o.words[1]
	if n, err := strconv.ParseUint(bank.name, 0, 64); err == nil && n >= constantBanks {
		return r.bad(bank.at, excerpt.Quote(bank.name), "a constant bank, 0x0 to 0x1f")
	}
	n, err := strconv.ParseUint(offset.name, 0, 64)
	if before := r.text[:offset.at]; err == nil && (n%4 != 0 || n > 0xfffc || strings.HasSuffix(before, "-")) {
		return r.bad(offset.at, excerpt.Quote(offset.name), "a multiple of 4 from 0x0 to 0xfffc in a constant bank")
	}
	return nil
}

// constantBanks is the number of constant banks in an instruction's encoding. On Maxwell the bank has bits 34 to
// 38, and the word in it bits 20 to 33 (maxas, MaxAsGrammar.pm, operands c34 and c20).
const constantBanks = 32

// alignment returns the alignment of the first register of an operand of several registers.
func alignment(registers int) int {
	switch {
	case registers > 2:
		return 4
	case registers == 2:
		return 2
	}
	return 1
}

// misses reports whether a word is a register with a number not a multiple of step.
func (w word) misses(step int) bool {
	x, ok := register(w.name)
	return ok && (x.Kind == opcode.General || x.Kind == opcode.Uniform) && int(x.N)%step != 0
}

// addressSpan returns the number of registers meant by one word of an address: two for 64-bit addresses, unless a
// suffix, or a uniform register beside the word, makes it a 32-bit offset.
func (o *operand) addressSpan(c *opcode.Code, i int, w word) int {
	suffixes := w.name + "."
	switch {
	case strings.Contains(suffixes, ".64."):
		return 2
	case strings.Contains(suffixes, ".U32."), o.name == "desc" && w.name[0] == 'U', !c.Extended(i > 0):
		return 1
	case len(o.words) > 1 && w.name[0] != 'U':
		return 1
	}
	return 2
}
