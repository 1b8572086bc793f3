package listing

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// text reads a line of a function: an instruction, a label or a directive.
func (r *reader) text(f *Function, s string) error {
	if r.compact && !strings.HasSuffix(s, ":") {
		return r.compactLine(f, s)
	}
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

const mostRegisters = 255 // of a thread

// registers reads the number of registers of a thread: SHI_REGISTERS=21.
func registers(f *Function, s string) error {
	_, rest, ok := strings.Cut(s, "SHI_REGISTERS=")
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(rest, `"`))
	if err != nil || n < 1 || n > mostRegisters {
		return fmt.Errorf("%q: expected 1 to %d registers", s, mostRegisters)
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
	if want := r.address(len(f.Insts)); err != nil || int(address) != want {
		return fmt.Errorf("an instruction at address %s, expected %04x", first, want)
	}
	behind, err := r.instruction(f, rest)
	if err != nil {
		return err
	}
	if !r.bundled() {
		r.words = 0
	}
	if _, word, ok := strings.Cut(behind, "/* "); ok {
		word, _, _ = strings.Cut(word, " ")
		return r.word(f, word)
	}
	return nil
}

// instruction reads an instruction's text, up to its semicolon, and returns what is behind.
func (r *reader) instruction(f *Function, s string) (behind string, err error) {
	s, targets := annotation(s)
	end := strings.IndexByte(s, ';')
	if end < 0 { // the second of a pair
		end = strings.LastIndexByte(s, '}')
	}
	if end < 0 {
		return "", fmt.Errorf("an instruction without a semicolon")
	}
	body := strings.TrimSpace(s[:end])
	if first, ok := strings.CutPrefix(body, "{"); ok { // the first of a pair
		body = strings.TrimSpace(first)
	}
	in := Inst{Address: r.address(len(f.Insts)), Line: r.line, Text: body, Targets: targets}
	if err := in.read(body); err != nil {
		return "", err
	}
	if r.bundled() && r.words > 0 && len(f.Insts)%3 < len(r.bundle) {
		in.Control = r.bundle[len(f.Insts)%3]
	}
	f.Insts = append(f.Insts, in)
	return s[end+1:], nil
}

// bundled reports whether the code has a control word in front of every three instructions, as before Volta.
func (r *reader) bundled() bool { return r.file.Arch < 70 }

// address returns the address of the n-th instruction.
func (r *reader) address(n int) int {
	if r.bundled() {
		return ir.BundledAddress(n)
	}
	return CodeBytes * n
}

const targetsNote = "BRANCH_TARGETS "

// annotation cuts the note of a branch's targets, (*"BRANCH_TARGETS .L_1,.L_2"*), out of a line.
func annotation(s string) (rest string, targets []string) {
	before, note, ok := strings.Cut(s, "(*")
	if !ok {
		return s, nil
	}
	note, behind, _ := strings.Cut(note, "*)")
	if list, ok := strings.CutPrefix(strings.Trim(note, `"`), targetsNote); ok {
		targets = strings.Split(list, ",")
	}
	return before + behind, targets
}

// word reads one of the two words of the last instruction; before Volta one of a bundle, whose first word has the
// control words of the three instructions behind it.
func (r *reader) word(f *Function, s string) error {
	v, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(s), "0x"), 16, 64)
	if r.bundled() {
		if err != nil || r.words%4 == 0 && len(f.Insts)%3 != 0 || r.words%4 != 0 && len(f.Insts) == 0 {
			return fmt.Errorf("%q: expected a control word and the words of three instructions", s)
		}
		if r.words++; r.words%4 == 1 {
			for i := range r.bundle {
				r.bundle[i] = ir.ControlOf(uint32(v >> (21 * i) & 0x1fffff))
			}
		}
		return nil
	}
	if r.file.Arch >= 90 && err == nil && (len(f.Insts) == 0 || r.words > 1) {
		f.Insts = append(f.Insts, Inst{Address: r.address(len(f.Insts)), Line: r.line})
		r.words, r.first = 1, v
		return nil
	}
	if err != nil || len(f.Insts) == 0 || r.words > 1 {
		return fmt.Errorf("%q: expected the two words of an instruction", s)
	}
	last := &f.Insts[len(f.Insts)-1]
	switch r.words++; {
	case r.words == 1:
		r.first = v
		r.leads(f, last)
		last.payload(v)
	case last.Mnemonic == "":
		last.unprinted(r.first, v)
	default:
		last.Control = ir.ControlOf(uint32(v >> controlFrom & 0x1fffff))
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
	if in.Targets != nil { // BRX R4 -0xb0 has no comma
		rest = strings.Replace(rest, " -0x", ", -0x", 1)
	}
	ops, err := operands(rest)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in.Operands = ops
	return nil
}
