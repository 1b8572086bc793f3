package ptx

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/kernel/ir"
)

// typeSet is a set of ir types.
type typeSet uint32

func types(list ...ir.Type) (s typeSet) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

func (s typeSet) has(t ir.Type) bool { return s>>t&1 != 0 }

func (s typeSet) String() string {
	var names []string
	for t := ir.U8; t <= ir.PredType; t++ {
		if s.has(t) {
			names = append(names, "."+t.String())
		}
	}
	return strings.Join(names, " ")
}

// Sets of types shared by rows.
var (
	tI16    = types(ir.U16, ir.S16)
	tI32    = types(ir.U32, ir.S32)
	tI64    = types(ir.U64, ir.S64)
	tInt    = tI16 | tI32 | tI64
	tBits   = types(ir.B16, ir.B32, ir.B64)
	tB32    = types(ir.B32)
	tB3     = types(ir.B32, ir.B64)
	tF32    = types(ir.F32)
	tF64    = types(ir.F64)
	tF      = tF32 | tF64
	tF16    = types(ir.F16, ir.F16x2)
	tBF16   = types(ir.BF16, ir.BF16x2)
	tHalf   = tF16 | tBF16
	tPred   = types(ir.PredType)
	tMem    = tNumber | tBits | types(ir.B8)
	tNumber = types(ir.U8, ir.S8) | tInt | tF | tHalf
)

// row describes one form of an opcode. An instruction uses the first row of its opcode with matching types.
type row struct {
	op     ir.Op
	types  typeSet // of the first type; empty: the instruction has none
	src    typeSet // of the second type; empty: there is none
	groups []*group
	need   []*group // groups with one required modifier each
	// old reports whether a module's version permits omitting the modifiers of need; post then sets their defaults.
	// nil: never.
	old func(*module) bool
	// ops lists the operands: a role (d destination, s source) and a type (t Type, o SrcType, w Type or twice as
	// wide with .wide, u 32 bits, p predicate), with ? if optional.
	ops    string
	preset func(*ir.Inst)
	post   func(*ir.Inst) // after the modifiers
	build  func(*decoder) // where the generic builder does not do
}

// decoder has the state of the decoding of one instruction.
type decoder struct {
	e     *emitter
	s     *scope
	in    *inst
	row   *row
	guard ir.Operand
	out   ir.Inst
	types []ir.Type
	vec   int // .v2, .v4; 1 otherwise
}

func (d *decoder) errorf(p pos, format string, args ...any) {
	d.e.errs.add(p, format, args...)
}

// inst decodes an instruction and appends the result.
func (e *emitter) inst(s *scope, in *inst) {
	e.home.at = in.pos
	rows, ok := opcodes[in.op]
	if !ok {
		e.refuse(in)
		return
	}
	if packed := in.packed(); packed != nil {
		rows = packed
	}
	d := &decoder{e: e, s: s, in: in, vec: 1}
	if !d.suffixes() || !d.splitTypes() || !d.selectRow(rows) {
		return
	}
	d.out = ir.Inst{Op: d.row.op, Line: int32(in.pos.line), Col: int32(in.pos.col)}
	if len(d.types) > 0 {
		d.out.Type = d.types[0]
	}
	if len(d.types) > 1 {
		d.out.SrcType = d.types[1]
	}
	if d.row.preset != nil {
		d.row.preset(&d.out)
	}
	if !d.modifiers() {
		return
	}
	if d.row.post != nil {
		d.row.post(&d.out)
	}
	if in.guard != nil {
		g, ok := d.predicate(in.guard)
		if !ok {
			return
		}
		d.guard = g
	}
	d.out.Guard = d.guard
	if d.row.build != nil {
		d.row.build(d)
		return
	}
	d.generic()
}

// full returns the opcode as written, modifiers included.
func (in *inst) full() string {
	var b strings.Builder
	b.WriteString(in.op)
	for _, m := range in.mods {
		b.WriteString("." + m.text)
	}
	return b.String()
}

// typeNamed returns the type of a suffix. tf32 is a type of matrices; elsewhere it is a modifier of a conversion.
func (d *decoder) typeNamed(text string) (ir.Type, bool) {
	if text == "tf32" && (d.in.op == "mma" || d.in.op == "wmma") {
		return ir.TF32, true
	}
	t, ok := typeNames[text]
	return t, ok
}

