package tomldoc

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Set stores the value of an entry in a variable, or makes room for the tables that the entry announces. key is the
// part of the entry's key below the variable. The entry has no mistake (Shape.Check), and Clear has been called for
// every entry of its document.
func (e *Entry) Set(v reflect.Value, key []string) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return e.Set(v.Elem(), key)
	case reflect.Struct:
		if len(key) == 0 {
			return nil // its members are entries of their own
		}
		return e.Set(Field(v, key[0]), key[1:])
	case reflect.Map:
		return e.setElement(v, key)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			return e.setTable(v, key)
		}
		return e.setArray(v)
	}
	return setScalar(v, e.Kind, e.text, e.Val, e.Name())
}

// setElement stores the value in an element of a table of any keys.
func (e *Entry) setElement(v reflect.Value, key []string) error {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	if len(key) == 0 {
		return nil
	}
	name, x := reflect.ValueOf(key[0]), reflect.New(v.Type().Elem()).Elem()
	if old := v.MapIndex(name); old.IsValid() {
		x.Set(old)
	}
	err := e.Set(x, key[1:])
	v.SetMapIndex(name, x)
	return err
}

// setTable stores the value in a table of an array, which grows as needed.
func (e *Entry) setTable(v reflect.Value, key []string) error {
	n := len(e.Elems) // of an inline array
	at := 0
	if len(key) > 0 {
		var err error
		if at, err = strconv.Atoi(key[0]); err != nil {
			return Errorf(e.Pos, "%s: found %s, expected the number of a table", e.Name(), Dotted(key[0]))
		}
		n = at + 1
	}
	for v.Len() < n {
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	}
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	if len(key) == 0 {
		return nil
	}
	return e.Set(v.Index(at), key[1:])
}

// setArray stores an array of values.
func (e *Entry) setArray(v reflect.Value) error {
	out := reflect.MakeSlice(v.Type(), len(e.Elems), len(e.Elems))
	for i := range e.Elems {
		x := &e.Elems[i]
		if err := setScalar(out.Index(i), x.Kind, x.text, x.Pos, e.Name()); err != nil {
			return err
		}
	}
	v.Set(out)
	return nil
}

// Clear clears what an entry sets as a whole, so that nothing of an earlier document remains in it: a table of any
// keys given as an inline table, or an array of tables. key is the part of the entry's key below the variable.
func (e *Entry) Clear(v reflect.Value, key []string) {
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.Struct && len(key) > 0:
		e.Clear(Field(v, key[0]), key[1:])
	case v.Kind() == reflect.Map && len(key) > 0:
		e.Clear(v.MapIndex(reflect.ValueOf(key[0])), key[1:])
	case v.Kind() == reflect.Map && e.Kind == unstable.InlineTable:
		v.Clear()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && v.CanSet():
		v.SetZero()
	}
}

// Field returns the field of a struct with the given toml key. Embedded structs without a tag count as their fields.
// The result is not valid if there is none.
func Field(v reflect.Value, key string) reflect.Value {
	if path, ok := fieldsOf(v.Type())[key]; ok {
		return v.FieldByIndex(path)
	}
	return reflect.Value{}
}

// fields has the result of fieldsOf by type, because reading the tags takes most of the time to load a configuration.
var fields sync.Map

// fieldsOf returns the places of the fields of a struct, and of the structs embedded in it without a tag, by key.
func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := fields.Load(t); ok {
		return known.(map[string][]int)
	}
	out := map[string][]int{}
	addFields(out, t, nil)
	fields.Store(t, out)
	return out
}

// addFields adds the fields of a struct that lies at index. Keys tell fields apart, not names, which two embedded
// structs may have in common.
func addFields(out map[string][]int, t reflect.Type, index []int) {
	for i := range t.NumField() {
		f, place := t.Field(i), append(slices.Clip(index), i)
		key, tagged := f.Tag.Lookup("toml")
		switch _, known := out[key]; {
		case f.Anonymous && !tagged:
			addFields(out, f.Type, place)
		case tagged && !known:
			out[key] = place
		}
	}
}

// setScalar stores a value that is no table and no array. text is the value as the document has it, a string without
// its quotes and escapes.
func setScalar(v reflect.Value, kind Kind, text string, at Pos, name string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		v.SetBool(text == "true")
		return nil
	case reflect.Interface:
		return setAny(v, kind, text, at, name)
	case reflect.Float64, reflect.Float32:
		if kind == unstable.Float {
			f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), v.Type().Bits())
			if err != nil && !math.IsInf(f, 0) {
				return Errorf(at, "%s: found %s, expected a number", name, text)
			}
			v.SetFloat(f)
			return nil
		}
	}
	return setInteger(v, text, at, name)
}

// setAny stores a value in a variable for any value, with the types of the decoder.
func setAny(v reflect.Value, kind Kind, text string, at Pos, name string) error {
	var of reflect.Type
	switch kind {
	case unstable.String:
		of = reflect.TypeFor[string]()
	case unstable.Bool:
		of = reflect.TypeFor[bool]()
	case unstable.Float:
		of = reflect.TypeFor[float64]()
	case unstable.Integer:
		of = reflect.TypeFor[int64]()
	default:
		return Errorf(at, "%s: found %s, expected a number, a text or a truth value", name, Article(foundNoun(kind)))
	}
	x := reflect.New(of).Elem()
	if err := setScalar(x, kind, text, at, name); err != nil {
		return err
	}
	v.Set(x)
	return nil
}

// setInteger stores an integer, in a variable of any numeric type.
func setInteger(v reflect.Value, text string, at Pos, name string) error {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+"), base(text), 64)
	fits := err == nil
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(n))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if fits = fits && n >= 0 && !v.OverflowUint(uint64(n)); fits {
			v.SetUint(uint64(n))
		}
	default:
		if fits = fits && !v.OverflowInt(n); fits {
			v.SetInt(n)
		}
	}
	switch {
	case fits:
		return nil
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return Errorf(at, "%s: found %s, expected an integer", name, text)
	}
	return Errorf(at, "%s: found %s, expected an integer of the range of %s", name, text, v.Type())
}

// base returns the base of an integer for strconv: that of its prefix, otherwise 10.
func base(text string) int {
	if len(text) > 1 && text[0] == '0' {
		return 0
	}
	return 10
}
