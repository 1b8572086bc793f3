package rules

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Number returns the number of a register in the kernel.
func (b *Builder) Number(kind listing.Kind, n, words int) (ir.Operand, error) {
	last := n + words
	if kind == listing.UReg {
		if words > 1 && n%2 != 0 || last > ir.UniformRegs-1 {
			return ir.Operand{}, fmt.Errorf("%d registers that begin with UR%d, expected an even number "+
				"and at most UR%d", words, n, ir.UniformRegs-2)
		}
		return ir.U(ir.Reg(n), words), nil
	}
	if last > b.Fn.Registers {
		return ir.Operand{}, fmt.Errorf("register R%d of a function with %d", last-1, b.Fn.Registers)
	}
	return ir.R(ir.Reg(n), words), nil
}

// Register returns a destination; none for RZ.
func (b *Builder) Register(o *listing.Operand, words int) (ir.Operand, error) {
	want := listing.Reg
	if b.Uniform {
		want = listing.UReg
	}
	if b.family.Flags && o.Suffix == "CC" {
		flagged := *o
		flagged.Suffix, b.SetFlags = "", true
		o = &flagged
	}
	switch {
	case o.Kind != want || o.Suffix != "" || o.Neg || o.Not || o.Abs:
		return ir.Operand{}, errors.New("a destination that is not a register of the instruction's file")
	case o.N == listing.Zero:
		return ir.Operand{}, nil
	}
	return b.Number(o.Kind, o.N, words)
}

// Target returns a destination predicate; none for PT.
func (b *Builder) Target(o *listing.Operand) (ir.Operand, error) {
	if o.Kind != listing.Pred && o.Kind != listing.UPred || o.Not {
		return ir.Operand{}, errors.New("a destination that is not a predicate, expected one")
	}
	if o.N == listing.True {
		return ir.Operand{}, nil
	}
	return b.Predicate(o)
}

// Predicate returns a source predicate.
func (b *Builder) Predicate(o *listing.Operand) (p ir.Operand, err error) {
	switch {
	case (o.Kind == listing.Reg || o.Kind == listing.UReg) && o.Suffix == "SIGN" && b.In.Op == ir.OpPlop3:
		if p = ir.Imm(0, 1); o.N != listing.Zero {
			p, err = b.Number(o.Kind, o.N, 1)
		}
		p.Neg = o.Not
		return p, err
	case o.Kind == listing.Bank && o.Suffix == "SIGN" && b.In.Op == ir.OpPlop3:
		p, err = b.Constant(o.Bank, o.Value, 1)
		p.Neg = o.Not
		if o.Base.Kind != listing.None || o.Index.Kind != listing.None {
			err = errors.New("a constant at an address in a register")
		}
		return p, err
	case o.Kind != listing.Pred && o.Kind != listing.UPred:
		return p, errors.New("an operand that is not a predicate, expected one")
	case o.N == listing.True:
		p = ir.Imm(1, 1)
	case o.Kind == listing.UPred:
		p = ir.P(ir.Pred(ir.UniformPreds + o.N))
	default:
		p = ir.P(ir.Pred(o.N))
	}
	p.Neg = o.Not
	return p, nil
}

// Source returns a source of one or two words, of the instruction's type.
func (b *Builder) Source(o *listing.Operand, words int) (s ir.Operand, err error) {
	t := b.In.Type
	if b.In.SrcType != ir.TypeNone {
		t = b.In.SrcType
	}
	switch o.Kind {
	case listing.Reg, listing.UReg:
		form, ok := b.form(o.Suffix, t)
		if !ok {
			return s, fmt.Errorf("a source with the suffix .%s, which is not supported", o.Suffix)
		}
		if s = ir.Imm(0, words); o.N != listing.Zero {
			s, err = b.Number(o.Kind, o.N, words)
			s.Form = form
		}
	case listing.Int:
		if t.Float() && b.In.Op != ir.OpSelp { // of an FSEL it is the bits of a NaN (package listing)
			return s, errors.New("an integer where a number of floating point is expected")
		}
		s = ir.Imm(uint64(o.Value), words)
		if words == 1 {
			s.Imm = uint64(uint32(o.Value))
		}
	case listing.Float:
		s, err = float(o.Text, t)
	case listing.AddressWord:
		s, err = b.symbol(o)
	case listing.Bank:
		if o.Suffix != "" {
			return s, fmt.Errorf("a constant with the suffix .%s, which is not supported", o.Suffix)
		}
		if o.Base.Kind != listing.None || o.Index.Kind != listing.None {
			return s, errors.New("a constant at an address in a register")
		}
		s, err = b.Constant(o.Bank, o.Value, words)
		if err == nil && b.family.SingleHalves && (t == ir.F16x2 || t == ir.F16) {
			s, err = b.halvesOf(s)
		}
	default:
		return s, errors.New("an operand that is not a register, a number or a constant")
	}
	if o.Not && (b.In.Op == ir.OpBfind || b.In.Op == ir.OpPopc) && !o.Neg && !o.Abs {
		s.Form = ir.FormNot
		return s, err
	}
	if o.Not && !b.In.Mods.CarryIn {
		return s, errors.New("a complemented source without a carry, which is not supported")
	}
	s.Neg, s.Abs = o.Neg || o.Not, o.Abs
	return s, err
}

