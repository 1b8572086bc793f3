package sass

import (
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kumiko/kernel/sass/opcode"
)

// Severity is Accel-Sim's treatment of something in a trace.
type Severity string

// Refused: Accel-Sim stops with an error or a failed assertion. Misread: Accel-Sim interprets it differently, or
// leaves it out. Needs: a configuration must define something for it. Unread: Kumiko stops reading here, and
// Accel-Sim's treatment of the trace is unknown.
const (
	Refused Severity = "refused"
	Misread Severity = "misread"
	Needs   Severity = "needs"
	Unread  Severity = "unread"
)

// Finding is something in a trace read differently by Accel-Sim and Kumiko. Accel-Sim's treatment is from the
// sources named by PeerVersions.
type Finding struct {
	File string
	Line int // 0: the whole file
	Severity
	Text string
}

func (f *Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place += ":" + itoa(f.Line)
	}
	return fmt.Sprintf("%s: %s: %s", place, f.Severity, f.Text)
}

// peerNotes are the lines of contents unexpected by Accel-Sim; 0: none.
type peerNotes struct {
	gap  int // base and stride for lanes with gaps between them
	idle int // the end of a thread block with a warp without instructions
}

// note keeps the first line.
func note(at *int, line int) {
	if *at == 0 {
		*at = line
	}
}

// gaps reports whether there are gaps between the lanes of a mask.
func gaps(mask uint32) bool {
	run := mask >> (bits.TrailingZeros32(mask) & 31)
	return run&(run+1) != 0
}

// peerKeys are the required header lines of Accel-Sim. Without one of them it uses uninitialised memory.
var peerKeys = []string{"kernel id", "cuda stream id", "binary version"}

// Check checks a kernel list, or the list of a folder, and its traces. It returns an error if the list cannot be
// read.
func Check(name string) ([]Finding, error) {
	if s, err := os.Stat(name); err == nil && s.IsDir() {
		name = filepath.Join(name, ListName)
	}
	l := &List{File: name, Commands: []Command{{Trace: name}}}
	if !isTrace(filepath.Base(name)) {
		f, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if l, err = readList(name, f); err != nil {
			return nil, err
		}
	}
	var out []Finding
	for _, c := range l.Commands {
		if c.Trace == "" {
			continue
		}
		if _, err := os.Stat(c.Trace); err != nil {
			out = append(out, Finding{name, c.Line, Refused, "the trace " + c.Trace + " is missing"})
			continue
		}
		out = append(out, checkTrace(c.Trace)...)
	}
	return out, nil
}

// checkTrace checks a trace.
func checkTrace(file string) []Finding {
	c := &checker{file: file, peer: peerOf(file)}
	if ext := filepath.Ext(file); ext != ".traceg" && ext != ".xz" && ext != tracezExt {
		c.add(0, Refused, "found the ending %s, expected .traceg or .xz, or for Accel-Sim 2.0 .tracez", ext)
	}
	l, err := Load(file, Options{})
	if err != nil {
		var at *Error
		if e, ok := err.(*Error); ok {
			at = e
		} else {
			at = &Error{Msg: err.Error()}
		}
		c.add(at.Line, Unread, "%s; the rest of the trace is not checked", at.Msg)
		return c.list
	}
	if l.plain && !isTracez(file) && !endsLine(file) {
		c.add(0, Refused, "found no end of the last line, expected one")
	}
	c.header(&l.Header)
	for _, s := range l.prog.order {
		c.inst(&l.Header, s)
	}
	if !l.sorted {
		c.add(0, Misread, "the thread blocks are not in the order of the grid; they are launched in that of the file")
	}
	if l.peer.gap > 0 {
		c.add(l.peer.gap, Misread, "found addresses by base and stride for lanes that do not stand together; only "+
			"those of the first lanes without a gap are read")
	}
	if l.peer.idle > 0 {
		c.add(l.peer.idle, Refused, "found a thread block with a warp without instructions, expected some for each of "+
			"its %d warps", (l.Threads()+31)/32)
	}
	return c.list
}

// endsLine reports whether a file's last byte ends a line.
func endsLine(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	var last [1]byte
	if _, err := f.Seek(-1, io.SeekEnd); err != nil {
		return false
	}
	_, err = f.Read(last[:])
	return err == nil && last[0] == '\n'
}

// checker collects the findings of a trace, each kind once.
type checker struct {
	file string
	peer *peerVersion
	list []Finding
	once map[string]bool
}

func (c *checker) add(line int, s Severity, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if c.once == nil {
		c.once = map[string]bool{}
	}
	if !c.once[text] {
		c.once[text] = true
		c.list = append(c.list, Finding{c.file, line, s, text})
	}
}

