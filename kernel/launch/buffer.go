package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"

	"kumiko/internal/infile"
	"kumiko/kernel/ir"
)

// variables returns the size, in bytes, of the global memory of a module's own variables.
func variables(m *ir.Module) (n int) {
	for i := range m.Vars {
		if m.Vars[i].Space == ir.Global {
			n += m.Vars[i].Size
		}
	}
	return n
}

// holds adds bytes of a file's global memory, or of the files read, to their sum and reports whether the limit admits
// them. Only the first excess is reported as an error.
func (r *reader) holds(sum *int, n int, at place, what string) bool {
	before := *sum
	if *sum += n; *sum <= r.lim.Bytes {
		return true
	}
	if before <= r.lim.Bytes {
		r.errorf(at, "found %d bytes of %s up to here, expected at most %d in all (--max-memory-bytes %d)", *sum, what,
			r.lim.Bytes, r.lim.Bytes)
	}
	return false
}

// buffer is one [buffers.NAME].
type buffer struct {
	place
	name   string
	typ    ir.Type
	count  int
	symbol string       // the variable of the buffer, if any
	module *ir.Module   // of the symbol
	fill   func([]byte) // nil: zeros
	of     *buffer      // the buffer it is a part of, from element first on, if any
	first  int
	addr   uint64 // on the running device
	// unsound marks a buffer with a refused type or count. Its contents are not checked.
	unsound bool
}

func (b *buffer) size() int { return b.count * b.typ.Size() }

// put writes element i.
func (b *buffer) put(data []byte, i int, bits uint64) {
	n := b.typ.Size()
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], bits)
	copy(data[i*n:(i+1)*n], w[:])
}

// buffer reads the declaration of a buffer. The contents are read when all buffers are known.
func (r *reader) buffer(e *entry) {
	v := e.val
	if !r.is(v, kindTable) {
		return
	}
	r.keys(v, "type", "count", "init", "symbol", "module")
	b := &buffer{place: e.place, name: e.name}
	r.p.buffers[e.name] = b
	r.p.order = append(r.p.order, b)
	before := len(r.errs)
	b.typ = r.elementType(v, e)
	if v.get("count") == nil {
		r.errorf(e.place, "found no count, expected the number of elements")
	}
	b.count = r.upTo(int64(r.lim.Bytes/b.typ.Size()), v, "count", fmt.Sprint("--max-memory-bytes ", r.lim.Bytes))
	b.unsound = len(r.errs) > before
	if e := v.get("module"); e != nil && v.get("symbol") == nil {
		r.errorf(e.place, "found a module without a symbol, expected both or neither")
	}
	if s := v.get("symbol"); s != nil && r.is(s, kindString) {
		r.symbol(b, v, s)
	} else if !b.unsound {
		r.holds(&r.mapped, b.size(), e.place, "global memory")
	}
}

// contents reads the initial contents of a buffer.
func (r *reader) contents(e *entry) {
	b := r.p.buffers[e.name]
	if init := e.val.get("init"); b != nil && init != nil && r.is(init, kindTable) && !b.unsound {
		r.init(b, init)
	}
}

func (r *reader) elementType(v *value, e *entry) ir.Type {
	t := v.get("type")
	if t == nil {
		r.errorf(e.place, "found no type, expected %s", elementTypes)
		return ir.U8
	}
	if !r.is(t, kindString) {
		return ir.U8
	}
	typ, ok := scalarTypes[t.str]
	if !ok {
		r.errorf(t.place, "found the type %q, expected %s", t.str, elementTypes)
		return ir.U8
	}
	return typ
}

