package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// block is a piece of memory of a graph: n adjacent values of one type.
type block struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int
}

func (b *block) start() uintptr { return uintptr(b.at) }
func (b *block) end() uintptr   { return b.start() + b.size() }
func (b *block) size() uintptr  { return b.typ.Size() * uintptr(b.n) }

// graph is the memory reachable from a root.
type graph struct {
	types  *types
	others map[unsafe.Pointer]int // numbers of values outside the graph, by address
	// dynamic are the types of the values in interfaces.
	dynamic map[reflect.Type]bool
	seen    map[block]bool
	maps    map[unsafe.Pointer]bool
	todo    []block
	blocks  []block // sorted by address, none within another
	err     error
}

// explore finds the blocks of a graph.
func explore(t *types, root block, others []any) (*graph, error) {
	g := &graph{types: t, others: map[unsafe.Pointer]int{}, seen: map[block]bool{},
		dynamic: map[reflect.Type]bool{}, maps: map[unsafe.Pointer]bool{}}
	for i, o := range others {
		g.others[reflect.ValueOf(o).UnsafePointer()] = i
	}
	g.add(root)
	for len(g.todo) > 0 && g.err == nil {
		b := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		if t.class(b.typ) != compound {
			continue
		}
		for i := range b.n {
			g.scan(b.typ, unsafe.Add(b.at, uintptr(i)*b.typ.Size()))
		}
	}
	if g.err == nil {
		g.err = g.outermost()
	}
	return g, g.err
}

func (g *graph) add(b block) {
	if b.at == nil || b.n == 0 || b.typ.Size() == 0 || g.seen[b] {
		return
	}
	if _, ok := g.others[b.at]; ok {
		return
	}
	g.types.learn(b.typ)
	g.seen[b] = true
	g.todo = append(g.todo, b)
}

// scan finds the blocks referenced by a value.
func (g *graph) scan(t reflect.Type, at unsafe.Pointer) {
	if g.types.class(t) != compound {
		return
	}
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			g.scan(t.Elem(), unsafe.Add(at, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			g.scan(f.Type, unsafe.Add(at, f.Offset))
		}
	case reflect.Pointer:
		g.add(block{*(*unsafe.Pointer)(at), t.Elem(), 1})
	case reflect.Slice:
		s := (*header)(at)
		g.add(block{s.at, t.Elem(), s.cap})
	case reflect.Interface:
		g.scanInterface(reflect.NewAt(t, at).Elem())
	case reflect.Map:
		g.scanMap(reflect.NewAt(t, at).Elem())
	case reflect.UnsafePointer:
		g.err = fmt.Errorf("snapshot: found an unsafe.Pointer, expected values of known type")
	}
}

func (g *graph) scanInterface(v reflect.Value) {
	if v.IsNil() {
		return
	}
	c := copied(v.Elem())
	g.dynamic[c.Type().Elem()] = true
	g.types.learn(c.Type().Elem())
	g.scan(c.Type().Elem(), c.UnsafePointer())
}

func (g *graph) scanMap(v reflect.Value) {
	t := v.Type()
	if g.maps[v.UnsafePointer()] || g.types.class(t.Key()) == flat && g.types.class(t.Elem()) == flat {
		return
	}
	g.maps[v.UnsafePointer()] = true
	for i := v.MapRange(); i.Next(); {
		g.scan(t.Key(), copied(i.Key()).UnsafePointer())
		g.scan(t.Elem(), copied(i.Value()).UnsafePointer())
	}
}

// copied returns a pointer to a copy of a value.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c
}

// header is the memory layout of a slice.
type header struct {
	at       unsafe.Pointer
	len, cap int
}

// outermost drops blocks contained in others.
func (g *graph) outermost() error {
	all := make([]block, 0, len(g.seen))
	for b := range g.seen {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b block) int {
		switch {
		case a.start() != b.start():
			return compare(a.start(), b.start())
		case a.end() != b.end():
			return compare(b.end(), a.end())
		case depth(a.typ) != depth(b.typ): // a struct of one field, and the field: the struct goes first
			return depth(b.typ) - depth(a.typ)
		default: // a type defined from another type
			return strings.Compare(nameOf(a.typ), nameOf(b.typ))
		}
	})
	for _, b := range all {
		if n := len(g.blocks); n > 0 && b.start() < g.blocks[n-1].end() {
			if b.end() > g.blocks[n-1].end() {
				return fmt.Errorf("snapshot: found %d of %v that are partly within %d of %v, expected blocks within "+
					"one another", b.n, b.typ, g.blocks[n-1].n, g.blocks[n-1].typ)
			}
			continue
		}
		g.blocks = append(g.blocks, b)
	}
	return nil
}

func compare(a, b uintptr) int {
	if a < b {
		return -1
	}
	return 1
}

// depth returns the nesting depth of a type along its first parts.
func depth(t reflect.Type) int {
	switch {
	case t.Kind() == reflect.Struct && t.NumField() > 0:
		return 1 + depth(t.Field(0).Type)
	case t.Kind() == reflect.Array && t.Len() > 0:
		return 1 + depth(t.Elem())
	}
	return 0
}

// find returns the number of the block containing an address.
func (g *graph) find(at unsafe.Pointer) (int, bool) {
	a := uintptr(at)
	i, exact := slices.BinarySearchFunc(g.blocks, a, func(b block, a uintptr) int {
		switch {
		case b.start() == a:
			return 0
		case b.start() < a:
			return -1
		}
		return 1
	})
	if !exact {
		i--
	}
	return i, i >= 0 && a < g.blocks[i].end()
}
