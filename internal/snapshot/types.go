package snapshot

import (
	"fmt"
	"reflect"
)

// class is the way in which values of a type are stored.
type class uint8

const (
	unknown  class = iota
	flat           // as they lie in memory: no pointers within
	left           // not at all
	compound       // by their parts
)

// types maps types to their classes, and names to types.
type types struct {
	classes map[reflect.Type]class
	named   map[string]reflect.Type
}

// newTypes returns a types with the predeclared types.
func newTypes() *types {
	x := &types{classes: map[reflect.Type]class{}, named: map[string]reflect.Type{}}
	for _, v := range []any{false, "", 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0),
		uint32(0), uint64(0), uintptr(0), float32(0), float64(0), complex64(0), complex128(0)} {
		x.learn(reflect.TypeOf(v))
	}
	return x
}

// class returns how values of a type are stored.
func (x *types) class(t reflect.Type) class {
	if c := x.classes[t]; c != unknown {
		return c
	}
	c := compound
	switch t.Kind() {
	case reflect.Chan:
		c = left
	case reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.String,
		reflect.UnsafePointer:
	case reflect.Array:
		c = x.class(t.Elem())
		if t.Len() == 0 {
			c = flat
		}
	case reflect.Struct:
		c = x.classOfStruct(t)
	default:
		c = flat
	}
	x.classes[t] = c
	return c
}

func (x *types) classOfStruct(t reflect.Type) class {
	if t.PkgPath() == "sync" {
		return left
	}
	c := flat
	for i := range t.NumField() {
		if x.class(t.Field(i).Type) != flat {
			c = compound
		}
	}
	return c
}

// learn adds a type and all types named in it.
func (x *types) learn(t reflect.Type) {
	name := nameOf(t)
	if _, ok := x.named[name]; ok {
		return
	}
	x.named[name] = t
	switch t.Kind() {
	case reflect.Array, reflect.Pointer, reflect.Slice:
		x.learn(t.Elem())
	case reflect.Map:
		x.learn(t.Key())
		x.learn(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			x.learn(t.Field(i).Type)
		}
	}
}

// nameOf returns a name of a type, unique within the program.
func nameOf(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), nameOf(t.Elem()))
	case reflect.Pointer:
		return "*" + nameOf(t.Elem())
	case reflect.Slice:
		return "[]" + nameOf(t.Elem())
	case reflect.Map:
		return "map[" + nameOf(t.Key()) + "]" + nameOf(t.Elem())
	}
	return t.String()
}