// init reads the rule for filling a buffer.
func (r *reader) init(b *buffer, v *value) {
	k := r.need(v, "kind", "zeros, constant, range, uniform, values or file", kindString)
	if k == nil {
		return
	}
	switch k.str {
	case "zeros":
		r.keys(v, "kind")
	case "constant":
		r.keys(v, "kind", "value")
		r.constant(b, v)
	case "range":
		r.keys(v, "kind", "start", "step")
		r.rangeOf(b, v)
	case "uniform":
		r.keys(v, "kind", "low", "high", "seed")
		r.uniform(b, v)
	case "values":
		r.keys(v, "kind", "data", "repeat", "fill")
		r.values(b, v)
	case "file":
		r.keys(v, "kind", "path")
		if data, ok := r.file(b, v); ok {
			b.fill = func(to []byte) { copy(to, data) }
		}
	default:
		r.errorf(k.place, "found the init kind %q, expected zeros, constant, range, uniform, values or file", k.str)
	}
}

func (r *reader) constant(b *buffer, v *value) {
	e := v.get("value")
	if e == nil {
		r.errorf(v.place, "found no value, expected the value of every element")
		return
	}
	if bits, ok := r.scalar(e, b.typ); ok {
		b.fill = func(to []byte) {
			for i := range b.count {
				b.put(to, i, bits)
			}
		}
	}
}

// rangeOf fills element i with start + i*step, in double precision for floats.
func (r *reader) rangeOf(b *buffer, v *value) {
	if b.typ.Float() {
		start, step := r.number(v, "start", 0), r.number(v, "step", 1)
		b.fill = func(to []byte) {
			for i := range b.count {
				b.put(to, i, floatBits(start+float64(i)*step, b.typ))
			}
		}
		return
	}
	low, high := intRange(b.typ)
	start := r.integer(v, "start", 0, low, high)
	step := r.integer(v, "step", 1, math.MinInt64, math.MaxInt64)
	if last := float64(start) + float64(b.count-1)*float64(step); last < float64(low) || last > float64(high) {
		r.errorf(v.place, "found a range that ends at %.0f, expected values of type %s", last, b.typ)
		return
	}
	b.fill = func(to []byte) {
		for i := range b.count {
			b.put(to, i, uint64(start+int64(i)*step))
		}
	}
}

// uniform fills with the fixed generator, one draw per element.
func (r *reader) uniform(b *buffer, v *value) {
	seed := uint64(r.integer(v, "seed", 0, 0, math.MaxInt64))
	if b.typ.Float() {
		low, high := r.number(v, "low", 0), r.number(v, "high", 1)
		if high < low {
			r.errorf(v.place, "found low = %g and high = %g, expected low <= high", low, high)
		}
		b.fill = func(to []byte) {
			g := newPCG(seed)
			for i := range b.count {
				b.put(to, i, floatBits(g.float(low, high), b.typ))
			}
		}
		return
	}
	least, most := intRange(b.typ)
	low := r.integer(v, "low", 0, least, most)
	high := r.integer(v, "high", 1, least, most)
	if high < low {
		r.errorf(v.place, "found low = %d and high = %d, expected low <= high", low, high)
		return
	}
	b.fill = func(to []byte) {
		g := newPCG(seed)
		for i := range b.count {
			b.put(to, i, uint64(g.integer(low, high)))
		}
	}
}

// file returns the contents of a raw little-endian file of exactly a buffer's size.
func (r *reader) file(b *buffer, v *value) ([]byte, bool) {
	e := r.need(v, "path", "a file relative to this one", kindString)
	if e == nil {
		return nil, false
	}
	path := e.str
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	return r.readFile(path, b.size(), e.place)
}

// readFile reads a file of exactly size bytes.
func (r *reader) readFile(path string, size int, at place) ([]byte, bool) {
	if !r.holds(&r.read, size, at, "files") {
		return nil, false
	}
	data, err := readExactly(path, size)
	var pe *fs.PathError
	switch {
	case err == nil:
		return data, true
	case errors.Is(err, fs.ErrNotExist):
		r.errorf(at, "found no file %s, expected one of %d bytes", path, size)
	case errors.As(err, &pe):
		r.errorf(at, "%s: %v", path, pe.Err)
	default:
		r.errorf(at, "%s: %v", path, err)
	}
	return nil, false
}

func readExactly(path string, size int) ([]byte, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() != int64(size) {
		err = fmt.Errorf("found %d bytes, expected %d", info.Size(), size)
	}
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	_, err = io.ReadFull(f, data)
	return data, err
}
