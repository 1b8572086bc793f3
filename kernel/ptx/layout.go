package ptx

import (
	"encoding/binary"
	"math/bits"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// funcBase is the address of the module's first function with its address taken; further ones follow at intervals
// of 16 bytes, in an area without memory.
const funcBase = 0x0080_0000

// constLimit is the size, in bytes, of the constant bank for variables of constant space (PTX ISA section 5.1.3).
const constLimit = 64 << 10

// globalLimit bounds the variables of global space: 4 GiB, the memory of the
// largest GPU modelled.
const globalLimit = 4 << 30

func alignUp(n, a int) int { return (n + a - 1) / a * a }

// places has the next free place of each kind. Linked modules take theirs one after the other.
type places struct {
	global   uint64
	bank     int // bytes of constant space
	textures []string
	funcs    int
	full     bool // global memory is, for all later variables
}

// layout gives module variables their addresses, in module order. Global ones get the addresses allocated by
// mem.Memory from at.global on, constant ones are packed by alignment.
func (m *module) layout(at *places, errs *errors) {
	base := at.global
	for _, v := range m.vars {
		if v.space == ir.Texture {
			v.tex, v.opaque = true, "texref"
		}
		if v.tex && !v.extern {
			v.addr = ir.TextureHandle(len(at.textures))
			at.textures = append(at.textures, v.name)
		}
		if v.ref || v.extern || v.space == ir.Texture {
			continue
		}
		switch v.space {
		case ir.Global:
			v.addr = uint64(alignUp(int(at.global), max(v.align, mem.Align)))
			at.global = (v.addr + uint64(v.size) + mem.Gap + mem.Align - 1) / mem.Align * mem.Align
			if end := v.addr + uint64(v.size) - base; end > globalLimit && !at.full {
				errs.add(v.pos, "found %s end at byte %d of global memory, expected at most %d", v.name, end,
					globalLimit)
				at.full = true // like all later ones
			}
		case ir.Const:
			at.bank = alignUp(at.bank, v.align)
			v.addr = uint64(at.bank)
			if at.bank += v.size; at.bank > constLimit {
				errs.add(v.pos, "found %s end at byte %d of constant space, expected at most %d", v.name, at.bank,
					constLimit)
			}
		}
	}
	m.functionAddresses(at)
}

// functionAddresses numbers the functions and marks the ones with a taken address.
func (m *module) functionAddresses(at *places) {
	take := func(name string) {
		if s := m.syms[name]; s != nil && s.kind == symFunc {
			s.fn.taken = true
		}
	}
	for _, f := range m.funcs {
		f.addr = funcBase + 16*uint64(at.funcs)
		at.funcs++
		for name := range f.refs {
			take(name)
		}
	}
	var walk func(in *initial)
	walk = func(in *initial) {
		take(in.sym)
		for i := range in.list {
			walk(&in.list[i])
		}
	}
	for _, v := range m.vars {
		if v.init != nil {
			walk(v.init)
		}
	}
}

// irVars returns the module's variables with their initial bytes.
func (m *module) irVars(errs *errors) []ir.Var {
	var out []ir.Var
	for _, v := range m.vars {
		if v.ref || v.extern || v.space != ir.Global && v.space != ir.Const {
			continue
		}
		w := ir.Var{Name: v.name, Space: v.space, Size: v.size, Align: v.align, Address: v.addr}
		if v.init != nil {
			f := filler{m: m, errs: errs, v: v}
			dims := v.dims
			if v.vec > 1 {
				dims = append(append([]int{}, dims...), v.vec)
			}
			f.fill(v.init, dims, 0)
			w.Init = f.out
		}
		out = append(out, w)
	}
	return out
}

// filler turns an initialiser into bytes.
type filler struct {
	m    *module
	errs *errors
	v    *variable
	out  []byte
}

func (f *filler) fill(in *initial, dims []int, off int) {
	if in.leaf {
		f.leaf(in, off)
		return
	}
	if len(dims) == 0 {
		if len(in.list) == 1 {
			f.fill(&in.list[0], nil, off)
			return
		}
		f.errs.add(in.pos, "found a list of %d values, expected one value", len(in.list))
		return
	}
	stride := f.v.typ.Size()
	for _, d := range dims[1:] {
		stride *= d
	}
	for i := range in.list {
		step := stride
		if in.list[i].leaf { // a flat list of a many-dimensional array
			step = f.v.typ.Size()
		}
		f.fill(&in.list[i], dims[1:], off+i*step)
	}
}

func (f *filler) leaf(in *initial, off int) {
	size := f.v.typ.Size()
	if off+size > f.v.size {
		f.errs.add(in.pos, "found more values than %s has room for (%d bytes)", f.v.name, f.v.size)
		return
	}
	val, ok := f.value(in)
	if !ok {
		return
	}
	if n := off + size - len(f.out); n > 0 {
		f.out = append(f.out, make([]byte, n)...)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], val)
	copy(f.out[off:off+size], b[:])
}

func (f *filler) value(in *initial) (uint64, bool) {
	t := f.v.typ
	if in.sym == "" {
		val, ok := in.value.as(t)
		if !ok && in.value.kind == tokInt { // an integer in a float array is its number
			val, ok = decimal(in.value.float()).as(t)
		}
		if !ok {
			f.errs.add(in.pos, "found a floating-point value, expected one of type .%s", t)
		}
		return val, ok
	}
	if f.m.undefined(in.sym) {
		return 0, true // whatever uses it is refused
	}
	a, ok := f.m.address(in.sym, in.generic)
	if !ok {
		f.errs.add(in.pos, "found %q, expected a variable of global or constant space or a function", in.sym)
		return 0, false
	}
	a += in.value.bits
	if in.mask != 0 {
		a = a & in.mask >> bits.TrailingZeros64(in.mask)
	} else if t.Size() < 4 {
		f.errs.add(in.pos, "found the address of %s in a .%s, expected 32 or 64 bits", in.sym, t)
	}
	return a, true
}

// address returns the address of a module symbol, generic or in its own space.
func (m *module) address(name string, generic bool) (uint64, bool) {
	s := m.syms[name]
	switch {
	case s == nil:
	case s.kind == symFunc:
		return s.fn.addr, true
	case s.v.extern:
	case s.v.tex:
		return s.v.addr, true
	case s.v.ref:
	case s.v.space == ir.Global:
		return s.v.addr, true
	case s.v.space == ir.Const && generic:
		return ir.ConstWindow + s.v.addr, true
	case s.v.space == ir.Const:
		return s.v.addr, true
	}
	return 0, false
}
