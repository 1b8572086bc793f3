package tomldoc

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"nam = 3", "f:1:1: unknown key nam; did you mean name?"},
		{"[[innre]]\n[[inner]]\ndepe = 1\n[innre.deep]\nx = 3", "f:1:3: unknown key innre; did you mean inner?\n" +
			"f:4:2: unknown key innre; did you mean inner?\nf:3:1: unknown key depe; did you mean deep?"},
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

func TestADocumentWithUnknownKeysIsReadAsIfTheyWereTheNearest(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    shapeOuter
		without []string
		whole   bool
	}{
		{"nam = \"a\"\n[[inenr]]\nvasl = [1, \"x\", true, 1.5]\n[[inenr.depe]]\nx = true\n[oen]\nx = true",
			shapeOuter{Name: "a", One: shapeLeaf{true}, Inner: []shapeInner{{Deep: []shapeLeaf{{true}},
				Vals: []any{int64(1), "x", true, 1.5}}}}, nil, true},
		{"name = \"a\"\nnam = \"b\"\n[[inner]]\nvals = []\ncolour = 1\n", shapeOuter{Name: "a",
			Inner: []shapeInner{{Vals: []any{}}}}, []string{"", "inner.0"}, true},
		{"n = 2\n[[colour]]\nx = 1\n", shapeOuter{N: 2}, []string{"", "", ""}, false},
	} {
		d := mustParse(t, "f", []byte(c.text))
		without, whole := d.Correct(ShapeOf(reflect.TypeFor[shapeOuter]()))
		if !slices.Equal(without, c.without) || whole != c.whole {
			t.Errorf("%q: without a key are %q, whole %v; want %q, %v", c.text, without, whole, c.without, c.whole)
		}
		var got shapeOuter
		if err := d.Apply(func(key []string) (reflect.Value, []string) {
			return reflect.ValueOf(&got).Elem(), key
		}); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}
