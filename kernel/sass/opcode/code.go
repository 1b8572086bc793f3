package opcode

import (
	"maps"
	"slices"
	"strings"

	"kumiko/kernel/ir"
)

// Code is an opcode with its suffixes.
type Code struct {
	Name  string
	Known bool
	info
	mods []string
}

// unknown is what an opcode outside of the table counts as: an integer
// operation of one register per operand.
var unknown = info{class: ir.ClassInt, op: ir.OpAdd, typ: ir.S32}

// Parse looks an opcode up.
func Parse(name string) Code {
	parts := strings.Split(name, ".")
	i, ok := table[parts[0]]
	if !ok {
		i = unknown
	}
	c := Code{Name: name, Known: ok, info: i, mods: parts[1:]}
	c.refine(parts[0])
	return c
}

// refine settles what the suffixes say.
func (c *Code) refine(base string) {
	switch {
	case base == "IMAD" && c.has("MOV"):
		c.class, c.op, c.width = ir.ClassMove, ir.OpMov, single
	case base == "REDS":
		c.space = ir.Shared
	case base == "FRND" && c.has("F64"):
		c.width = double
	}
	if c.class == ir.ClassConvert && (c.has("F64") || c.has("S64") || c.has("U64")) {
		c.class = ir.ClassConvertWide
	}
}

func (c *Code) has(mod string) bool {
	for _, m := range c.mods {
		if m == mod {
			return true
		}
	}
	return false
}

// Jumps reports whether control may go on elsewhere.
func (c *Code) Jumps() bool { return c.flow == jumps }

// Exits reports whether the instruction ends lanes.
func (c *Code) Exits() bool { return c.flow == exits }

// Bulk reports whether a trace gives the addresses of the instruction in the form
// of the tensor memory accelerator, a count and then that many.
func (c *Code) Bulk() bool {
	return strings.HasPrefix(c.Name, "UTMA") || strings.HasPrefix(c.Name, "UBLK")
}

// Addressed reports whether each lane of the instruction accesses memory at an
// address of its own, which a trace then gives. Constants, textures and surfaces
// have none there.
func (c *Code) Addressed() bool {
	switch c.space {
	case ir.Generic, ir.Global, ir.Shared, ir.Local:
		return !strings.HasPrefix(c.Name, "SU")
	}
	return false
}

// Bytes that each lane accesses: what the suffixes say, and 4 where they are
// silent. The width that a trace gives beside the addresses is not used:
// tracers have reported it wrongly.
func (c *Code) Bytes() int {
	if c.rows() {
		return 16 // a lane's address is that of a row of eight 16-bit elements
	}
	for _, m := range c.mods {
		switch m {
		case "8", "U8", "S8":
			return 1
		case "16", "U16", "S16":
			return 2
		case "64", "U64", "S64", "F64":
			return 8
		case "128":
			return 16
		}
	}
	return 4
}

// Spans returns how many registers the result spans, and the function that says so of source i, predicates and
// addresses apart. It is 1 where the suffixes do not tell: of matrix operations that are sparse or have an unknown
// shape, and of CS2R, whose result has 32 bits on Maxwell and Pascal.
func (c *Code) Spans() (result int, source func(i int) int) {
	switch {
	case c.space != ir.SpaceNone:
		return c.words(), func(int) int { return c.words() }
	case c.width == clock || c.width == matrix && c.has("SP"):
		return 1, func(int) int { return 1 }
	}
	return c.spans(0, nil)
}

// InMemory reports whether the instruction loads, stores or fetches.
func (c *Code) InMemory() bool { return c.space != ir.SpaceNone }

// Extended reports whether addresses have 64 bits. The first of the two addresses of a copy to shared memory is
// that of shared memory; second asks for the other one.
func (c *Code) Extended(second bool) bool {
	return c.Addressed() && c.has("E") && (second || !c.copies())
}

// Names returns the opcodes of the table in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(table)) }

// rows reports whether the instruction moves matrices between shared memory and
// registers.
func (c *Code) rows() bool {
	return strings.HasPrefix(c.Name, "LDSM") || strings.HasPrefix(c.Name, "STSM")
}

// words is how many registers the data of a memory instruction spans.
func (c *Code) words() int {
	switch {
	case !c.rows():
		return (c.Bytes() + 3) / 4
	case c.has("4"):
		return 4
	case c.has("2"):
		return 2
	}
	return 1
}

// Valid reports whether a name is one that a trace may have: an opcode and its
// suffixes, in capitals, but for the x between numbers, as in F16x2.
func Valid(name string) bool {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	for i, c := range []byte(name) {
		switch {
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_':
		case c == 'x' && name[i-1] >= '0' && name[i-1] <= '9':
		default:
			return false
		}
	}
	return true
}