// halfForms has the suffixes of registers among halves. With F32 the register has a single, which ptxas uses there only
// if its value is that of a half.
var halfForms = map[string]ir.Form{"H0_H0": ir.FormLow, "H1_H1": ir.FormHigh, "H0": ir.FormLow, "H1": ir.FormHigh,
	"F32": ir.FormSingle}

// byteForms has the suffixes of bytes and of the upper half.
var byteForms = map[string]ir.Form{"B1": ir.FormByte1, "B2": ir.FormByte2, "B3": ir.FormByte3, "H1": ir.FormByte2}

// numberForms has the suffixes of halves without a sign, of integers.
var numberForms = map[string]ir.Form{"H0": ir.FormUpperZero, "H1": ir.FormByte2}

// form returns how a source of a type is made of its register.
func (b *Builder) form(suffix string, t ir.Type) (f ir.Form, ok bool) {
	switch {
	case suffix == "":
		return ir.FormWhole, true
	case t == ir.F16x2 || t == ir.F16:
		f, ok = halfForms[suffix]
	case b.In.Op == ir.OpCvt && !t.Float():
		f, ok = byteForms[suffix]
		ok = ok && (t.Size() == 1 || t.Size() == 2 && f == ir.FormByte2)
	case b.In.Op == ir.OpAdd3 && !b.In.Mods.CarryIn:
		f, ok = numberForms[suffix]
	}
	return f, ok
}

// Constant returns an operand from a constant bank. Literals and the module's variables are in one bank here.
func (b *Builder) Constant(bank int, offset int64, words int) (ir.Operand, error) {
	word := func(kind ir.Kind, at int64) (ir.Operand, error) {
		return ir.Operand{Kind: kind, Imm: uint64(at), Words: uint8(words)}, nil
	}
	end := offset + int64(4*words)
	switch {
	case bank == 0 && offset >= int64(b.Fn.ParamBase) && offset < int64(b.Fn.ParamBase+b.Fn.ParamBytes):
		return word(ir.KindParam, offset-int64(b.Fn.ParamBase))
	case bank == 0:
		return b.launch(offset, words)
	case bank == 2 && offset >= 0 && end <= int64(len(b.Fn.Literals)):
		return word(ir.KindConst, offset+int64(b.literal))
	case bank == 3 && offset >= 0 && end <= int64(b.literal):
		return word(ir.KindConst, offset)
	}
	return ir.Operand{}, fmt.Errorf("the constant c[%#x][%#x] is not known", bank, offset)
}

// launch returns what the driver puts in front of the parameters.
func (b *Builder) launch(offset int64, words int) (ir.Operand, error) {
	special := func(first ir.Special, from int64) (ir.Operand, error) {
		return ir.Operand{Kind: ir.KindSpecial, Special: first + ir.Special((offset-from)/4), Words: 1}, nil
	}
	d := b.driver
	switch {
	case words == 1 && offset%4 == 0 && offset >= d.BlockSize && offset < d.BlockSize+12:
		return special(ir.NtidX, d.BlockSize)
	case words == 1 && offset%4 == 0 && offset >= d.GridSize && offset < d.GridSize+12:
		return special(ir.NctaidX, d.GridSize)
	case words == 1 && d.WindowHigh > 0 && (offset == d.WindowHigh || offset == d.WindowHigh+4):
		return window(0, 4, 1), nil
	case words == 1 && offset == d.StackTop:
		return ir.Imm(uint64(b.K.LocalBytes), 1), nil
	case words == 2 && offset == d.ConstWindow:
		return ir.Imm(ir.ConstWindow, 2), nil
	case words == 1 && (offset == d.ConstWindow || offset == d.ConstWindow+4):
		return window(ir.ConstWindow, offset-d.ConstWindow, words), nil
	case offset >= d.SharedWindow && offset+int64(4*words) <= d.SharedWindow+int64(4*d.WindowWords):
		return window(ir.SharedWindow, offset-d.SharedWindow, words), nil
	case offset >= d.LocalWindow && offset+int64(4*words) <= d.LocalWindow+int64(4*d.WindowWords):
		return window(ir.LocalWindow, offset-d.LocalWindow, words), nil
	case words == 2 && d.Descriptor != 0 && offset == d.Descriptor:
		// Memory accesses of sm_80 and later name a descriptor for the cache policy, which changes no result.
		return ir.Imm(0, 2), nil
	}
	return ir.Operand{}, fmt.Errorf("the driver's constant c[0x0][%#x] is not known", offset)
}

