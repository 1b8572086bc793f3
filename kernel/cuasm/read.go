package cuasm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// Section is a run of instructions: a kernel of a file, or the instructions before the first one.
type Section struct {
	Name  string // of the kernel; empty before the first
	Insts []ir.Inst
	// Labels have the index of the instruction behind each label.
	Labels map[string]int
	// Jumps have, by the place of each BRA, its label or address.
	Jumps map[int]string
}

// Error is a mistake in the text.
type Error struct {
	File      string
	Line, Col int // 1-based; columns count bytes
	Found     string
	Want      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: found %s, expected %s", e.File, e.Line, e.Col, e.Found, e.Want)
}

// MostInstructions is the largest number of instructions in a file.
const MostInstructions = 1 << 20

// Read reads a file's sections with instructions, in their order. It refuses instructions outside the grammar
// (forms), a label defined twice, and a branch to an unknown label. Its error is an *Error.
func Read(file string, text []byte) ([]Section, error) {
	return read(&reader{file: file, sections: []Section{{}}, strict: true}, text)
}

// ReadListing reads the sections of a disassembler's output, as Read does. It accepts any opcodes, suffixes and
// operands: the machine code may be for a GPU with instructions outside the grammar.
func ReadListing(file string, text []byte) ([]Section, error) {
	return read(&reader{file: file, sections: []Section{{}}}, text)
}

