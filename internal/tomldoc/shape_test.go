package tomldoc

import (
	"errors"
	"reflect"
	"testing"
)

type shapeOuter struct {
	Name   string              `toml:"name"`
	N      int                 `toml:"n"`
	F      *float64            `toml:"f"`
	Any    any                 `toml:"any"`
	Lists  map[string][]string `toml:"lists"`
	Inner  []shapeInner        `toml:"inner"`
	One    shapeLeaf           `toml:"one"`
	Hidden int                 `toml:"-"`
}

type shapeInner struct {
	Deep []shapeLeaf `toml:"deep"`
	Vals []any       `toml:"vals"`
}

type shapeLeaf struct {
	X bool `toml:"x"`
}

func TestWhatIsWrongWithADocumentIsSaidWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"name = \"a\"\nn = 3\nf = 2\nany = [1, \"b\"]\n[lists]\nq = [\"a\"]\n[[inner]]\nvals = [1, \"x\"]\n" +
			"[[inner.deep]]\nx = true\n[[inner.deep]]\nx = false\n[one]\nx = true", ""},
		{"inner = [{deep = [{x = true}]}]\none = {x = false}", ""},
		{"nam = 3", "f:1:1: unknown key nam; expected one of name, n, f, any, lists, inner, one"},
		{"hidden = 3", "f:1:1: unknown key hidden; expected one of name, n, f, any, lists, inner, one"},
		{"name = 3", "f:1:8: name: found an integer, expected a string"},
		{"n = 3.5", "f:1:5: n: found a number with a fraction, expected an integer"},
		{"f = true", "f:1:5: f: found a boolean, expected a number"},
		{"[lists]\nq = [1]", "f:2:6: q: found an integer, expected an array of strings"},
		{"[lists]\nq = 1", "f:2:5: q: found an integer, expected an array of strings"},
		{"[inner]\nvals = []", "f:1:2: inner: expected an array of tables"},
		{"[[one]]\nx = true", "f:1:3: one: expected a table"},
		{"[name]\nx = 1", "f:1:2: name: expected a string"},
		{"name.x = 1", "f:1:1: name: found a table, expected a string"},
		{"inner.vals = 1", "f:1:1: inner: found a table, expected an array of tables"},
		{"one = 4", "f:1:7: one: found an integer, expected a table"},
		{"[[inner]]\n[[inner.deep]]\ny = 1", "f:3:1: unknown key y; expected one of x"},
		{"n = true\nname = 1", "f:1:5: n: found a boolean, expected an integer\nf:2:8: name: found an integer, " +
			"expected a string"},
	} {
		d, err := Parse("f", []byte(c.text))
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		got := ""
		if err := errors.Join(Check(d, reflect.TypeFor[shapeOuter]())...); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}
