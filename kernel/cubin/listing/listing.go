package listing

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// CodeBytes is the size of an instruction since Volta.
const CodeBytes = ir.CodeBytes

// File is a listing.
type File struct {
	Name      string
	Arch      int // 75 for sm_75
	Functions []*Function
	// Constants are the variables of constant space, in bank 3.
	Constants []Symbol
}

// Symbol is a variable in a constant bank.
type Symbol struct {
	Name         string
	Offset, Size int
}

// Function is a kernel, with the functions it calls behind its own instructions.
type Function struct {
	Name  string
	Line  int
	Insts []Inst
	// Labels are the indices of the instructions behind each label.
	Labels map[string]int
	// Registers of a thread; StackSize is AnyStack if the functions call themselves; Params are the parameters, by
	// their offsets behind ParamBase in bank 0. They take ParamBytes.
	Registers              int
	Params                 []Param
	ParamBase, ParamBytes  int
	SharedBytes, StackSize int
	// Spilled has the bytes of a thread's registers that the assembler spilled to local memory. Only the compact form
	// has them.
	Spilled  int
	Literals []byte // bank 2
}

// Param is a parameter of a kernel. A listing has no types.
type Param struct{ Offset, Size int }

// AnyStack is the StackSize of a function whose calls have no bound: the assembler does not know it.
const AnyStack = -1

// Inst is one instruction.
type Inst struct {
	Address  int
	Line     int
	Guard    Operand // Pred or UPred; None: executed by all lanes
	Mnemonic string
	Operands []Operand
	Text     string // the guard, the mnemonic and the operands
	// Targets are the labels a branch to an address in a register may go to.
	Targets []string
	Control ir.Control // if the listing has the words
}

