package launch

import "kumiko/kernel/ir"

// list has the elements of a buffer given by a list of values.
type list struct {
	bits     []uint64
	pointers map[int]pointer // address elements, known only on a device
	repeat   bool            // again and again
	fill     uint64          // of the elements behind the list, where it is not repeated
}

// element returns the bit pattern of element i.
func (l *list) element(i int) uint64 {
	if i >= len(l.bits) {
		if !l.repeat {
			return l.fill
		}
		i %= len(l.bits)
	}
	if l.pointers != nil {
		if p, ok := l.pointers[i]; ok {
			return p.bits()
		}
	}
	return l.bits[i]
}

func (r *reader) values(b *buffer, v *value) {
	l, ok := r.data(b, v)
	if !ok {
		return
	}
	b.fill = func(to []byte) {
		for i := range b.count {
			b.put(to, i, l.element(i))
		}
	}
}

// data reads a list of values for the elements of a buffer: one for each, or fewer with repeat = true or with a
// fill value for the others.
func (r *reader) data(b *buffer, v *value) (*list, bool) {
	e := r.need(v, "data", "a list of values", kindList)
	if e == nil {
		return nil, false
	}
	before := len(r.errs)
	l := &list{bits: make([]uint64, len(e.list)), repeat: r.flag(v, "repeat")}
	ok := true
	if f := v.get("fill"); f != nil {
		if l.repeat {
			r.errorf(f.place, "found repeat and fill, expected one of them")
			return nil, false
		}
		l.fill, ok = r.scalar(f, b.typ)
	}
	if len(r.errs) > before {
		return nil, false
	}
	switch n := len(e.list); {
	case l.repeat || v.get("fill") != nil:
		if n < 1 || n > b.count {
			r.errorf(e.place, "found %d values, expected 1 to the %d of buffer %q", n, b.count, b.name)
			return nil, false
		}
	case n != b.count:
		r.errorf(e.place, "found %d values, expected the %d of buffer %q", n, b.count, b.name)
		return nil, false
	}
	for i, x := range e.list {
		var good bool
		if x.kind == kindTable {
			good = r.address(l, i, x, b.typ)
		} else {
			l.bits[i], good = r.scalar(x, b.typ)
		}
		ok = ok && good
	}
	return l, ok
}

// address reads element i of a list, the address of a buffer.
func (r *reader) address(l *list, i int, v *value, t ir.Type) bool {
	if t.Size() != 8 || t.Float() {
		r.errorf(v.place,
			"found a table for a value of type %s, expected a number; an address is one of b64, u64 or s64", t)
		return false
	}
	if r.need(v, "buffer", "the name of a buffer", kindString) == nil {
		return false
	}
	m := r.p.modules[0].Module // the module with the constants addressable by the kernels
	if len(r.p.modules) > 1 {
		m = &ir.Module{} // of several, none
	}
	a, ok := r.pointer(v, m)
	if !ok {
		return false
	}
	if l.pointers == nil {
		l.pointers = map[int]pointer{}
	}
	l.pointers[i] = a.pointers[0]
	return true
}

// part returns the buffer named by a table, or its elements first to first + count - 1, as a buffer. It returns nil
// if there is no buffer of this name.
func (r *reader) part(v *value) *buffer {
	b := r.bufferOf(v)
	if b == nil || v.get("first") == nil && v.get("count") == nil {
		return b
	}
	p := &buffer{place: b.place, name: b.name, typ: b.typ, of: b, unsound: b.unsound}
	most := int64(b.count)
	if b.unsound {
		most = int64(r.lim.Bytes)
	}
	before := len(r.errs)
	p.first = int(r.integer(v, "first", 0, 0, most-1))
	p.count = int(r.integer(v, "count", most-int64(p.first), 1, most-int64(p.first)))
	p.unsound = p.unsound || len(r.errs) > before
	return p
}
