package spec

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// The fields of a Spec declare their settings by tags, because the checks, the defaults and the listings then follow
// from one place:
//
//	Entries int `toml:"entries" unit:"registers" default:"6" range:"0 to 256" source:"table 2 of the paper" doc:"..."`
//
// toml, unit and doc are required. The value of a field without default is zero, and a field without range has no
// bounds of its own: a Check method judges what depends on other settings.

// rangeTag and defaultTag are the tags with the bounds and the value of a setting.
const (
	rangeTag   = "range"
	defaultTag = "default"
)

// Defaults sets every field with a default tag to its value. s points to a struct. It panics if a tag is no value of
// its field, a fault that every test of the Spec finds.
func Defaults(s any) { setDefaults(reflect.ValueOf(s).Elem()) }

func setDefaults(v reflect.Value) {
	for i := range v.NumField() {
		f, x := v.Type().Field(i), v.Field(i)
		text, ok := f.Tag.Lookup(defaultTag)
		switch {
		case ok:
			if err := setText(x, text); err != nil {
				panic(fmt.Sprintf("spec: default of %s.%s: %v", v.Type(), f.Name, err))
			}
		case x.Kind() == reflect.Struct && (f.IsExported() || f.Anonymous):
			setDefaults(x)
		}
	}
}

// setText stores the value that a tag denotes.
func setText(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return err
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		v.SetFloat(x)
		return err
	case reflect.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
		return err
	}
	return fmt.Errorf("a %s has none", v.Type())
}

// Ranges returns an *Error for the first number of a Spec outside its range tag, or nil. s points to a struct; the
// structs in it count too, except those under a condition: their owner checks them where it holds.
func Ranges(s any) error {
	v := reflect.ValueOf(s).Elem()
	for _, b := range boundsOf(v.Type()) {
		if err := b.check(v.FieldByIndex(b.index)); err != nil {
			return err
		}
	}
	return nil
}

// bounds is the range of a field.
type bounds struct {
	key       string
	index     []int
	text      string
	low, high float64
}

func (b *bounds) check(v reflect.Value) error {
	x := 0.0
	if v.Kind() == reflect.Float64 {
		x = v.Float()
	} else {
		x = float64(v.Int())
	}
	if x >= b.low && x <= b.high {
		return nil
	}
	return Errorf(b.key, v.Interface(), "%s", b.text)
}

// ranges has the bounds of the types seen so far.
var ranges sync.Map // reflect.Type -> []bounds

func boundsOf(t reflect.Type) []bounds {
	if known, ok := ranges.Load(t); ok {
		return known.([]bounds)
	}
	var out []bounds
	addBounds(&out, t, "", nil)
	ranges.Store(t, out)
	return out
}

// addBounds adds the bounds of the fields of a struct, whose keys begin with prefix.
func addBounds(out *[]bounds, t reflect.Type, prefix string, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(index[:len(index):len(index)], i)
		key := f.Tag.Get("toml")
		switch {
		case f.Tag.Get(rangeTag) != "":
			*out = append(*out, newBounds(prefix+key, f, at))
		case f.Type.Kind() == reflect.Struct && f.Anonymous && key == "":
			addBounds(out, f.Type, prefix, at)
		case f.Type.Kind() == reflect.Struct && key != "" && key != "-" && f.Tag.Get("when") == "":
			addBounds(out, f.Type, prefix+key+".", at)
		}
	}
}

// newBounds parses the range tag of a field. It panics if the tag or the type of the field has no such form.
func newBounds(key string, f reflect.StructField, index []int) bounds {
	text := f.Tag.Get(rangeTag)
	low, high, ok := strings.Cut(text, " to ")
	b := bounds{key: key, index: index, text: text}
	var err, err2 error
	b.low, err = strconv.ParseFloat(low, 64)
	b.high, err2 = strconv.ParseFloat(high, 64)
	if k := f.Type.Kind(); !ok || err != nil || err2 != nil || k != reflect.Int && k != reflect.Float64 {
		panic(fmt.Sprintf("spec: range of %s: found %q, expected a range such as \"1 to 64\" of a number", key, text))
	}
	return b
}
