package storage

import (
	"reflect"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

var (
	component = reflect.TypeFor[sim.Component]()
	compType  = reflect.TypeFor[wire.Comp]()
)

// name returns the name of a type, such as "ltrf.WCB", without type arguments.
func name(t reflect.Type) string {
	if t.Name() == "" {
		return "struct"
	}
	s, _, _ := strings.Cut(t.String(), "[")
	return s
}

// isList reports whether values of a type have entries.
func isList(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
		return true
	}
	return false
}

// innermost returns the type of the entries of a list, or of the innermost list. For any other type it returns the
// type itself.
func innermost(t reflect.Type) reflect.Type {
	for isList(t) {
		t = t.Elem()
	}
	return t
}

// isWire reports whether a field of a type holds no state of its block.
func isWire(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Func, reflect.Interface, reflect.String:
		return true
	case reflect.Pointer:
		return t.Implements(component) || isWire(t.Elem())
	case reflect.Struct:
		return foreign(t.PkgPath()) || settings(t)
	}
	return false
}

// foreign reports whether structs of a package are never state of a block.
func foreign(pkg string) bool {
	switch pkg {
	case "kumiko/components/wire", "kumiko/components/stats", "kumiko/components/version", "kumiko/sm/program",
		"kumiko/sm/reason":
		return true
	}
	return pkg != "" && !strings.HasPrefix(pkg, "kumiko/") || strings.HasPrefix(pkg, "kumiko/kernel/")
}

// settings reports whether a struct holds settings: a Spec, or a struct with toml tags.
func settings(t reflect.Type) bool {
	if strings.HasSuffix(t.Name(), "Spec") {
		return true
	}
	for i := range t.NumField() {
		if _, ok := t.Field(i).Tag.Lookup("toml"); ok {
			return true
		}
	}
	return false
}

// entries returns the number of innermost entries of a list.
func entries(v reflect.Value) int {
	if !isList(v.Type()) {
		return 1
	}
	if !isList(v.Type().Elem()) || v.Kind() == reflect.Map || v.Kind() == reflect.Chan {
		return v.Len()
	}
	n := 0
	for i := range v.Len() {
		n += entries(v.Index(i))
	}
	return n
}

// capacity returns the number of innermost entries of a list, counting each slice with its capacity.
func capacity(v reflect.Value) int {
	if v.Kind() == reflect.Slice && !isList(v.Type().Elem()) {
		return v.Cap()
	}
	n := 0
	for i := range v.Len() {
		n += capacity(v.Index(i))
	}
	return n
}

// isFixed reports whether a list is an array. The length of an array is the model's bound.
func isFixed(t reflect.Type) bool { return t.Kind() == reflect.Array }

// instruction is the number of bits counted for a message's pointer to an instruction.
const instruction = 64

// width returns the number of bits of a value of the type.
func (w *walk) width(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Bool:
		return 1
	case reflect.Array:
		return t.Len() * w.width(t.Elem())
	case reflect.Struct:
		n := 0
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" || f.Tag.Get("soft") != "" || f.Type.PkgPath() == "kumiko/components/version" {
				continue
			}
			n += w.width(f.Type)
		}
		return n
	case reflect.Pointer:
		if t.Elem().Name() == "Inst" {
			return instruction
		}
		return 0
	case reflect.Slice, reflect.Map, reflect.Chan, reflect.String, reflect.Interface, reflect.Func:
		return 0
	}
	return t.Bits()
}