func (c *checker) header(h *Header) {
	for _, k := range peerKeys {
		if h.keys[k] == 0 {
			c.add(h.Line, Misread, "found no line -%s, expected one: its value is left undefined", k)
		}
	}
	if line := h.keys["binary version"]; line > 0 && !slices.Contains(c.peer.binaries, h.BinaryVersion) {
		c.add(line, Refused, "found -binary version = %d, expected one of %s", h.BinaryVersion,
			numbers(c.peer.binaries))
	}
	if !h.format {
		c.add(h.Line, Refused, "found no line #traces format: the first #BEGIN_TB is taken for it")
	}
}

func numbers(list []int) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = itoa(n)
	}
	return strings.Join(out, ", ")
}

func (c *checker) inst(h *Header, s *static) {
	if s.seen == 0 {
		return
	}
	line := int(s.line)
	if line == 0 {
		line = h.Line // the program is the header's
	}
	f := fields{b: s.text}
	if s.old {
		f.b = s.earlier
	}
	dst, _ := f.registers("")
	code := opcode.Parse(string(f.word()))
	src, _ := f.registers("")
	base, _, _ := strings.Cut(code.Name, ".")
	var unit int
	if slices.Contains(c.peer.binaries, h.BinaryVersion) { // else the header is refused
		var ok bool
		if unit, ok = peerOpcodes()[h.BinaryVersion][base]; !ok {
			c.add(line, Refused, "found the opcode %s, expected one of the table for -binary version = %d", base,
				h.BinaryVersion)
			return
		}
	}
	if unit != 0 {
		c.add(line, Needs, "a specialised unit %d (-specialized_unit_%d), for %s", unit, unit, unitNames[unit])
	}
	c.registers(line, &code, dst, src, f.b)
	if base == "ATOMS" && len(dst) == 0 {
		c.add(line, Misread, "found no result of %s, expected one, R255 if nobody reads it: it is never counted",
			code.Name)
	}
	if s.width > 0 && !code.Bulk() && code.Addressed() {
		c.memory(h, &code, base, line)
	}
}

// registers checks the registers of an instruction. text is the line from the number of results on.
func (c *checker) registers(line int, code *opcode.Code, dst, src []opcode.Reg, text []byte) {
	if len(dst) > 1 || len(src) > 4 {
		c.add(line, Refused, "found %d results and %d sources of %s, expected at most 1 and 4", len(dst), len(src),
			code.Name)
	}
	for _, r := range append(dst, src...) {
		if c.peer.uniform {
			break
		}
		if r.Kind == opcode.Uniform || r.Kind == opcode.UniformPredicate || r.Kind == opcode.Predicate {
			c.add(line, Misread, "found a predicate or a uniform register among the operands of %s, expected R0 to "+
				"R255: its number is left undefined", code.Name)
		}
	}
	if name := unnumbered(text); name != "" {
		c.add(line, c.peer.unnumbered, "found %s among the operands of %s, expected a register by its number, such as "+
			"R255", name, code.Name)
	}
}

// unnumbered returns a register without a number in an instruction, or "".
func unnumbered(inst []byte) string {
	for _, w := range strings.Fields(string(inst)) {
		if w == "RZ" || w == "URZ" || w == "PT" || w == "UPT" {
			return w
		}
	}
	return ""
}

// memory checks Accel-Sim's interpretation of the width and the addresses of an instruction.
func (c *checker) memory(h *Header, code *opcode.Code, base string, line int) {
	if n := peerBytes(code.Name); n != code.Bytes() {
		c.add(line, Misread, "found %s, which accesses %d bytes per lane; by its suffixes it is taken for %d",
			code.Name,
			code.Bytes(), n)
	}
	if (base == "LD" || base == "ST") && (h.SharedBase == 0 || h.LocalBase == 0) {
		c.add(line, Misread, "found %s, and no -shmem base_addr or no -local mem base_addr: it is taken for an "+
			"access of shared memory", code.Name)
	}
}

// peerBytes returns the size of an access, in bytes, by Accel-Sim's rule: the first part of the opcode consisting
// of a number, or U and a number, in bits.
func peerBytes(name string) int {
	for _, part := range strings.Split(name, ".") {
		if n, err := strconv.Atoi(strings.TrimPrefix(part, "U")); err == nil && part != "" {
			return n / 8
		}
	}
	return 4
}

var unitNames = [...]string{1: "branches", 2: "textures", 3: "matrix operations", 4: "uniform operations"}
