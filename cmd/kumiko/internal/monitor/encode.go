package monitor

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// encoder writes a value in the format read by Akita's page (the format of github.com/syifan/goseth): a dictionary
// of values with kind, type and length. Values refer to one another by number. Unlike goseth, encoder supports
// arrays, functions and every other kind, and writes valid JSON for all strings and numbers.
type encoder struct {
	dict  map[string]entry
	queue []item
	next  int
}

type entry struct {
	Kind  int    `json:"k"`
	Type  string `json:"t"`
	Value any    `json:"v,omitempty"`
	Len   *int   `json:"l,omitempty"`
}

type item struct {
	id   string
	deep bool // its parts are not shown
	v    reflect.Value
}

// mostParts is the maximum number of shown elements of an array, slice or map.
const mostParts = 4096

// encode encodes a component, or the value reached from it by a chain of fields. It includes the value's parts, but
// not the parts' parts.
func encode(c any, fields []string) ([]byte, error) {
	v, err := follow(reflect.ValueOf(c), fields)
	if err != nil {
		return nil, err
	}
	e := &encoder{dict: map[string]entry{}}
	root := e.add(v, false)
	for len(e.queue) > 0 {
		i := e.queue[0]
		e.queue = e.queue[1:]
		e.dict[i.id] = e.entry(i)
	}
	return json.Marshal(map[string]any{"r": root, "dict": e.dict})
}

// follow goes from a value to a field, an element, or an entry of a map, for each name in turn.
func follow(v reflect.Value, fields []string) (reflect.Value, error) {
	for _, name := range fields {
		if name == "" {
			continue
		}
		v = strip(v)
		next := reflect.Value{}
		switch v.Kind() {
		case reflect.Struct:
			// A nil embedded pointer has no fields.
			if f, ok := v.Type().FieldByName(name); ok {
				next, _ = v.FieldByIndexErr(f.Index)
			}
		case reflect.Slice, reflect.Array:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < v.Len() {
				next = v.Index(i)
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				if fmt.Sprint(it.Key()) == name {
					next = it.Value()
				}
			}
		}
		if !next.IsValid() {
			return v, fmt.Errorf("no %s in a value of kind %s", name, v.Kind())
		}
		v = next
	}
	return v, nil
}

// strip follows pointers and interfaces.
func strip(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

func (e *encoder) add(v reflect.Value, deep bool) string {
	id := strconv.Itoa(e.next)
	e.next++
	e.queue = append(e.queue, item{id, deep, strip(v)})
	return id
}

func (e *encoder) entry(i item) entry {
	v := i.v
	switch v.Kind() {
	case reflect.Invalid:
		return entry{Type: "null"}
	case reflect.Map, reflect.Slice:
		if v.IsNil() {
			return entry{Type: "null"}
		}
	}
	out := entry{Kind: int(v.Kind()), Type: typeName(v.Type())}
	switch v.Kind() {
	case reflect.Array: // the page knows slices
		out.Kind = int(reflect.Slice)
		fallthrough
	case reflect.Slice, reflect.Map, reflect.Chan:
		n := v.Len()
		out.Len = &n
	case reflect.Struct:
	default:
		out.Kind, out.Value = plain(v)
		return out
	}
	if i.deep {
		return out
	}
	out.Value = e.parts(v)
	return out
}

// parts returns the numbers of a value's elements or fields.
func (e *encoder) parts(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Struct:
		m := map[string]string{}
		for i := range v.NumField() {
			m[v.Type().Field(i).Name] = e.add(v.Field(i), true)
		}
		return m
	case reflect.Map:
		m := map[string]string{}
		for it := v.MapRange(); it.Next() && len(m) < mostParts; {
			m[e.add(it.Key(), true)] = e.add(it.Value(), true)
		}
		return m
	case reflect.Slice, reflect.Array:
		list := []string{}
		for i := range min(v.Len(), mostParts) {
			list = append(list, e.add(v.Index(i), true))
		}
		return list
	}
	return nil
}

// plain returns a value without parts, and the kind under which the page shows it.
func plain(v reflect.Value) (kind int, value any) {
	switch v.Kind() {
	case reflect.Bool:
		return int(v.Kind()), v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Kind()), v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return int(reflect.Uint64), v.Uint()
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return int(v.Kind()), f
		}
		return int(reflect.String), fmt.Sprint(v.Float())
	case reflect.String:
		return int(v.Kind()), v.String()
	}
	return int(reflect.String), v.Kind().String()
}

func typeName(t reflect.Type) string {
	path := t.PkgPath()
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i+1] + t.String()
	}
	return t.String()
}
