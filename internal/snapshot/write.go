package snapshot

import (
	"bufio"
	"encoding/binary"
	"io"
	"maps"
	"reflect"
	"slices"
	"unsafe"
)

// Encoded kinds of references.
const (
	refNil = iota
	refOther
	refEmpty // to a value without size
	refBlock
)

// Write writes the state reachable from root, a pointer. Values pointed to by others are outside the graph. Read
// must be called with as many others. The graph must not change during Write.
func Write(w io.Writer, root any, others ...any) error {
	v := reflect.ValueOf(root)
	first := block{v.UnsafePointer(), v.Type().Elem(), 1}
	g, err := explore(newTypes(), first, others)
	if err != nil {
		return err
	}
	e := &encoder{graph: g, w: bufio.NewWriter(w), names: map[string]int{}, maps: map[unsafe.Pointer]int{}}
	e.table()
	e.number(len(g.blocks))
	e.ref(first.at)
	for i := range g.blocks {
		b := &g.blocks[i]
		e.typ(b.typ)
		e.number(b.n)
	}
	for i := range g.blocks {
		b := &g.blocks[i]
		e.values(b.typ, b.at, b.n)
	}
	if e.err != nil {
		return e.err
	}
	return e.w.Flush()
}

// encoder writes a graph. It keeps its first error.
type encoder struct {
	graph *graph
	w     *bufio.Writer
	names map[string]int         // numbers of types
	maps  map[unsafe.Pointer]int // written so far
	buf   [binary.MaxVarintLen64]byte
	err   error
}

func (e *encoder) bytes(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) number(n int) { e.bytes(e.buf[:binary.PutUvarint(e.buf[:], uint64(n))]) }

func (e *encoder) text(s string) {
	e.number(len(s))
	e.bytes([]byte(s))
}

// table writes the types of blocks and of values in interfaces.
func (e *encoder) table() {
	all := map[string]bool{}
	for t := range e.graph.dynamic {
		all[nameOf(t)] = true
	}
	for i := range e.graph.blocks {
		all[nameOf(e.graph.blocks[i].typ)] = true
	}
	e.number(len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		e.names[name] = len(e.names)
		e.text(name)
	}
}

func (e *encoder) typ(t reflect.Type) { e.number(e.names[nameOf(t)]) }

// ref writes a reference to an address.
func (e *encoder) ref(at unsafe.Pointer) {
	if at == nil {
		e.number(refNil)
		return
	}
	if n, ok := e.graph.others[at]; ok {
		e.number(refOther)
		e.number(n)
		return
	}
	n, ok := e.graph.find(at)
	if !ok {
		e.number(refEmpty)
		return
	}
	e.number(refBlock)
	e.number(n)
	e.number(int(uintptr(at) - e.graph.blocks[n].start()))
}

// values writes n adjacent values.
func (e *encoder) values(t reflect.Type, at unsafe.Pointer, n int) {
	if e.graph.types.class(t) == flat {
		e.bytes(unsafe.Slice((*byte)(at), t.Size()*uintptr(n)))
		return
	}
	for i := range n {
		e.value(t, unsafe.Add(at, uintptr(i)*t.Size()))
	}
}

func (e *encoder) value(t reflect.Type, at unsafe.Pointer) {
	switch e.graph.types.class(t) {
	case flat:
		e.bytes(unsafe.Slice((*byte)(at), t.Size()))
		return
	case left:
		return
	}
	switch t.Kind() {
	case reflect.Array:
		e.values(t.Elem(), at, t.Len())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			e.value(f.Type, unsafe.Add(at, f.Offset))
		}
	case reflect.String:
		e.text(*(*string)(at))
	case reflect.Pointer:
		e.ref(*(*unsafe.Pointer)(at))
	case reflect.Slice:
		s := (*header)(at)
		if s.cap == 0 && s.at != nil {
			e.number(refEmpty)
		} else {
			e.ref(s.at)
		}
		e.number(s.len)
		e.number(s.cap)
	case reflect.Func:
		e.flag(!reflect.NewAt(t, at).Elem().IsNil())
	case reflect.Interface:
		v := reflect.NewAt(t, at).Elem()
		if e.flag(!v.IsNil()) {
			c := copied(v.Elem())
			e.typ(c.Type().Elem())
			e.value(c.Type().Elem(), c.UnsafePointer())
		}
	case reflect.Map:
		e.entries(reflect.NewAt(t, at).Elem())
	}
}

func (e *encoder) flag(on bool) bool {
	n := 0
	if on {
		n = 1
	}
	e.number(n)
	return on
}

// entries writes a map, or a reference to an earlier one.
func (e *encoder) entries(v reflect.Value) {
	if !e.flag(!v.IsNil()) {
		return
	}
	p := v.UnsafePointer()
	n, again := e.maps[p]
	if e.flag(again) {
		e.number(n)
		return
	}
	e.maps[p] = len(e.maps)
	e.number(v.Len())
	for i := v.MapRange(); i.Next(); {
		e.value(v.Type().Key(), copied(i.Key()).UnsafePointer())
		e.value(v.Type().Elem(), copied(i.Value()).UnsafePointer())
	}
}
