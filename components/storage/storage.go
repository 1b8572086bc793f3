// Package storage computes the storage of a block from tags on its structs.
//
// Every slice, array and map of a block, or of a struct within, has a tag:
//
//	bits:"9"           an entry has nine bits
//	bits:"1+log(n)"    one, and the bits of a number below the field n, or below its length
//	bits:"type"        as many as the Go type has: of a message, an upper bound
//	room:"n"           there are n entries, whatever the present length of the slice
//	row:"WCB: dirty"   the entries are counted by this row (block and name) of the design's State
//	part:"Bank"        the entries are parts of the block, with state of their own
//	soft:"statistics"  not hardware, for this reason
//
// Wires need no tag: ports, signals, functions, interfaces, and pointers to other blocks. Neither do settings,
// statistics (stats, reason), the operand check (version), programs (kernel) and strings. The queue of a port is
// counted in messages, as its capacity.
package storage

import (
	"fmt"
	"reflect"
	"strings"
)

// Kind says of what an array is built.
type Kind string

// Kinds of arrays.
const (
	SRAM     Kind = "sram"
	FlipFlop Kind = "flip-flop" // entries are read through multiplexers
	CAM      Kind = "cam"       // flip-flops, each with a comparator for each read port
)

// Row is the storage of one block, or of several equal blocks.
type Row struct {
	Block string `json:"block"` // such as "Bank"
	What  string `json:"what"`  // such as "registers", "tags", "locks"
	Count int    `json:"count"` // similar blocks, per SM
	Bits  int    `json:"bits"`  // of all of them, per SM
	Ports string `json:"ports"` // such as "1r1w"; empty if not applicable
	// Kind, Width and CellPorts are the shape of the arrays, from which their area is computed. Each block is an array
	// whose entries have Width bits. Its cells have the ports CellPorts or, if that is empty, Ports. Without a Kind the
	// storage is no array of its own, and has no area.
	Kind      Kind   `json:"kind,omitempty"`
	Width     int    `json:"width,omitempty"`
	CellPorts string `json:"cell_ports,omitempty"`
	// Apart: the paper of the design does not count this storage.
	Apart bool `json:"apart,omitempty"`
}

// Field is a slice, an array or a map of a block.
type Field struct {
	Name    string `json:"name"`           // path of field names, such as "core.tags.line"
	Part    string `json:"part,omitempty"` // of the block, such as "Bank[2]"
	Entries int    `json:"entries"`
	Bits    int    `json:"bits"`          // of all entries
	Row     string `json:"row,omitempty"` // the row counting it, such as "WCB: dirty bits"; then Bits is 0
}

// Sum is the storage of a block.
type Sum struct {
	Fields []Field
	Parts  []string          // names of parts, such as "Bank[2]", in order
	Soft   map[string]string // reasons of fields outside hardware, such as "ltrf.WCB.count"
	Faults []string          // fields without a tag, with a wrong tag, or with more entries than the tag room
}

// Bits returns the number of bits of the fields that no row of the design's State counts.
func (s *Sum) Bits() (n int) {
	for i := range s.Fields {
		n += s.Fields[i].Bits
	}
	return n
}

// Of returns the storage of a block, given as a pointer to a struct.
func Of(block any) *Sum {
	w := walk{seen: map[place]bool{}}
	w.sum.Soft = map[string]string{}
	w.fields(reflect.ValueOf(block).Elem(), "", "")
	return &w.sum
}

// place identifies a struct in memory. The type is needed because a struct has the address of its first field.
type place struct {
	at uintptr
	t  reflect.Type
}

type walk struct {
	sum  Sum
	seen map[place]bool
}

// fields reads the fields of a struct.
func (w *walk) fields(v reflect.Value, path, part string) {
	t := v.Type()
	if v.CanAddr() {
		at := place{v.UnsafeAddr(), t}
		if w.seen[at] {
			return
		}
		w.seen[at] = true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" || f.Type == compType {
			continue
		}
		name := strings.TrimPrefix(path+"."+f.Name, ".")
		if f.Anonymous {
			name = path
		}
		w.field(v, i, name, part)
	}
}

// field reads a field of a struct.
func (w *walk) field(owner reflect.Value, i int, path, part string) {
	t, v := owner.Type(), owner.Field(i)
	f := t.Field(i)
	full := name(t) + "." + f.Name
	if why := f.Tag.Get("soft"); why != "" {
		w.sum.Soft[full] = why
		return
	}
	if row, tag := f.Tag.Get("row"), f.Tag.Get("bits"); row != "" || tag != "" {
		w.count(owner, &f, v, Field{Name: path, Part: part, Row: row})
		return
	}
	if p := f.Tag.Get("part"); p != "" {
		for i := range v.Len() {
			inner := strings.TrimPrefix(fmt.Sprintf("%s.%s[%d]", part, p, i), ".")
			w.sum.Parts = append(w.sum.Parts, inner)
			w.value(v.Index(i), path, inner)
		}
		return
	}
	switch {
	case f.Type.Kind() == reflect.Pointer && isList(f.Type.Elem()) && !v.IsNil():
		w.fault("%s has no tag: how many bits, or why it is no hardware", full)
	case f.Type.Kind() == reflect.Interface:
		w.value(v, path, part)
	case isWire(f.Type):
	case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Interface:
		for i := range v.Len() {
			w.value(v.Index(i), path, part)
		}
	case isList(f.Type):
		if !isWire(innermost(f.Type)) {
			w.fault("%s has no tag: how many bits, or why it is no hardware", full)
		}
	default:
		w.value(v, path, part)
	}
}

// value reads the structs reachable from a value.
func (w *walk) value(v reflect.Value, path, part string) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() || isWire(v.Type()) && v.Kind() == reflect.Pointer || v.Type().Implements(component) {
			return
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct && !isWire(v.Type()) {
		w.fields(v, path, part)
	}
}

// count counts the entries of a field and their bits.
func (w *walk) count(owner reflect.Value, f *reflect.StructField, v reflect.Value, row Field) {
	row.Entries = entries(v)
	full := name(owner.Type()) + "." + f.Name
	switch expr := f.Tag.Get("room"); expr {
	case "":
	case "cap":
		row.Entries = capacity(v)
	default:
		found := row.Entries
		if row.Entries = w.eval(owner, full, expr); found > row.Entries && !isFixed(f.Type) {
			w.fault("%s has %d entries, its tag room for %d", full, found, row.Entries)
		}
	}
	switch expr := f.Tag.Get("bits"); expr {
	case "":
	case "type":
		row.Bits = row.Entries * w.width(innermost(f.Type))
	default:
		row.Bits = row.Entries * w.eval(owner, full, expr)
	}
	if row.Entries > 0 {
		w.sum.Fields = append(w.sum.Fields, row)
	}
}

func (w *walk) eval(owner reflect.Value, full, expr string) int {
	n, err := evaluate(owner, expr)
	if err != nil {
		w.fault("the tag of %s, %q: %v", full, expr, err)
	}
	return n
}

func (w *walk) fault(format string, args ...any) {
	w.sum.Faults = append(w.sum.Faults, fmt.Sprintf(format, args...))
}
