package listing

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// text reads a line of a function: an instruction, a label or a directive.
func (r *reader) text(f *Function, s string) error {
	switch {
	case strings.HasPrefix(s, "/*"):
		return r.code(f, s)
	case strings.HasPrefix(s, ".sectioninfo"):
		return registers(f, s)
	case strings.HasSuffix(s, ":") && !strings.ContainsAny(s, " \t"):
		name := strings.TrimSuffix(s, ":")
		if _, twice := f.Labels[name]; twice {
			return fmt.Errorf("label %s for the second time", name)
		}
		f.Labels[name] = len(f.Insts)
	}
	return nil
}

// registers reads the number of registers of a thread: SHI_REGISTERS=21.
func registers(f *Function, s string) error {
	_, rest, ok := strings.Cut(s, "SHI_REGISTERS=")
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(rest, `"`))
	if err != nil || n < 1 || n > 255 {
		return fmt.Errorf("%q: expected 1 to 255 registers", s)
	}
	f.Registers = n
	return nil
}

// code reads an instruction, or the second word of one.
func (r *reader) code(f *Function, s string) error {
	first, rest, ok := strings.Cut(s[2:], "*/")
	if !ok {
		return fmt.Errorf("a comment without an end")
	}
	first = strings.TrimSpace(first)
	if strings.HasPrefix(first, "0x") {
		return r.word(f, first)
	}
	address, err := strconv.ParseUint(first, 16, 31)
	if err != nil || int(address) != CodeBytes*len(f.Insts) {
		return fmt.Errorf("an instruction at address %s, expected %04x", first, CodeBytes*len(f.Insts))
	}
	body, behind, ok := strings.Cut(rest, ";")
	if !ok {
		return fmt.Errorf("an instruction without a semicolon")
	}
	in := Inst{Address: int(address), Line: r.line}
	if err := in.read(strings.TrimSpace(body)); err != nil {
		return err
	}
	f.Insts = append(f.Insts, in)
	r.words = 0
	if _, word, ok := strings.Cut(behind, "/* "); ok {
		word, _, _ = strings.Cut(word, " ")
		return r.word(f, word)
	}
	return nil
}

// word reads one of the two words of the last instruction.
func (r *reader) word(f *Function, s string) error {
	v, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(s), "0x"), 16, 64)
	if err != nil || len(f.Insts) == 0 || r.words > 1 {
		return fmt.Errorf("%q: expected the two words of an instruction", s)
	}
	if r.words++; r.words == 2 {
		f.Insts[len(f.Insts)-1].Control = ir.ControlOf(uint32(v >> 41 & 0x1fffff))
	}
	return nil
}

// read reads an instruction's guard, mnemonic and operands.
func (in *Inst) read(s string) error {
	if guard, ok := strings.CutPrefix(s, "@"); ok {
		text, rest, _ := strings.Cut(guard, " ")
		g, err := operand(text)
		if err != nil || g.Kind != Pred && g.Kind != UPred {
			return fmt.Errorf("guard @%s: expected a predicate", text)
		}
		in.Guard, s = g, strings.TrimSpace(rest)
	}
	name, rest, _ := strings.Cut(s, " ")
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
		return fmt.Errorf("%q: expected a mnemonic in capitals", s)
	}
	in.Mnemonic = name
	ops, err := operands(rest)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in.Operands = ops
	return nil
}