// splitTypes gathers the type and vector modifiers.
func (d *decoder) splitTypes() bool {
	for _, m := range d.in.mods {
		if t, ok := d.typeNamed(m.text); ok {
			d.types = append(d.types, t)
			continue
		}
		if vectors[m.text] && d.vec > 1 {
			d.errorf(m.pos, "found a second length of a vector in %s, expected one", d.in.full())
			return false
		}
		switch m.text {
		case "v2":
			d.vec = 2
		case "v4":
			d.vec = 4
		case "v8":
			d.vec = 8
		}
	}
	return true
}

func (d *decoder) selectRow(rows []row) bool {
	best := ""
	var first typeSet
	for i := range rows {
		r := &rows[i]
		first |= r.types
		why := r.fits(d.types)
		if why == "" {
			d.row = r
			return true
		}
		best = why
	}
	if len(rows) > 1 {
		best = "expected a type of " + first.String()
	}
	if len(d.types) > 0 && first != 0 && !first.has(d.types[0]) {
		d.errorf(d.in.pos, "found %s, whose type .%s it does not take, expected one of %s", d.in.full(), d.types[0],
			first)
		return false
	}
	d.errorf(d.in.pos, "found %s, %s", d.in.full(), best)
	return false
}

// fits describes a mismatch of the types with this row, "" if none.
func (r *row) fits(ts []ir.Type) string {
	want := 0
	if r.types != 0 {
		want = 1
	}
	if r.src != 0 {
		want = 2
	}
	switch {
	case len(ts) != want && !(r.build != nil && r.types == 0):
		return fmt.Sprintf("expected %d types", want)
	case r.types != 0 && !r.types.has(ts[0]):
		return "expected a type of " + r.types.String()
	case r.src != 0 && !r.src.has(ts[1]):
		return "expected a second type of " + r.src.String()
	}
	return ""
}

func (d *decoder) modifiers() bool {
	ok := true
	var used []*group
	for _, m := range d.in.mods {
		if _, isType := d.typeNamed(m.text); isType || vectors[m.text] {
			continue
		}
		g, v, found := d.row.lookup(m.text)
		if !found {
			remedy := ""
			if m.text == "shared::cluster" {
				remedy = ": " + byGlobal
			}
			d.errorf(m.pos, "found the modifier .%s of %s, which is not supported there%s", m.text, d.in.full(), remedy)
			ok = false
			continue
		}
		if slices.Contains(used, g) && g != gLayouts {
			d.errorf(m.pos, "found the modifier .%s as a second one of its kind in %s, expected one", m.text,
				d.in.full())
			ok = false
			continue
		}
		if g == gCmp && len(d.types) > 0 && !d.compares(m) {
			ok = false
		}
		g.set(&d.out, v)
		used = append(used, g)
	}
	for _, g := range d.row.need {
		if !slices.Contains(used, g) && (d.row.old == nil || !d.row.old(d.e.m)) {
			d.errorf(d.in.pos, "found %s, expected %s", d.in.full(), g.name)
			ok = false
		}
	}
	return ok
}

// comparisons has the comparisons by type (PTX ISA, sections 9.7.5.1 and 9.7.5.2). Integers and floating point share
// numbers. Unsigned integers have four more, and floating point has eight more. Bits are equal or not.
var comparisons = struct{ bits, numbers, unsigned, floats []string }{
	[]string{"eq", "ne"}, []string{"eq", "ne", "lt", "le", "gt", "ge"}, []string{"lo", "ls", "hi", "hs"},
	[]string{"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}}

// compares reports whether values of the last type are compared as a modifier says.
func (d *decoder) compares(m token) bool {
	t := d.types[len(d.types)-1]
	list := comparisons.numbers
	switch {
	case t.Float():
		list = slices.Concat(list, comparisons.floats)
	case tBits.has(t):
		list = comparisons.bits
	case !t.Signed():
		list = slices.Concat(list, comparisons.unsigned)
	}
	if slices.Contains(list, m.text) {
		return true
	}
	d.errorf(m.pos, "found the comparison .%s of type .%s in %s, expected one of %s", m.text, t, d.in.full(),
		strings.Join(list, ", "))
	return false
}
