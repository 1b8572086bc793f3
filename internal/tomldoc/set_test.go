package tomldoc_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"kumiko/internal/tomldoc"
)

type inner struct {
	N    int      `toml:"n"`
	Text string   `toml:"text"`
	List []string `toml:"list"`
}

type embedded struct {
	Deep int8 `toml:"deep"`
}

type values struct {
	embedded
	On     bool             `toml:"on"`
	Share  float64          `toml:"share"`
	Bits   uint16           `toml:"bits"`
	Table  inner            `toml:"table"`
	Any    map[string]inner `toml:"any"`
	Pairs  map[string][]int `toml:"pairs"`
	Tables []inner          `toml:"tables"`
	Hidden int              `toml:"-"`
}

func present() values {
	return values{Share: 3, Any: map[string]inner{"old": {N: 1, Text: "kept"}},
		Pairs: map[string][]int{"a": {1}}, Tables: []inner{{N: 9}, {N: 8}}, Hidden: 5}
}

func apply(t *testing.T, text string, v *values) error {
	t.Helper()
	doc, err := tomldoc.Parse("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if errs := tomldoc.Check(doc, reflect.TypeFor[values]()); len(errs) > 0 {
		t.Fatal(errs)
	}
	return doc.Apply(func(key []string) (reflect.Value, []string) { return reflect.ValueOf(v).Elem(), key })
}

// The decoder of the library is the reference, where nothing is set before.
func TestADocumentIsStoredAsTheLibraryDecodesIt(t *testing.T) {
	for _, text := range []string{
		"on = true\nshare = 1_0.5e-1\nbits = 0xff\ndeep = -7",
		"share = 3\ndeep = +5\nbits = 0b1010",
		"[table]\nn = 1_000\ntext = \"a\\tb\\u00e9\"\nlist = ['x', \"y\"]",
		"table.text = \"\"\"\none\ntwo\"\"\"\ntable.list = []",
		"table = {n = 0o17, text = 'a\\b'}",
		"[any.one]\nn = 1\n[any.two]\n[pairs]\nx = [1, 2]\ny = []",
		"any = {one = {n = 1}, two = {text = 'x'}}",
		"[[tables]]\nn = 1\n[[tables]]\n[[tables]]\nlist = ['q']",
		"tables = [{n = 1}, {}, {text = 'x'}]",
		"tables = []",
		"share = -inf",
	} {
		var got, want values
		if err := toml.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if err := apply(t, text, &got); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(values{})); d != "" {
			t.Errorf("%q: -library +stored\n%s", text, d)
		}
	}
	var v values
	if err := apply(t, "share = nan", &v); err != nil || !math.IsNaN(v.Share) {
		t.Errorf("nan is stored as %v, error %v", v.Share, err)
	}
}

// A table keeps what the document does not name; a table of any keys given as a whole, and an array of tables, do not.
func TestADocumentChangesWhatItNames(t *testing.T) {
	for text, change := range map[string]func(*values){
		"":                                   func(*values) {},
		"[any.old]\nn = 2":                   func(v *values) { v.Any["old"] = inner{N: 2, Text: "kept"} },
		"any.new.n = 2":                      func(v *values) { v.Any["new"] = inner{N: 2} },
		"any = {new = {n = 2}}":              func(v *values) { v.Any = map[string]inner{"new": {N: 2}} },
		"pairs.b = [2]":                      func(v *values) { v.Pairs["b"] = []int{2} },
		"[[tables]]\ntext = 'x'":             func(v *values) { v.Tables = []inner{{Text: "x"}} },
		"tables = []":                        func(v *values) { v.Tables = []inner{} },
		"[table]\nn = 4\n[any.old]":          func(v *values) { v.Table.N = 4 },
		"tables = [{}, {list = ['a', 'b']}]": func(v *values) { v.Tables = []inner{{}, {List: []string{"a", "b"}}} },
	} {
		got, want := present(), present()
		change(&want)
		if err := apply(t, text, &got); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(values{})); d != "" {
			t.Errorf("%q: -want +stored\n%s", text, d)
		}
	}
}

func TestANumberWithoutRoomIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"deep = 128":                             "1:8: deep: found 128, expected an integer of the range of int8",
		"bits = -1":                              "1:8: bits: found -1, expected an integer of the range of uint16",
		"[table]\nn = 9223372036854775808":       "2:5: table.n: found 9223372036854775808, expected an integer",
		"[pairs]\nx = [1, 99999999999999999999]": "2:9: pairs.x: found 99999999999999999999, expected an integer",
	} {
		if err := apply(t, text, new(values)); err == nil || !strings.HasPrefix(err.Error(), "f.toml:"+want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
