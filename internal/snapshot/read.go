package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unsafe"
)

// Read sets the graph of root to the state written by Write. The graph must be built like the written graph, with
// as many others. After an error the graph is unusable.
func Read(r io.Reader, root any, others ...any) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(root)
	t := newTypes()
	t.learn(v.Type())
	g, err := explore(t, block{v.UnsafePointer(), v.Type().Elem(), 1}, others)
	if err != nil {
		return err
	}
	d := &decoder{data: data, types: t, fresh: g, others: others, taken: map[int]bool{},
		mine: map[unsafe.Pointer]bool{}}
	d.load(v.UnsafePointer())
	return d.err
}

// stored is a block of a snapshot. Its address is nil until the place for its values is known.
type stored struct {
	block
	from int // its values, within the data
}

// decoder reads a snapshot. It keeps its first error, and then reads zeroes.
type decoder struct {
	data   []byte
	at     int
	types  *types
	names  []reflect.Type
	fresh  *graph // the target graph
	others []any
	taken  map[int]bool // blocks of fresh already assigned
	blocks []stored
	maps   []reflect.Value // filled so far
	mine   map[unsafe.Pointer]bool
	todo   []int // blocks to be matched
	err    error
}

// errCut is the error of an incomplete snapshot, or of data that is no snapshot.
var errCut = errors.New("snapshot: found an end within a value, expected the whole of it")

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) bytes(n int) []byte {
	if d.err == nil && (n < 0 || n > len(d.data)-d.at) {
		d.fail(errCut)
	}
	if d.err != nil {
		return nil
	}
	b := d.data[d.at : d.at+n]
	d.at += n
	return b
}

func (d *decoder) number() int {
	if d.err != nil {
		return 0
	}
	n, w := binary.Uvarint(d.data[d.at:])
	if w <= 0 {
		d.fail(errCut)
		return 0
	}
	d.at += w
	return int(n)
}

// table reads the types of the values.
func (d *decoder) table() {
	for n := d.number(); n > 0 && d.err == nil; n-- {
		name := string(d.bytes(d.number()))
		t := d.types.named[name]
		if t == nil && d.err == nil {
			d.fail(fmt.Errorf("snapshot: found values of type %s, expected types that the graph names", name))
		}
		d.names = append(d.names, t)
	}
}

func (d *decoder) typ() reflect.Type {
	n := d.number()
	if d.err == nil && uint(n) >= uint(len(d.names)) {
		d.fail(errCut)
	}
	if d.err != nil {
		return reflect.TypeFor[struct{}]()
	}
	return d.names[n]
}

// ref is a reference: its kind, the number of the block or other, and the offset in it.
type ref struct{ kind, n, offset int }

func (d *decoder) ref() ref {
	r := ref{kind: d.number()}
	switch r.kind {
	case refNil, refEmpty:
	case refOther:
		if r.n = d.number(); d.err == nil && uint(r.n) >= uint(len(d.others)) {
			d.fail(errCut)
		}
	case refBlock:
		r.n, r.offset = d.number(), d.number()
		if d.err == nil && (uint(r.n) >= uint(len(d.blocks)) || uintptr(r.offset) >= d.blocks[r.n].size()) {
			d.fail(errCut)
		}
	default:
		d.fail(errCut)
	}
	if d.err != nil {
		return ref{}
	}
	return r
}

// most is the maximum size of a block, in bytes.
const most = 1 << 36

// load reads the whole snapshot.
func (d *decoder) load(root unsafe.Pointer) {
	d.table()
	n := d.number()
	if n < 1 || n > len(d.data) {
		d.fail(errCut)
		return
	}
	d.blocks = make([]stored, n)
	first := ref{d.number(), d.number(), d.number()}
	for i := range d.blocks {
		b := &d.blocks[i]
		b.typ, b.n = d.typ(), d.number()
		if d.err == nil && (b.n < 1 || b.typ.Size() == 0 || uintptr(b.n) > most/b.typ.Size()) {
			d.fail(errCut)
		}
	}
	for i := range d.blocks {
		d.blocks[i].from = d.at
		d.values(d.blocks[i].typ, nil, d.blocks[i].n, skipping)
	}
	if d.err == nil && (d.at != len(d.data) || first.kind != refBlock || uint(first.n) >= uint(n)) {
		d.fail(errCut)
	}
	if d.err != nil {
		return
	}
	d.propose(first, root)
	for len(d.todo) > 0 && d.err == nil {
		b := &d.blocks[d.todo[0]]
		d.todo = d.todo[1:]
		d.at = b.from
		d.values(b.typ, b.at, b.n, matching)
	}
	d.fill()
}

// propose assigns to a block of the snapshot the memory reached by the same path in the target graph. Memory of
// another size, or already used by another block, is not assigned.
func (d *decoder) propose(r ref, at unsafe.Pointer) {
	b := &d.blocks[r.n]
	if b.at != nil {
		return
	}
	n, ok := d.fresh.find(at)
	if !ok || d.taken[n] {
		return
	}
	f := &d.fresh.blocks[n]
	if f.typ != b.typ || f.n != b.n || uintptr(at)-f.start() != uintptr(r.offset) {
		return
	}
	d.taken[n] = true
	b.at = f.at
	d.todo = append(d.todo, r.n)
}

// fill allocates the blocks without assigned memory, and sets the values of all blocks.
func (d *decoder) fill() {
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.at == nil && d.err == nil {
			v := reflect.MakeSlice(reflect.SliceOf(b.typ), b.n, b.n)
			b.at = v.UnsafePointer()
		}
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		d.at = b.from
		d.values(b.typ, b.at, b.n, filling)
	}
}
