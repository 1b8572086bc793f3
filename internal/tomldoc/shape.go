package tomldoc

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Shape describes the permitted content of a key, as declared by a Go type: a table of known keys, a table of any
// keys, an array of tables, or a value.
type Shape struct {
	Type  reflect.Type      // without a pointer
	Tag   reflect.StructTag // of the field; of a table of any keys, its elements' too
	Keys  []string          // of a table, in the order of declaration
	Table map[string]*Shape // of a table, by key
	Dict  *Shape            // element of a table of any keys
	List  *Shape            // element of an array of tables
}

// ShapeOf returns the shape of a type. In structs toml tags name the keys. Embedded structs without a tag count as
// their fields. Fields without a tag, and fields tagged "-", are not keys.
func ShapeOf(t reflect.Type) *Shape {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := &Shape{Type: t}
	switch {
	case t.Kind() == reflect.Struct:
		s.Table = map[string]*Shape{}
		s.addFields(t)
	case t.Kind() == reflect.Map:
		s.Dict = ShapeOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		s.List = ShapeOf(t.Elem())
	}
	return s
}

func (s *Shape) addFields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch tag := f.Tag.Get("toml"); {
		case f.Anonymous && tag == "":
			s.addFields(f.Type)
		case tag != "" && tag != "-":
			c := ShapeOf(f.Type)
			c.Tag = f.Tag
			if c.Dict != nil {
				c.Dict.Tag = f.Tag
			}
			s.Add(tag, c)
		}
	}
}

// Add adds a key to a table.
func (s *Shape) Add(key string, c *Shape) {
	s.Keys = append(s.Keys, key)
	s.Table[key] = c
}

// Leaf reports whether a key of this shape holds a value, and not other keys.
func (s *Shape) Leaf() bool { return s.Table == nil && s.Dict == nil && s.List == nil }

func (s *Shape) any() bool { return s.Type.Kind() == reflect.Interface }

// Child returns the shape of the next part of a key, or nil. The part after the name of an array of tables is the
// number of a table.
func (s *Shape) Child(part string) *Shape {
	switch {
	case s.Dict != nil:
		return s.Dict
	case s.List != nil:
		if _, err := strconv.Atoi(part); err != nil {
			return nil
		}
		return s.List
	}
	return s.Table[part]
}

// Noun describes the expected value in messages, such as "array of strings".
func (s *Shape) Noun() string {
	switch {
	case s.List != nil:
		return "array of tables"
	case !s.Leaf():
		return "table"
	case s.Type.Kind() == reflect.Slice:
		return "array of " + ShapeOf(s.Type.Elem()).Noun() + "s"
	}
	switch k := s.Type.Kind(); {
	case s.any():
		return "value"
	case k == reflect.String:
		return "string"
	case k == reflect.Bool:
		return "boolean"
	case k == reflect.Float64 || k == reflect.Float32:
		return "number"
	case k >= reflect.Int && k <= reflect.Uint64:
		return "integer"
	}
	panic("tomldoc: no value of a document can be a " + s.Type.String())
}

// takes reports whether a variable of a type can hold a value of a kind.
func takes(t reflect.Type, k Kind) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Struct, reflect.Map:
		return k == unstable.InlineTable
	case reflect.Slice:
		return k == unstable.Array
	case reflect.String:
		return k == unstable.String
	case reflect.Bool:
		return k == unstable.Bool
	case reflect.Float32, reflect.Float64:
		return k == unstable.Float || k == unstable.Integer
	}
	return k == unstable.Integer
}

// foundNoun returns the kind of a value for messages.
func foundNoun(k Kind) string {
	switch k {
	case unstable.Bool:
		return "boolean"
	case unstable.Float:
		return "number with a fraction"
	case unstable.InlineTable, unstable.Table:
		return "table"
	case unstable.ArrayTable:
		return "array of tables"
	}
	return strings.ToLower(k.String())
}

// Article puts a or an before a noun.
func Article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
