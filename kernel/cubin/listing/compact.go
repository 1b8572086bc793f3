package listing

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kumiko/kernel/cuasm"
)

// The directives of the compact form. It begins with the first one.
const (
	codeDirective      = ".code "
	constantDirective  = ".constant "
	parameterDirective = ".parameter"
	literalsDirective  = ".literals"
)

// Write returns the compact form of a listing: what Read takes from it, and no more. kernel/cuasm reads it too. Equal
// code has the same text, whether it was read from words or from the compact form itself, so that the text can be
// hashed. Read refuses it if an instruction had no control word.
//
//	.code sm_75
//	.constant table 0x0 0x100
//	.section .text.sgemm
//	.registers 40
//	.parameters 0x160 0x34
//	.parameter 0x0 0x8
//	.shared 0x200
//	--:-:1:-:1 S2R R7, SR_TID.X ;
//	.L_1:
//	--:-:-:Y:2 @!P0 BRA `(.L_1) ;
//
// A control word is in the notation of maxas: counters waited for, counters of reading and of writing, yield and stall.
// Its reuse flags are those of the operands.
func Write(f *File) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%ssm_%d\n", codeDirective, f.Arch)
	for _, c := range f.Constants {
		fmt.Fprintf(&w, "%s%s %#x %#x\n", constantDirective, c.Name, c.Offset, c.Size)
	}
	for _, fn := range f.Functions {
		fmt.Fprintf(&w, ".section .text.%s\n.registers %d\n", fn.Name, fn.Registers)
		if fn.ParamBytes > 0 || fn.ParamBase > 0 {
			fmt.Fprintf(&w, ".parameters %#x %#x\n", fn.ParamBase, fn.ParamBytes)
		}
		for _, p := range fn.Params {
			fmt.Fprintf(&w, "%s %#x %#x\n", parameterDirective, p.Offset, p.Size)
		}
		for _, d := range fn.sizes() {
			if *d.to > 0 {
				fmt.Fprintf(&w, "%s %#x\n", d.name, *d.to)
			}
		}
		if len(fn.Literals) > 0 {
			fmt.Fprintf(&w, "%s %x\n", literalsDirective, fn.Literals)
		}
		fn.write(&w)
	}
	return w.String()
}

// size is a directive with one number.
type size struct {
	name string
	to   *int
}

func (f *Function) sizes() []size {
	return []size{{".shared", &f.SharedBytes}, {".stack", &f.StackSize}, {".spilled", &f.Spilled}}
}

// write writes the instructions with the labels in front of them.
func (f *Function) write(w *strings.Builder) {
	type place struct {
		name string
		at   int
	}
	var labels []place
	for name, at := range f.Labels {
		if name != ".text."+f.Name {
			labels = append(labels, place{name, at})
		}
	}
	slices.SortFunc(labels, func(a, b place) int { return cmp.Or(a.at-b.at, strings.Compare(a.name, b.name)) })
	for i := range f.Insts {
		for ; len(labels) > 0 && labels[0].at == i; labels = labels[1:] {
			w.WriteString(labels[0].name + ":\n")
		}
		in := &f.Insts[i]
		if in.Control.Set {
			w.WriteString(cuasm.Colons(in.Control) + " ")
		}
		w.WriteString(in.Text)
		if in.Targets != nil {
			fmt.Fprintf(w, " (*\"%s%s\"*)", targetsNote, strings.Join(in.Targets, ","))
		}
		w.WriteString(" ;\n")
	}
	for _, l := range labels {
		w.WriteString(l.name + ":\n")
	}
}

// begin reads the first line of the compact form.
func (r *reader) begin(s string) error {
	n, ok := strings.CutPrefix(s, codeDirective+"sm_")
	arch, err := strconv.ParseUint(n, 10, 16)
	if !ok || err != nil || arch == 0 || r.file.Arch != 0 {
		return fmt.Errorf("%q: expected %ssm_75 or the like, once", s, codeDirective)
	}
	r.file.Arch, r.compact = int(arch), true
	return nil
}

// constant reads a variable of constant space.
func (r *reader) constant(s string) error {
	f := strings.Fields(s)
	if len(f) != 4 {
		return fmt.Errorf("%q: expected a name, an offset and a size", s)
	}
	n, err := numbers(f[2:])
	if err != nil {
		return err
	}
	r.file.Constants = append(r.file.Constants, Symbol{Name: f[1], Offset: n[0], Size: n[1]})
	return nil
}

// numbers reads sizes and offsets.
func numbers(words []string) ([]int, error) {
	var out []int
	for _, s := range words {
		v, ok := number(s)
		if !ok || v < 0 || v > mostBytes {
			return nil, fmt.Errorf("%q: expected a number of at most %d", s, mostBytes)
		}
		out = append(out, int(v))
	}
	return out, nil
}

// compactLine reads a line of a function in the compact form, except labels.
func (r *reader) compactLine(f *Function, s string) error {
	if s[0] == '.' {
		return f.directive(strings.Fields(s))
	}
	control, rest, err := cuasm.ControlWord(s)
	if e := (*cuasm.Error)(nil); errors.As(err, &e) {
		return fmt.Errorf("column %d: found %s, expected %s", e.Col, e.Found, e.Want)
	}
	if !control.Set {
		return fmt.Errorf("%q: expected a control word, as --:-:-:-:1, in front of an instruction", s)
	}
	at := len(f.Insts)
	behind, err := r.instruction(f, rest)
	if err != nil {
		return err
	}
	if behind = strings.TrimSpace(behind); behind != "" {
		return fmt.Errorf("%q behind the semicolon, expected nothing", behind)
	}
	f.Insts[at].Control = control
	return nil
}

// directive reads what a function has beside instructions.
func (f *Function) directive(words []string) error {
	name, words := words[0], words[1:]
	if name == literalsDirective && len(words) == 1 {
		b, err := hex.DecodeString(words[0])
		if err != nil || len(b) > mostBytes {
			return fmt.Errorf("%s: expected an even number of hexadecimal digits, for at most %d bytes", name,
				mostBytes)
		}
		f.Literals = b
		return nil
	}
	n, err := numbers(words)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case name == ".registers" && len(n) == 1 && n[0] >= 1 && n[0] <= mostRegisters:
		f.Registers = n[0]
		return nil
	case name == parameterDirective && len(n) == 2:
		f.Params = append(f.Params, Param{n[0], n[1]})
		return nil
	case name == ".parameters" && len(n) == 2:
		f.ParamBase, f.ParamBytes = n[0], n[1]
		return nil
	}
	for _, d := range f.sizes() {
		if d.name == name && len(n) == 1 {
			*d.to = n[0]
			return nil
		}
	}
	return fmt.Errorf("%s with %d numbers: expected .registers (1 to %d), .parameters, .parameter, .shared, .stack, "+
		".spilled or .literals", name, len(n), mostRegisters)
}