func read(r *reader, text []byte) ([]Section, error) {
	for rest, more := string(text), true; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		r.number++
		if err := r.line(strings.TrimSuffix(line, "\r")); err != nil {
			return nil, err
		}
	}
	if r.comment {
		return nil, r.bad(0, "the end of the file", "*/ behind /*")
	}
	if err := r.unknownLabel(); err != nil {
		return nil, err
	}
	out := r.sections[:0]
	for _, s := range r.sections {
		if len(s.Insts) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

type reader struct {
	file     string
	number   int    // of the line
	text     string // of the line, comments blanked out
	at       int
	comment  bool         // within a comment
	words    []uint64     // encodings in the line's comments
	half     bool         // the last instruction's encoding has a second half
	bundle   []ir.Control // control words of the next instructions
	count    int
	sections []Section
	strict   bool
	labels   map[string]int // line of each label
	jumps    []jump
}

// bad returns an error at a place of the line.
func (r *reader) bad(at int, found, want string) error {
	return &Error{File: r.file, Line: r.number, Col: at + 1, Found: found, Want: want}
}

// badHere returns an error about the text at the reader's place.
func (r *reader) badHere(want string) error {
	r.space()
	rest := r.text[r.at:]
	if rest == "" {
		return r.bad(r.at, "the end of the line", want)
	}
	word, _, _ := strings.Cut(rest, " ")
	return r.bad(r.at, excerpt.Quote(word), want)
}

// blank replaces comments by blanks, to keep columns.
func (r *reader) blank(line string) string {
	b := []byte(line)
	for i := 0; i < len(b); i++ {
		rest := b[i:]
		switch {
		case r.comment && (begins(rest, "*/") || begins(rest, "*)")):
			b[i], b[i+1], r.comment = ' ', ' ', false
			i++
		case r.comment:
			b[i] = ' '
		case begins(rest, "/*") || begins(rest, "(*"):
			b[i], b[i+1], r.comment = ' ', ' ', true
			i++
		case begins(rest, "//") || rest[0] == '#':
			return string(b[:i])
		case rest[0] == '\t':
			b[i] = ' '
		}
	}
	return string(b)
}

func begins(b []byte, text string) bool { return len(b) >= len(text) && string(b[:len(text)]) == text }

// line reads a line.
func (r *reader) line(text string) error {
	r.words = r.words[:0]
	for _, m := range encoding.FindAllStringSubmatch(text, -1) {
		w, err := strconv.ParseUint(m[1], 16, 64)
		if err == nil { // sixteen digits always fit
			r.words = append(r.words, w)
		}
	}
	r.text, r.at = r.blank(text), 0
	r.space()
	rest := strings.TrimRight(r.text[r.at:], " ")
	switch {
	case rest == "":
		r.encoded()
		return nil
	case strings.HasSuffix(rest, ":") && !strings.Contains(rest, " "):
		return r.label(strings.TrimSuffix(rest, ":"))
	case rest[0] == '.' && !labelled.MatchString(rest):
		r.directive(rest)
		return nil
	case r.heading(rest):
		return nil
	}
	if name := labelled.FindStringSubmatch(rest); name != nil {
		if err := r.label(name[1]); err != nil {
			return err
		}
		r.at += len(name[0])
	}
	return r.instruction()
}

// labelled matches a label before an instruction in the same line. A colon of a control word has no blank behind
// it.
var labelled = regexp.MustCompile(`^(\.?[A-Za-z_$][A-Za-z0-9_$.]*): +`)

// heading reads the lines between the instructions of cuobjdump -sass: Function : NAME begins a section, others
// describe the origin of the code.
func (r *reader) heading(text string) bool {
	if name, ok := strings.CutPrefix(text, "Function : "); ok {
		r.begin(strings.TrimSpace(name))
		return true
	}
	for _, other := range headings {
		if strings.HasPrefix(text, other) {
			return true
		}
	}
	return false
}

// headings are the beginnings of the other lines of cuobjdump -sass.
var headings = []string{"Fatbin elf code:", "Fatbin ptx code:", "====", "arch = ", "code version = ", "host = ",
	"compile_size = ", "producer = ", "compressed", "code for sm_"}

// directive begins a section at .section .text.NAME.
func (r *reader) directive(text string) {
	f := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if len(f) < 2 || f[0] != ".section" {
		return
	}
	if name, ok := strings.CutPrefix(f[1], ".text."); ok {
		r.begin(name)
	}
}

// begin begins a section. It drops encodings of the section before, since they do not belong to the new section's
// instructions.
func (r *reader) begin(name string) {
	r.sections = append(r.sections, Section{Name: name})
	r.half, r.bundle = false, nil
}

func (r *reader) space() {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
}

// accept steps over blanks and over the given byte if it is next, and reports whether it was.
func (r *reader) accept(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// name steps over letters, digits, periods and underscores, and returns them.
func (r *reader) name() string {
	from := r.at
	for r.at < len(r.text) && nameByte(r.text[r.at]) {
		r.at++
	}
	return r.text[from:r.at]
}

func nameByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_'
}

// instruction reads an instruction: control word, guard, opcode, operands.
func (r *reader) instruction() error {
	if r.count++; r.count > MostInstructions {
		return r.bad(r.at, "another instruction", fmt.Sprintf("at most %d", MostInstructions))
	}
	control, err := r.control()
	if err != nil {
		return err
	}
	r.accept('{') // of a pair issued together; its stall of 0 says so too
	guard, err := r.guard()
	if err != nil {
		return err
	}
	r.space()
	from := r.at
	x := &statement{control: control, guard: guard, opcode: r.name(), line: r.number, col: from + 1}
	if !validOpcode(x.opcode) {
		r.at = from
		return r.badHere("an opcode in capitals, such as FFMA")
	}
	if err := r.operands(x); err != nil {
		return err
	}
	if !x.control.Set && len(r.bundle) > 0 {
		x.control, r.bundle = r.bundle[0], r.bundle[1:]
	}
	if r.strict {
		if err := r.check(x); err != nil {
			return err
		}
	}
	if err := r.hold(x); err != nil {
		return err
	}
	r.jump(x)
	s := &r.sections[len(r.sections)-1]
	s.Insts = append(s.Insts, x.build())
	r.half = len(r.words) == 1 && !x.control.Set
	return nil
}

// encoding matches an encoded word as printed by nvdisasm -hex and cuobjdump -sass.
var encoding = regexp.MustCompile(`/\* 0x([0-9a-f]{16}) \*/`)

// encoded reads the control words of a line with only an encoded word. From Volta on the word is the second half of
// the instruction before. Until Pascal it precedes the three instructions it controls.
func (r *reader) encoded() {
	if len(r.words) != 1 {
		return
	}
	w := r.words[0]
	if r.half {
		s := &r.sections[len(r.sections)-1]
		in := &s.Insts[len(s.Insts)-1]
		text := in.Control // with the reuse flags; some instructions use these bits otherwise
		in.Control = ir.ControlOf(uint32(w >> 41 & controlMask))
		in.Control.Reuse, in.Control.Hold, r.half = text.Reuse, text.Hold, false
		return
	}
	r.bundle = r.bundle[:0]
	for i := range 3 {
		r.bundle = append(r.bundle, ir.ControlOf(uint32(w>>(21*i)&controlMask)))
	}
}

const controlMask = 1<<21 - 1

// guard reads @P0 or @!P0, or nothing.
func (r *reader) guard() (ir.Operand, error) {
	if !r.accept('@') {
		return ir.Operand{}, nil
	}
	neg := r.accept('!')
	from := r.at
	name := r.name()
	x, ok := register(name)
	if !ok || !x.isPredicate() || strings.TrimPrefix(name, "U")[0] != 'P' || strings.Contains(name, ".") {
		r.at = from
		return ir.Operand{}, r.badHere("a predicate, P0 to P6, PT, UP0 to UP6 or UPT")
	}
	o := x.guard()
	o.Neg = neg
	return o, nil
}
