package snapshot

import (
	"fmt"
	"reflect"
	"unsafe"
)

// mode selects how read values are used.
type mode uint8

const (
	skipping mode = iota // nothing: there is no memory for them
	matching             // references in them are matched with the target's references
	filling              // they are put where they belong
)

// values reads n adjacent values.
func (d *decoder) values(t reflect.Type, at unsafe.Pointer, n int, m mode) {
	if d.types.class(t) == flat {
		d.flat(int(t.Size())*n, at, m)
		return
	}
	for i := 0; i < n && d.err == nil; i++ {
		d.value(t, addressAt(at, uintptr(i)*t.Size()), m)
	}
}

// addressAt returns the address offset bytes into a block, or nil if the block has no memory.
func addressAt(at unsafe.Pointer, offset uintptr) unsafe.Pointer {
	if at == nil {
		return nil
	}
	return unsafe.Add(at, offset)
}

func (d *decoder) flat(n int, at unsafe.Pointer, m mode) {
	if b := d.bytes(n); m == filling && d.err == nil {
		copy(unsafe.Slice((*byte)(at), n), b)
	}
}

func (d *decoder) value(t reflect.Type, at unsafe.Pointer, m mode) {
	switch d.types.class(t) {
	case flat:
		d.flat(int(t.Size()), at, m)
		return
	case left:
		return
	}
	switch t.Kind() {
	case reflect.Array:
		d.values(t.Elem(), at, t.Len(), m)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			d.value(f.Type, addressAt(at, f.Offset), m)
		}
	case reflect.String:
		if b := d.bytes(d.number()); m == filling {
			*(*string)(at) = string(b)
		}
	case reflect.Pointer:
		d.pointer(t, at, m)
	case reflect.Slice:
		d.slice(t, at, m)
	case reflect.Func:
		d.function(t, at, m)
	case reflect.Interface:
		d.boxed(t, at, m)
	case reflect.Map:
		d.entries(t, at, m)
	}
}

func (d *decoder) pointer(t reflect.Type, at unsafe.Pointer, m mode) {
	r := d.ref()
	p := (*unsafe.Pointer)(at)
	switch {
	case d.err != nil || m == skipping:
	case m == matching:
		if r.kind == refBlock && *p != nil {
			d.propose(r, *p)
		}
	case r.kind == refEmpty:
		*p = reflect.New(t.Elem()).UnsafePointer()
	default:
		*p = d.target(r)
	}
}

// target returns the address of a reference.
func (d *decoder) target(r ref) unsafe.Pointer {
	switch r.kind {
	case refOther:
		return reflect.ValueOf(d.others[r.n]).UnsafePointer()
	case refBlock:
		return unsafe.Add(d.blocks[r.n].at, r.offset)
	}
	return nil
}

func (d *decoder) slice(t reflect.Type, at unsafe.Pointer, m mode) {
	r, n, room := d.ref(), d.number(), d.number()
	s := (*header)(at)
	if d.err == nil && r.kind == refBlock && (n > room || n < 0 ||
		uintptr(room)*t.Elem().Size() > d.blocks[r.n].size()-uintptr(r.offset)) {
		d.fail(errCut)
	}
	switch {
	case d.err != nil || m == skipping:
	case m == matching:
		if r.kind == refBlock && s.at != nil {
			d.propose(r, s.at)
		}
	case r.kind == refEmpty:
		*s = header{reflect.MakeSlice(t, 0, 0).UnsafePointer(), n, room}
	default:
		*s = header{d.target(r), n, room}
	}
}

// function keeps a function as it is. It fails if a function was written and the target has none.
func (d *decoder) function(t reflect.Type, at unsafe.Pointer, m mode) {
	on := d.number() != 0
	if m != filling || d.err != nil {
		return
	}
	v := reflect.NewAt(t, at).Elem()
	switch {
	case !on:
		v.SetZero()
	case v.IsNil():
		d.fail(fmt.Errorf("snapshot: found none where a %v was, expected the graph to have its functions", t))
	}
}

// boxed reads the value in an interface.
func (d *decoder) boxed(t reflect.Type, at unsafe.Pointer, m mode) {
	if d.number() == 0 {
		if m == filling {
			reflect.NewAt(t, at).Elem().SetZero()
		}
		return
	}
	in := d.typ()
	if d.err == nil && !in.Implements(t) {
		d.fail(errCut)
	}
	if m == skipping || d.err != nil {
		d.value(in, nil, skipping)
		return
	}
	v, c := reflect.NewAt(t, at).Elem(), reflect.New(in)
	same := !v.IsNil() && v.Elem().Type() == in
	if same {
		c.Elem().Set(v.Elem())
	}
	if m == matching && !same {
		m = skipping
	}
	d.value(in, c.UnsafePointer(), m)
	if m == filling && d.err == nil {
		v.Set(c.Elem())
	}
}

// entries reads a map. The target's map object is reused, so that all its users see the new entries.
func (d *decoder) entries(t reflect.Type, at unsafe.Pointer, m mode) {
	if d.number() == 0 {
		if m == filling {
			reflect.NewAt(t, at).Elem().SetZero()
		}
		return
	}
	if d.number() != 0 {
		d.again(t, at, m)
		return
	}
	n := d.number()
	var keys, values []reflect.Value
	for i := 0; i < n && d.err == nil; i++ {
		k, v := d.entry(t, at, m)
		keys, values = append(keys, k), append(values, v)
	}
	if m != filling || d.err != nil {
		return
	}
	into := reflect.NewAt(t, at).Elem()
	if into.IsNil() || d.mine[into.UnsafePointer()] {
		into.Set(reflect.MakeMapWithSize(t, n))
	}
	d.mine[into.UnsafePointer()] = true
	d.maps = append(d.maps, into)
	into.Clear()
	for i := range keys {
		into.SetMapIndex(keys[i], values[i])
	}
}

// again reads a reference to an earlier map.
func (d *decoder) again(t reflect.Type, at unsafe.Pointer, m mode) {
	n := d.number()
	if m != filling || d.err != nil {
		return
	}
	if uint(n) >= uint(len(d.maps)) || d.maps[n].Type() != t {
		d.fail(errCut)
		return
	}
	reflect.NewAt(t, at).Elem().Set(d.maps[n])
}

// entry reads an entry of a map. An existing value for the same key is matched with the read value.
func (d *decoder) entry(t reflect.Type, at unsafe.Pointer, m mode) (key, value reflect.Value) {
	k, v := reflect.New(t.Key()), reflect.New(t.Elem())
	how := m
	if m == matching && (d.types.class(t.Key()) == flat || t.Key().Kind() == reflect.String) {
		how = filling // a key without pointers, to be looked up
	}
	d.value(t.Key(), k.UnsafePointer(), how)
	if m == skipping || d.err != nil {
		d.value(t.Elem(), nil, skipping)
		return k.Elem(), v.Elem()
	}
	there := false
	if x := reflect.NewAt(t, at).Elem(); !x.IsNil() && how == filling {
		if e := x.MapIndex(k.Elem()); e.IsValid() {
			v.Elem().Set(e)
			there = true
		}
	}
	if m == matching && !there {
		m = skipping
	}
	d.value(t.Elem(), v.UnsafePointer(), m)
	return k.Elem(), v.Elem()
}