// Function returns the function of a name, nil if there is none.
func (f *File) Function(name string) *Function {
	for _, g := range f.Functions {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Controls returns an error about the first instruction without a control word.
func (f *File) Controls() error {
	for _, fn := range f.Functions {
		for i := range fn.Insts {
			if !fn.Insts[i].Control.Set {
				return fmt.Errorf("%s:%d: an instruction of %s without a control word: expected the words of "+
					"nvdisasm -hex", f.Name, fn.Insts[i].Line, fn.Name)
			}
		}
	}
	return nil
}

// reader is the state of reading a listing.
type reader struct {
	file    *File
	line    int
	section string
	names   map[string]*Function
	// In an attribute of .nv.info: its name, and its data so far.
	attribute string
	data      []int64
	about     string // the symbol of the data
	offset    int    // in a section with data
	open      *Symbol
	compact   bool // the form of Write
	words     int
	bundle    [3]ir.Control // before Volta
	first     uint64        // the first word of the last instruction
	jumps     []jump
}

// Read reads the listing of a cubin. name is its file, for messages.
func Read(name, text string) (*File, error) {
	r := &reader{file: &File{Name: name}, names: map[string]*Function{}}
	for line := range strings.Lines(text) {
		r.line++
		if err := r.read(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, r.line, err)
		}
	}
	r.endSymbol()
	if err := r.placeLabels(); err != nil {
		return nil, err
	}
	switch {
	case r.file.Arch == 0:
		return nil, fmt.Errorf("%s: no .headerflags with an architecture: expected what nvdisasm prints of a cubin, "+
			"or a first line %ssm_75 or the like",
			name, codeDirective)
	case len(r.file.Functions) == 0:
		return nil, fmt.Errorf("%s: no function: expected a section .text", name)
	}
	for _, f := range r.file.Functions {
		if n := len(f.Insts); n > 0 && f.Insts[n-1].Mnemonic == "" {
			return nil, fmt.Errorf("%s:%d: one word of an instruction without a text, expected two", name,
				f.Insts[n-1].Line)
		}
		if len(f.Insts) == 0 {
			return nil, fmt.Errorf("%s:%d: function %s has no instruction", name, f.Line, f.Name)
		}
		if f.Registers == 0 {
			return nil, fmt.Errorf("%s:%d: function %s has no number of registers (SHI_REGISTERS, EIATTR_REGCOUNT)",
				name, f.Line, f.Name)
		}
	}
	return r.file, nil
}

// function returns the function of a name, made at its first mention.
func (r *reader) function(name string) *Function {
	f := r.names[name]
	if f == nil {
		f = &Function{Name: name, Labels: map[string]int{}}
		r.names[name] = f
	}
	return f
}

func (r *reader) read(s string) error {
	switch {
	case s == "":
		return nil
	case strings.HasPrefix(s, codeDirective):
		return r.begin(s)
	case r.compact && strings.HasPrefix(s, constantDirective):
		return r.constant(s)
	case strings.HasPrefix(s, ".headerflags"):
		return r.header(s)
	case strings.HasPrefix(s, "//-----") && strings.Contains(s, "nvinfo : "):
		_, r.attribute, _ = strings.Cut(s, "nvinfo : ")
		r.attribute = strings.TrimSpace(r.attribute)
		r.data, r.about = r.data[:0], ""
		return nil
	case strings.HasPrefix(s, "//"):
		return nil
	case strings.HasPrefix(s, ".section\t"), strings.HasPrefix(s, ".section "):
		return r.enter(s)
	case strings.HasPrefix(r.section, ".text."):
		return r.text(r.function(r.section[len(".text."):]), s)
	case strings.HasPrefix(r.section, ".nv.info"):
		return r.info(s)
	case strings.HasPrefix(r.section, ".nv.shared."), strings.HasPrefix(r.section, ".nv.constant"):
		return r.memory(s)
	}
	return nil
}

// header reads the architecture.
func (r *reader) header(s string) error {
	_, rest, ok := strings.Cut(s, "EF_CUDA_SM")
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(rest[:end])
	if !ok || err != nil {
		return fmt.Errorf(".headerflags without an architecture, expected EF_CUDA_SM with a number")
	}
	r.file.Arch = n
	return nil
}

// enter begins a section.
func (r *reader) enter(s string) error {
	r.endSymbol()
	name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(s, ".section")), ",")
	r.section, r.offset, r.attribute = strings.TrimSpace(name), 0, ""
	if name, ok := strings.CutPrefix(r.section, ".text."); ok {
		f := r.function(name)
		if f.Line > 0 {
			return fmt.Errorf("section %s for the second time", r.section)
		}
		f.Line, r.words = r.line, 0
		r.file.Functions = append(r.file.Functions, f)
	}
	return nil
}

// number reads a number of a directive: hexadecimal or decimal.
func number(s string) (int64, bool) {
	v, err := strconv.ParseInt(strings.TrimSpace(s), 0, 64)
	return v, err == nil
}

// info reads a line of an attribute's data. Words before the data are its format and its length.
func (r *reader) info(s string) error {
	s = afterOffset(s)
	kind, rest, _ := strings.Cut(s, "\t")
	if sym, ok := strings.CutPrefix(strings.TrimSpace(rest), "index@("); ok {
		r.about = strings.TrimSuffix(sym, ")")
		r.data = r.data[:0]
		return nil
	}
	v, ok := number(rest)
	kernel, own := strings.CutPrefix(r.section, ".nv.info.")
	switch {
	case own && r.attribute == "EIATTR_KPARAM_INFO" && kind == ".byte" && len(r.data) == paramWords:
		return r.param(r.function(kernel), rest)
	case !ok:
		return nil
	case kind == ".word", kind == ".short":
		r.data = append(r.data, v)
	default:
		return nil
	}
	switch {
	case own && r.attribute == "EIATTR_PARAM_CBANK" && r.about != "" && len(r.data) == 2:
		f := r.function(kernel)
		f.ParamBase, f.ParamBytes = int(r.data[0]), int(r.data[1])
	case !own && r.attribute == "EIATTR_REGCOUNT" && r.about != "" && len(r.data) == 1:
		r.function(r.about).Registers = int(v)
	case !own && r.attribute == "EIATTR_MIN_STACK_SIZE" && r.about != "" && len(r.data) == 1:
		if r.function(r.about).StackSize = int(v); v == 0xffffffff {
			r.function(r.about).StackSize = AnyStack
		}
	}
	return nil
}

