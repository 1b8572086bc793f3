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

// unknown is the information for an opcode outside the table: an integer operation with one register per operand.
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

// refine applies the suffixes.
func (c *Code) refine(base string) {
	switch {
	case base == "IMAD" && c.has("MOV"):
		c.class, c.op, c.width = ir.ClassMove, ir.OpMov, single
	case base == "HFMA2" && c.has("MMA"):
		c.class = ir.ClassHalfMMA
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
	return slices.Contains(c.mods, mod)
}

// Lacks returns what the simulation leaves out of an instruction, or "" if a user need not know.
func (c *Code) Lacks() string {
	if c.width == matrix {
		if _, _, _, ok := c.shape(); !ok {
			return "its shape is not known, so that it takes the least time of its unit"
		}
	}
	return c.lacks
}

// Jumps reports whether control may continue elsewhere.
func (c *Code) Jumps() bool { return c.flow == jumps }

// Exits reports whether the instruction ends lanes.
func (c *Code) Exits() bool { return c.flow == exits }

// Bulk reports whether the instruction's addresses in a trace have the form of the tensor memory accelerator: a
// count, followed by this number of addresses.
func (c *Code) Bulk() bool {
	return strings.HasPrefix(c.Name, "UTMA") || strings.HasPrefix(c.Name, "UBLK")
}

// Addressed reports whether each lane of the instruction accesses memory at an address of its own, listed in the
// trace. Constants, textures and surfaces have none there.
func (c *Code) Addressed() bool {
	switch c.space {
	case ir.Generic, ir.Global, ir.Shared, ir.Local:
		return !strings.HasPrefix(c.Name, "SU")
	}
	return false
}

// Bytes returns the access size of a lane, given by the suffixes, or 4 without such a suffix. The width given in a
// trace beside the addresses is not used: tracers have reported it wrongly.
func (c *Code) Bytes() int {
	if c.rows() {
		return 16 // a lane's address is the address of a row of eight 16-bit elements
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

// Spans returns the number of registers of the result, and a function that returns the number of registers of
// source i. Predicates and addresses are not counted. The numbers are 1 if the suffixes do not determine them: for
// matrix operations with sparse matrices or an unknown shape, and for CS2R, with a 32-bit result on Maxwell and
// Pascal.
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

// Extended reports whether addresses have 64 bits. A copy to shared memory has two addresses, the first one in
// shared memory; second selects the other one.
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

// words returns the number of registers of the data of a memory instruction.
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

// Valid reports whether a name may occur in a trace: an opcode and its suffixes, in capitals, except for the x
// between numbers, as in F16x2.
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
