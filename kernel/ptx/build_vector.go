package ptx

import "kumiko/kernel/ir"

// vectorAtom builds atom and red on vectors (PTX ISA sections 9.7.13.5 and 9.7.13.6). Each element is atomic by
// itself, so there is one operation for each.
func (d *decoder) vectorAtom() {
	m, size := d.out.Mods.Atomic, d.vec*d.out.Type.Size()
	half := tHalf.has(d.out.Type)
	if !half && (m != ir.AtomAdd || d.out.Type != ir.F32) || half && m != ir.AtomAdd && m != ir.AtomMin &&
		m != ir.AtomMax ||
		size > 16 || d.out.Space != ir.Global && d.out.Space != ir.SpaceNone {
		d.errorf(d.in.pos, "found %s, expected .add of .f32, or .add, .min or .max of halves, of at most 16 bytes "+
			"in global "+
			"memory", d.in.full())
		return
	}
	n := 2
	if d.out.Op == ir.OpAtom {
		n = 3
	}
	if !d.need(n, n) {
		return
	}
	var to []operand
	if ops := d.in.ops; d.out.Op == ir.OpAtom {
		if to = d.elements(&ops[0]); to == nil {
			return
		}
		d.in.ops = ops[1:]
	}
	p, ok := d.memory(&d.in.ops[0])
	from := d.elements(&d.in.ops[1])
	if !ok || from == nil {
		return
	}
	base := p.addr
	if to != nil {
		base.Base = d.ownRegister(base.Base)
	}
	for i := range from {
		one := d.out
		one.Addr = base
		one.Addr.Offset += int64(i * d.out.Type.Size())
		v, ok := d.src(&from[i], d.out.Type)
		if !ok {
			return
		}
		if one.Src = []ir.Operand{v}; to != nil {
			r, ok := d.dst(&to[i], d.out.Type)
			if !ok {
				return
			}
			one.Dst = []ir.Operand{r}
		}
		d.e.add(one)
	}
}

// ownRegister returns an address in a register of its own, not overwritten by the instruction's results.
func (d *decoder) ownRegister(base ir.Operand) ir.Operand {
	if base.Kind != ir.KindReg {
		return base
	}
	return d.result(ir.OpMov, map[uint8]ir.Type{1: ir.U32, 2: ir.U64}[base.Words], base)
}

// maxAccess is the largest access of an instruction, in bytes per lane. An access of 32 bytes (PTX ISA 8.8) becomes
// two.
const maxAccess = 16

// mostWords is the largest number of registers loaded or stored by an instruction.
const mostWords = 4

// tooWide reports whether the elements of a load or a store, of at most 32 bits, are in
// more registers than an instruction has.
func (d *decoder) tooWide(list []ir.Operand) bool {
	words, wide := 0, false
	for i := range list {
		words += int(list[i].Words)
		wide = wide || list[i].Words == 2
	}
	return wide && words > mostWords && d.out.Type.Size() <= 4
}

// narrowLoad loads a vector into registers of 32 bits if the instruction would have too many registers. It returns
// a function to extend the elements behind the load.
func (d *decoder) narrowLoad() (extend func()) {
	if !d.tooWide(d.out.Dst) {
		return func() {}
	}
	results, to := d.out.Dst, ir.U32
	if d.out.Type.Signed() {
		to = ir.S32
	}
	d.out.Dst, d.out.SrcType = make([]ir.Operand, len(results)), ir.TypeNone
	if d.out.Type.Size() < 4 {
		d.out.SrcType = to
	}
	for i := range results {
		if d.out.Dst[i] = results[i]; results[i].Words == 2 {
			d.out.Dst[i] = d.e.temp(4)
		}
	}
	loaded := d.out.Dst
	return func() {
		for i := range results {
			if results[i].Words == 2 {
				d.step(ir.OpCvt, map[ir.Type]ir.Type{ir.U32: ir.U64, ir.S32: ir.S64}[to], results[i], loaded[i]).
					SrcType = to
			}
		}
	}
}

// narrowStore stores the low words of a vector if the instruction would have too many registers.
func (d *decoder) narrowStore() {
	if !d.tooWide(d.out.Src) {
		return
	}
	for i := range d.out.Src {
		if o := &d.out.Src[i]; o.Kind == ir.KindReg {
			o.Words = 1
		}
	}
}

// addAccess appends a load or a store.
func (d *decoder) addAccess() {
	n := max(len(d.out.Dst), len(d.out.Src))
	if n*d.out.Type.Size() <= maxAccess {
		d.e.add(d.out)
		return
	}
	base := d.ownRegister(d.out.Addr.Base)
	for i := range 2 {
		half := d.out
		half.Addr.Base = base
		half.Addr.Offset += int64(i * maxAccess)
		if from, to := i*n/2, (i+1)*n/2; len(d.out.Dst) > 0 {
			half.Dst = d.out.Dst[from:to:to]
		} else {
			half.Src = d.out.Src[from:to:to]
		}
		d.e.add(half)
	}
}