// The data of EIATTR_KPARAM_INFO: an index, the number of the parameter and its offset, and then a word that is printed
// as four bytes. The size of the parameter is in the bits of the word from paramSize on.
const (
	paramWords = 3
	paramSize  = 18
)

// param reads the last word of a parameter.
func (r *reader) param(f *Function, bytes string) error {
	word, n := 0, r.data[1]
	for i, s := range strings.Split(bytes, ",") {
		v, ok := number(s)
		if !ok || v < 0 || v > 255 || i > 3 {
			return fmt.Errorf("%q: expected the four bytes of a parameter's word", bytes)
		}
		word |= int(v) << (8 * i)
	}
	if n < 0 || n > mostParams || r.data[2] < 0 {
		return fmt.Errorf("found parameter %d, expected 0 to %d", n, mostParams)
	}
	for int(n) >= len(f.Params) { // the last one comes first
		f.Params = append(f.Params, Param{})
	}
	f.Params[n] = Param{Offset: int(r.data[2]), Size: word >> paramSize}
	r.data = r.data[:0]
	return nil
}

// mostParams is the largest number of a parameter: there are at most 4 KiB of them.
const mostParams = 4 << 10

// afterOffset cuts the address in a comment off the beginning of a line.
func afterOffset(s string) string {
	if strings.HasPrefix(s, "/*") {
		if _, rest, ok := strings.Cut(s, "*/"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return s
}

// memory reads a line of a section of shared memory or of a constant bank.
func (r *reader) memory(s string) error {
	s = afterOffset(s)
	if name, ok := strings.CutSuffix(s, ":"); ok && !strings.ContainsAny(name, " \t") {
		if r.section == ".nv.constant3" && name != r.section {
			r.endSymbol()
			if !strings.HasPrefix(name, ".") {
				r.open = &Symbol{Name: name, Offset: r.offset}
			}
		}
		return nil
	}
	kind, rest, _ := strings.Cut(s, "\t")
	size := map[string]int{".byte": 1, ".short": 2, ".word": 4, ".dword": 8}[kind]
	before := r.offset
	switch {
	case kind == ".zero":
		n, ok := number(rest)
		if !ok || n < 0 || n > mostBytes || r.offset > mostBytes {
			return fmt.Errorf("%q: expected a section of at most %d bytes", s, mostBytes)
		}
		r.grow(nil, int(n))
	case size > 0:
		for _, one := range strings.Split(rest, ",") {
			v, ok := number(one)
			if !ok && kind != ".dword" {
				return fmt.Errorf("%q: expected numbers", s)
			}
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(uint64(v) >> (8 * i))
			}
			r.grow(b, size)
		}
	}
	if name, ok := strings.CutPrefix(r.section, ".nv.shared."); ok {
		r.function(name).SharedBytes += r.offset - before
	}
	return nil
}

// mostBytes bounds a section of a constant bank (64 KiB at most) or of shared memory (227 KiB at most).
const mostBytes = 256 << 10

// grow adds n bytes to the present section: those of b, or zeros.
func (r *reader) grow(b []byte, n int) {
	r.offset += n
	if name, ok := strings.CutPrefix(r.section, ".nv.constant2."); ok {
		f := r.function(name)
		f.Literals = append(append(f.Literals, b...), make([]byte, n-len(b))...)
	}
}

// endSymbol ends the variable that is being read.
func (r *reader) endSymbol() {
	if r.open != nil && r.offset > r.open.Offset {
		r.open.Size = r.offset - r.open.Offset
		r.file.Constants = append(r.file.Constants, *r.open)
	}
	r.open = nil
}
