package launch

import (
	"encoding/binary"
	"math"
	"slices"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// scalarTypes are the names of argument and buffer types.
var scalarTypes = map[string]ir.Type{
	"s8": ir.S8, "s16": ir.S16, "s32": ir.S32, "s64": ir.S64, "u8": ir.U8, "u16": ir.U16, "u32": ir.U32, "u64": ir.U64,
	"b8": ir.B8, "b16": ir.B16, "b32": ir.B32, "b64": ir.B64, "f16": ir.F16, "bf16": ir.BF16, "f32": ir.F32,
	"f64": ir.F64,
}

// elementTypes describes these types in messages.
const elementTypes = "s8 to s64, u8 to u64, b8 to b64, f16, bf16, f32 or f64"

// arg is an argument: its bytes, with the places for addresses of buffers.
type arg struct {
	bytes    []byte
	align    int
	pointers []pointer
	typ      ir.Type // of a scalar
}

// pointer is the address of a buffer plus an offset, or the handle of a texture.
type pointer struct {
	at      int // byte in the argument
	buffer  *buffer
	offset  int64
	texture *boundTexture
	module  *ir.Module // of the kernel, for a texture
}

func (p *pointer) bits() uint64 {
	if p.texture != nil {
		return p.texture.handleIn(p.module)
	}
	return p.buffer.addr + uint64(p.offset)
}

// args reads the arguments of a launch and checks them against the kernel.
func (r *reader) args(v *value, m *ir.Module, k *ir.Kernel) []arg {
	if len(v.list) != len(k.Params) {
		r.errorf(v.place, "found %d arguments, expected %d of %s", len(v.list), len(k.Params), k.Name)
	}
	var out []arg
	for i, e := range v.list {
		a, ok := r.arg(e, m)
		if !ok || i >= len(k.Params) {
			continue
		}
		if p := &k.Params[i]; p.Size == 4 && len(a.pointers) == 1 && len(a.bytes) == 8 && a.pointers[0].texture == nil {
			a.bytes, a.align = a.bytes[:4], 4 // a pointer of 32-bit code
		}
		if p := &k.Params[i]; len(a.bytes) != p.Size {
			r.errorf(e.place, "found an argument of %d bytes, expected %d of parameter %d (%s) of %s", len(a.bytes),
				p.Size, i, p.Name, k.Name)
		} else if t := a.typ; t != ir.TypeNone && !untyped(t) && readAs(k, p, !t.Float()) {
			r.errorf(e.place, "found %s, expected %s: parameter %d (%s) of %s is declared and read as %s; "+
				"b%d takes its bits", nounOf(t), nounOf(p.Type), i, p.Name, k.Name, p.Type, 8*p.Size)
		} else {
			a.align = max(a.align, p.Align)
		}
		out = append(out, a)
	}
	return out
}

// argsOfNone checks the arguments of an unknown kernel, each by itself.
func (r *reader) argsOfNone(v *value) {
	for _, e := range v.list {
		r.arg(e, nil)
	}
}

// arg reads {type = value}, {buffer = name, offset = bytes}, {texture = name} or
// {struct = [...]}.
func (r *reader) arg(v *value, m *ir.Module) (a arg, ok bool) {
	if !r.is(v, kindTable) {
		return a, false
	}
	if v.get("buffer") != nil {
		return r.pointer(v, m)
	}
	if v.get("texture") != nil {
		return r.textureArg(v, m)
	}
	if len(v.keys) != 1 {
		r.errorf(v.place, "found %d keys in an argument, expected one such as f32, buffer or struct", len(v.keys))
		return a, false
	}
	e := v.keys[0]
	if e.name == "struct" {
		return r.structure(e.val, m)
	}
	t, known := scalarTypes[e.name]
	if !known {
		r.errorf(e.place, "found the argument type %q, expected s8 to s64, u8 to u64, b8 to b64, f16, bf16, f32, "+
			"f64, buffer, texture or struct", e.name)
		return a, false
	}
	bits, ok := r.scalar(e.val, t)
	return arg{bytes: little(bits, t.Size()), align: t.Size(), typ: t}, ok
}

func little(bits uint64, size int) []byte {
	return binary.LittleEndian.AppendUint64(nil, bits)[:size:size]
}

// pointer reads {buffer = name, offset = bytes}, an address for the kernels of a module; nil: the module is not
// known.
func (r *reader) pointer(v *value, m *ir.Module) (a arg, ok bool) {
	r.keys(v, "buffer", "offset")
	name := v.get("buffer")
	if !r.is(name, kindString) {
		return a, false
	}
	b := r.p.buffers[name.str]
	if b == nil {
		r.errorf(name.place, "found the buffer %q, expected one of [buffers]", name.str)
		return a, false
	}
	if b.constant() && m != nil && b.module != m && !slices.Contains(m.Linked, b.module) {
		r.errorf(name.place,
			"found the buffer %q, a constant that only kernels of %s can address, expected another one",
			name.str, b.module.File)
		return a, false
	}
	most := int64(b.size())
	if b.unsound {
		most = int64(r.lim.Bytes)
	}
	off := r.integer(v, "offset", 0, 0, most)
	return arg{bytes: make([]byte, 8), align: 8, pointers: []pointer{{buffer: b, offset: off}}}, true
}

// structure lays members out by their natural alignment, with the end padded to the largest alignment.
func (r *reader) structure(v *value, m *ir.Module) (a arg, ok bool) {
	if !r.is(v, kindList) {
		return a, false
	}
	a.align, ok = 1, true
	for _, e := range v.list {
		member, good := r.arg(e, m)
		if !good {
			ok = false
			continue
		}
		a.pad(member.align)
		for _, p := range member.pointers {
			p.at += len(a.bytes)
			a.pointers = append(a.pointers, p)
		}
		a.bytes = append(a.bytes, member.bytes...)
		a.align = max(a.align, member.align)
	}
	a.pad(a.align)
	if len(a.bytes) == 0 && ok {
		r.errorf(v.place, "found an empty struct, expected members")
		ok = false
	}
	return a, ok
}

func (a *arg) pad(align int) {
	for len(a.bytes)%align != 0 {
		a.bytes = append(a.bytes, 0)
	}
}

// scalar returns the bit pattern of a number in a type. Integers must fit; b types accept the range of both
// signednesses.
func (r *reader) scalar(v *value, t ir.Type) (uint64, bool) {
	if t.Float() {
		if !r.is(v, kindFloat) {
			return 0, false
		}
		return floatBits(v.f, t), true
	}
	if !r.is(v, kindInt) {
		return 0, false
	}
	low, high := intRange(t)
	if v.i < low || v.i > high {
		r.errorf(v.place, "found %d, expected a value of type %s", v.i, t)
		return 0, false
	}
	return uint64(v.i), true
}

// halves are the types of 16 bits.
var halves = map[ir.Type]*softfloat.Format{ir.F16: softfloat.F16, ir.BF16: softfloat.BF16}

// floatBits rounds a number to a floating-point type, to nearest even.
func floatBits(f float64, t ir.Type) uint64 {
	bits := math.Float64bits(f)
	switch t {
	case ir.F16, ir.BF16:
		return halves[t].Round(softfloat.F64.Unpack(bits), softfloat.NearestEven)
	case ir.F32:
		return uint64(math.Float32bits(float32(f)))
	}
	return bits
}

// intRange returns the range of a TOML integer for a type; TOML's own integers have 63 bits and a sign.
func intRange(t ir.Type) (low, high int64) {
	n := 8 * t.Size()
	signed, unsigned := t.Signed(), false
	switch t {
	case ir.U8, ir.U16, ir.U32, ir.U64:
		unsigned = true
	}
	if !unsigned {
		low = -1 << (n - 1)
	}
	switch {
	case signed:
		high = 1<<(n-1) - 1
	case n == 64:
		high = math.MaxInt64
	default:
		high = 1<<n - 1
	}
	return low, high
}
