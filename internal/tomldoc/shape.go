package tomldoc

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Check lists what is wrong with the keys and the types of a document that is to
// be decoded into a struct of the given type, whose toml tags name its keys:
// keys that are not there, and values of another kind than the field's. Arrays
// of tables may stand within others. A field of type any takes every value.
func Check(d *Doc, into reflect.Type) []error {
	var errs []error
	for i := range d.Tables {
		t := &d.Tables[i]
		got, err := walk(into, t, false)
		if err == nil && got.Kind() != reflect.Interface && (t.Kind == unstable.ArrayTable) != isList(got) || err == nil && isLeaf(got) {
			err = Errorf(t.Pos, "%s: expected %s", t.Path(), nameOf(got))
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return errs // every key below such a table would be wrong again
	}
	for i := range d.Entries {
		e := &d.Entries[i]
		got, err := walk(into, e, true)
		if err == nil {
			err = checkValue(got, e)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// walk is the type of the field that a key names. In a numbered key the number
// of the table stands behind the name of an array of tables.
func walk(t reflect.Type, e *Entry, numbered bool) (reflect.Type, error) {
	t = plain(t)
	for i, part := range e.Key {
		if isList(t) {
			t = plain(t.Elem())
			if _, err := strconv.Atoi(part); numbered && err == nil {
				continue
			}
			if numbered {
				return nil, Errorf(e.Pos, "%s: found a table, expected an array of tables", strings.Join(e.Key[:i], "."))
			}
		}
		switch {
		case t.Kind() == reflect.Interface:
			return t, nil
		case t.Kind() == reflect.Map:
			t = plain(t.Elem())
		case t.Kind() == reflect.Struct:
			f, ok := field(t, part)
			if !ok {
				return nil, Errorf(e.Pos, "unknown key %s; expected one of %s", part, strings.Join(keysOf(t), ", "))
			}
			t = plain(f.Type)
		default:
			return nil, Errorf(e.Pos, "%s: found a table, expected %s", strings.Join(e.Key[:i], "."), nameOf(t))
		}
	}
	return t, nil
}

// plain is what a pointer points to, or the type itself.
func plain(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
}

func isLeaf(t reflect.Type) bool {
	return t.Kind() != reflect.Struct && t.Kind() != reflect.Map && t.Kind() != reflect.Interface && !isList(t)
}

func field(t reflect.Type, key string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("toml") == key && key != "-" && key != "" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func keysOf(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("toml"); key != "" && key != "-" {
			out = append(out, key)
		}
	}
	return out
}

// checkValue refuses a value of another kind than the field's.
func checkValue(t reflect.Type, e *Entry) error {
	wrong := func(p Pos, k Kind) error {
		return Errorf(p, "%s: found %s, expected %s", e.Key[len(e.Key)-1], foundName(k), nameOf(t))
	}
	switch {
	case t.Kind() == reflect.Interface:
		return nil
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		if e.Kind != unstable.InlineTable {
			return wrong(e.Val, e.Kind)
		}
	case t.Kind() == reflect.Slice:
		if e.Kind != unstable.Array {
			return wrong(e.Val, e.Kind)
		}
		for _, el := range e.Elems {
			if !takes(t.Elem(), el.Kind) {
				return wrong(el.Pos, el.Kind)
			}
		}
	case !takes(t, e.Kind):
		return wrong(e.Val, e.Kind)
	}
	return nil
}

// takes tells whether a value of a kind can be put into a variable of a type.
func takes(t reflect.Type, k Kind) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Struct, reflect.Map:
		return k == unstable.InlineTable
	case reflect.String:
		return k == unstable.String
	case reflect.Bool:
		return k == unstable.Bool
	case reflect.Float32, reflect.Float64:
		return k == unstable.Float || k == unstable.Integer
	}
	return k == unstable.Integer
}

// nameOf is what a user is told that a value must be.
func nameOf(t reflect.Type) string {
	switch {
	case isList(t):
		return "an array of tables"
	case t.Kind() == reflect.Slice:
		_, noun, _ := strings.Cut(nameOf(t.Elem()), " ")
		return fmt.Sprintf("an array of %ss", noun)
	}
	switch t.Kind() {
	case reflect.Interface:
		return "a value"
	case reflect.Struct, reflect.Map:
		return "a table"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "an integer"
}

func foundName(k Kind) string {
	switch k {
	case unstable.Bool:
		return "a boolean"
	case unstable.Float:
		return "a number with a fraction"
	case unstable.Integer:
		return "an integer"
	case unstable.InlineTable, unstable.Table:
		return "a table"
	case unstable.Array:
		return "an array"
	}
	return "a " + strings.ToLower(k.String())
}
