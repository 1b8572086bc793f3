package opcode

import (
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
// suffixes, in capitals.
func Valid(name string) bool {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	for _, c := range []byte(name) {
		if !(c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_') {
			return false
		}
	}
	return true
}