// window returns a word, or both, of the address of a space among generic ones.
func window(base uint64, at int64, words int) ir.Operand {
	if at > 0 {
		base = 0
	}
	return ir.Imm(base, words)
}

// symbol returns a word of the address of a variable in global memory.
func (b *Builder) symbol(o *listing.Operand) (ir.Operand, error) {
	v := variable(b.module, ir.Global, o.Text)
	if v == nil {
		return ir.Operand{}, fmt.Errorf("the symbol %s is no variable of global memory in the PTX", o.Text)
	}
	return ir.Imm((v.Address+uint64(o.Value))>>(32*o.N)&0xffffffff, 1), nil
}

// float returns an immediate of floating point. The disassembler prints enough digits for the number to be exact.
func float(text string, t ir.Type) (ir.Operand, error) {
	v, err := value(text)
	switch {
	case err != nil:
		return ir.Operand{}, err
	case t == ir.F32:
		return ir.Imm(uint64(single(v)), 1), nil
	case t == ir.F64:
		return ir.Imm(math.Float64bits(v), 2), nil
	case t == ir.F16:
		h, exact := half(v)
		if !exact {
			return ir.Operand{}, fmt.Errorf("the number %s, which is not that of a half", text)
		}
		return ir.Imm(uint64(h), 1), nil
	}
	return ir.Operand{}, fmt.Errorf("the number %s where an integer is expected", text)
}

func value(text string) (float64, error) {
	switch text {
	case "INF", "+INF":
		return math.Inf(1), nil
	case "-INF":
		return math.Inf(-1), nil
	case "QNAN", "+QNAN":
		return math.NaN(), nil
	case "-QNAN":
		return math.Copysign(math.NaN(), -1), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// single rounds to a single. A NaN is the one that the hardware makes, with its sign.
func single(v float64) uint32 {
	if v != v {
		bits := uint32(0x7fffffff)
		if math.Signbit(v) {
			bits |= 1 << 31
		}
		return bits
	}
	return math.Float32bits(float32(v))
}

// halves returns an immediate of two half-precision numbers, the upper one first.
func halves(ops []listing.Operand) (ir.Operand, error) {
	bits := uint64(0)
	if len(ops) < 2 {
		return ir.Operand{}, errors.New("one half-precision number, expected two")
	}
	for _, o := range ops[:2] {
		v, err := value(o.Text)
		if err != nil || o.Kind != listing.Float {
			return ir.Operand{}, errors.New("expected two half-precision numbers")
		}
		h, ok := half(v)
		if !ok {
			return ir.Operand{}, fmt.Errorf("the number %s is not one of half precision", o.Text)
		}
		bits = bits<<16 | uint64(h)
	}
	return ir.Imm(bits, 1), nil
}

// half returns the half-precision form of a number, if it has one.
func half(v float64) (uint16, bool) {
	sign := uint16(0)
	if math.Signbit(v) {
		sign = 0x8000
	}
	v = math.Abs(v)
	switch {
	case v != v:
		return sign | 0x7fff, true
	case math.IsInf(v, 0):
		return sign | 0x7c00, true
	case v < 0x1p-14:
		return sign | uint16(v*0x1p24), v*0x1p24 == math.Trunc(v*0x1p24)
	}
	m, e := math.Frexp(v)
	m *= 1 << 11
	return sign | uint16(e+14)<<10 | uint16(m)&0x3ff, m == math.Trunc(m) && e <= 16
}
