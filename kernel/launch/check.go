package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Expect is the outcome of one [[expect]].
type Expect struct {
	Buffer     string `json:"buffer"`
	OK         bool   `json:"ok"`
	Mismatches int    `json:"mismatches"` // elements; 1 for a sum
	// MaxAbsError is the largest |a-b|; the largest finite number stands for infinities and NaN.
	MaxAbsError float64 `json:"max_abs_error"`
	// First is the first mismatch in words.
	First string `json:"-"`
}

// expectation is one [[expect]]: element i is compared with want(i), or the sum
// of all with sum.
type expectation struct {
	place
	buffer     *buffer
	want       func(i int) uint64
	sum        *float64
	rtol, atol float64
}

// save is one [[save]].
type save struct {
	place  // of the path
	buffer *buffer
	path   string
}

func (r *reader) expect(v *value) {
	r.keys(v, "buffer", "first", "count", "path", "value", "data", "repeat", "fill", "sum", "rtol", "atol")
	x := &expectation{place: v.place, rtol: r.tolerance(v, "rtol"), atol: r.tolerance(v, "atol")}
	x.buffer = r.part(v)
	n := 0
	for _, k := range []string{"path", "value", "data", "sum"} {
		if v.get(k) != nil {
			n++
		}
	}
	if n != 1 {
		r.errorf(v.place, "found %d of path, value, data and sum, expected one", n)
		return
	}
	for _, k := range []string{"repeat", "fill"} {
		if e := v.get(k); e != nil && v.get("data") == nil {
			r.errorf(e.place, "found %s without data, expected both or neither", k)
			return
		}
	}
	if x.buffer == nil || x.buffer.unsound {
		return
	}
	r.p.expects = append(r.p.expects, x)
	b := x.buffer
	switch {
	case v.get("path") != nil:
		if data, ok := r.file(b, v); ok {
			x.want = func(i int) uint64 { return b.get(data, i) }
		}
	case v.get("value") != nil:
		if bits, ok := r.scalar(v.get("value"), b.typ); ok {
			x.want = func(int) uint64 { return bits & mask(b.typ) }
		}
	case v.get("data") != nil:
		if l, ok := r.data(b, v); ok {
			x.want = func(i int) uint64 { return l.element(i) & mask(b.typ) }
		}
	default:
		sum := r.number(v, "sum", 0)
		x.sum = &sum
	}
}

func (r *reader) tolerance(v *value, name string) float64 {
	t := r.number(v, name, 0)
	if !(t >= 0) || math.IsInf(t, 0) {
		r.errorf(v.get(name).place, "found %g, expected a number of at least 0", t)
	}
	return t
}

func (r *reader) bufferOf(v *value) *buffer {
	e := r.need(v, "buffer", "the name of a buffer", kindString)
	if e == nil {
		return nil
	}
	b := r.p.buffers[e.str]
	if b == nil {
		r.errorf(e.place, "found the buffer %q, expected one of [buffers]", e.str)
	}
	return b
}

func (r *reader) save(v *value) {
	r.keys(v, "buffer", "path")
	b := r.bufferOf(v)
	p := r.need(v, "path", "a file under the output folder", kindString)
	if p == nil {
		return
	}
	if !filepath.IsLocal(p.str) || filepath.Clean(p.str) == "." {
		r.errorf(p.place, "found the path %q, expected one within the output folder", p.str)
		return
	}
	for _, s := range r.p.saves {
		if s.path == filepath.Clean(p.str) {
			r.errorf(p.place, "found %q a second time, expected another file", p.str)
		}
	}
	r.p.saves = append(r.p.saves, save{p.place, b, filepath.Clean(p.str)})
}

// get reads element i as a bit pattern.
func (b *buffer) get(data []byte, i int) uint64 {
	n := b.typ.Size()
	var w [8]byte
	copy(w[:], data[i*n:(i+1)*n])
	return binary.LittleEndian.Uint64(w[:])
}

func mask(t ir.Type) uint64 {
	if t.Size() == 8 {
		return math.MaxUint64
	}
	return 1<<(8*t.Size()) - 1
}

// number returns a bit pattern's value; 64-bit integers are rounded to double.
func number(bits uint64, t ir.Type) float64 {
	switch {
	case t == ir.F16, t == ir.BF16:
		return math.Float64frombits(softfloat.F64.Round(halves[t].Unpack(bits), softfloat.NearestEven))
	case t == ir.F32:
		return float64(math.Float32frombits(uint32(bits)))
	case t == ir.F64:
		return math.Float64frombits(bits)
	case t.Signed():
		n := 64 - 8*t.Size()
		return float64(int64(bits<<n) >> n)
	}
	return float64(bits)
}

// distance returns |a-b|, exact for integers up to the final rounding to double.
func distance(a, b uint64, t ir.Type) float64 {
	switch {
	case t.Float():
		x, y := number(a, t), number(b, t)
		if x == y { // infinities
			return 0
		}
		return math.Abs(x - y)
	case t.Signed():
		n := 64 - 8*t.Size()
		x, y := int64(a<<n)>>n, int64(b<<n)>>n
		return float64(uint64(max(x, y)) - uint64(min(x, y)))
	}
	return float64(max(a, b) - min(a, b))
}

// compare checks a buffer's bytes. An element a is right iff |a-b| <= atol + rtol*|b|, with b the expected value.
// Equal infinities are right, a NaN never is.
func (x *expectation) compare(data []byte) Expect {
	b := x.buffer
	out := Expect{Buffer: b.name}
	if x.sum != nil {
		total := 0.0
		for i := range b.count {
			total += number(b.get(data, i), b.typ)
		}
		if !x.holds(&out, distance(math.Float64bits(total), math.Float64bits(*x.sum), ir.F64), *x.sum) {
			out.First = fmt.Sprintf("the sum is %v, expected %v", total, *x.sum)
		}
	} else {
		for i := range b.count {
			got, want := b.get(data, i), x.want(i)
			w := number(want, b.typ)
			if !x.holds(&out, distance(got, want, b.typ), w) && out.Mismatches == 1 {
				out.First = fmt.Sprintf("element %d is %v, expected %v", b.first+i, show(got, b.typ), show(want, b.typ))
			}
		}
	}
	out.OK = out.Mismatches == 0
	return out
}

// holds counts one comparison; d is the distance from the expected value.
func (x *expectation) holds(out *Expect, d, want float64) bool {
	if !(d <= math.MaxFloat64) {
		d = math.MaxFloat64
	}
	out.MaxAbsError = max(out.MaxAbsError, d)
	if d == 0 || d < math.MaxFloat64 && d <= x.atol+x.rtol*math.Abs(want) {
		return true
	}
	out.Mismatches++
	return false
}

// show returns a bit pattern as a number.
func show(bits uint64, t ir.Type) any {
	if t.Float() {
		return number(bits, t)
	}
	if t.Signed() {
		n := 64 - 8*t.Size()
		return int64(bits<<n) >> n
	}
	return bits
}
