package tomldoc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2/unstable"
)

func TestAPlaceIsTheLineAndTheByteInIt(t *testing.T) {
	s, err := NewSource("f", []byte("ab\n\ncde\n"))
	if err != nil {
		t.Fatal(err)
	}
	for offset, want := range []string{"f:1:1", "f:1:2", "f:1:3", "f:2:1", "f:3:1", "f:3:2", "f:3:3", "f:3:4",
		"f:4:1"} {
		if got := s.At(offset).String(); got != want {
			t.Errorf("byte %d: %s, want %s", offset, got, want)
		}
	}
}

func TestWhatIsNoTextIsNamed(t *testing.T) {
	for data, want := range map[string]string{
		"\xef\xbb\xbfa = 1": "f:1:1: found a byte-order mark (UTF-8), expected a TOML document in plain UTF-8",
		"\xff\xfea\x00":     "f:1:1: found a byte-order mark (UTF-16), expected a TOML document in plain UTF-8",
		"a\x00=\x001\x00":   "f:1:1: found UTF-16, expected a TOML document in plain UTF-8",
		"a = 1\nb = 2\x00": "f:2:6: found binary data (the byte 0x00), expected a TOML document in plain " +
			"UTF-8",
		"\x7fELF\x02\x01\x01\x00\n": "f:1:1: found an ELF file, as cubins are, expected a TOML document in plain UTF-8",
	} {
		if _, err := Parse("f", []byte(data)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", data, err, want)
		}
	}
}

// keys returns n different keys of an empty table.
func keys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	return b.String()
}

func TestATableHasNoMoreKeysThanTheDecoderCanCompare(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as many as may be", keys(maxKeys), ""},
		{"one more", keys(maxKeys + 1), "f:10001:1: found k10000 as key 10001 of its table, expected at most 10000"},
		{"in a table", "[a.b]\n" + keys(maxKeys+1),
			"f:10002:1: found k10000 as key 10001 of its table, expected at most 10000"},
		{"of several parts", strings.ReplaceAll(keys(maxKeys+1), "k", "a.k"),
			"f:10001:3: found k10000 as key 10001 of its table, expected at most 10000"},
		{"in an inline table", "a = [{" + strings.ReplaceAll(strings.TrimSuffix(keys(maxKeys+1), "\n"), "\n", ",") +
			"}]", "found k10000 as key 10001 of its table"},
		{"tables", strings.ReplaceAll(strings.ReplaceAll(keys(maxKeys+1), "k", "[k"), " = 1", "]"),
			"f:10001:2: found k10000 as key 10001 of its table, expected at most 10000"},
		{"in the tables of an array each its own", "[[t]]\n" + keys(maxKeys) + "[[t]]\n" + keys(maxKeys) +
			"[t.s]\nx = 1\n", "f:20003:4: found s as key 10001 of its table"},
		{"many tables of an array", strings.Repeat("[[t]]\nx = {y = 1}\n", 3*maxKeys), ""},
		{"a key of many parts", "a" + strings.Repeat(".a", 100) + " = 1",
			"f:1:201: found a key of more than 100 parts, expected fewer"},
		{"tables one in the other", strings.Repeat("a = {", 101) + strings.Repeat("}", 101),
			"f:1:501: found a key of more than 100 parts, expected fewer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f", []byte(c.text))
			if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestMistakesAreListedUpToABound(t *testing.T) {
	var list Errors
	for i := range 30 {
		list = append(list, Errorf(Pos{"f", i + 1, 1}, "m"))
	}
	if got := list.Error(); !strings.HasSuffix(got, "\nf:20:1: m\nf: and 10 more") {
		t.Errorf("got %s", got)
	}
	var errs []error
	for _, e := range list {
		errs = append(errs, e)
	}
	err := Join("f", errs)
	if got := err.Error(); !strings.HasSuffix(got, "\nf:20:1: m\nf: and 10 more") {
		t.Errorf("joined: %s", got)
	}
	if _, ok := errors.AsType[*Error](err); !ok || len(errs) != 30 || errs[20] != list[20] {
		t.Errorf("the list was changed")
	}
	if Join("f", nil) != nil {
		t.Error("no mistake is an error")
	}
}

func TestAMessageShowsNothingThatATerminalObeys(t *testing.T) {
	if got, want := Errorf(Pos{"f", 1, 1}, "found %s", "\x1b[2J").Error(), `f:1:1: found \x1b[2J`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Dotted("a", "b c", "", "\x1b", strings.Repeat("k", 100)), `a."b c"."".".`; got == want ||
		!strings.HasPrefix(got, `a."b c"."".`) ||
		strings.Contains(got, "\x1b") || len(got) > 150 {
		t.Errorf("got %q", got)
	}
}

func TestWhatTheDecoderRefusesIsNamedWithItsKey(t *testing.T) {
	type inner struct {
		N uint8 `toml:"n"`
	}
	for text, want := range map[string]string{
		"[t]\nn = 300":         "f:2:5: t.n: integer value 300 cannot be stored in uint8",
		"[[l]]\nn = 1\nn = 2":  "f:3:1: l.n: ",
		"[t]\n[t]":             "f:2:2: t: ",
		"l = [{n = 1, n = 2}]": "f:1:1: l: key n is already defined",
		"[t]\nn = 1.5":         "f:2:5: t.n: ",
		"[t]\nm = 07":          "f:2:5: ",
	} {
		var into struct {
			T inner   `toml:"t"`
			L []inner `toml:"l"`
		}
		if err := Decode("f", []byte(text), &into); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	var into struct{ A int }
	if err := Decode("f", []byte("a = 3"), &into); err != nil || into.A != 3 {
		t.Errorf("%+v, %v", into, err)
	}
}

func FuzzSource(f *testing.F) {
	f.Add(sample)
	f.Add("[[a]]\nb.c = [{d = 1}, [2, {e = \"é\"}]] # x\n[[a]]\n[a.f]\n")
	f.Add("\xef\xbb\xbfa = 1")
	files, err := filepath.Glob("../../gpus/config/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse("f", []byte(text))
		if err != nil {
			if located, ok := errors.AsType[*Error](err); !ok || located.Pos.Line == 0 {
				t.Fatalf("no place: %v", err)
			}
			return
		}
		samePlaces(t, text)
		var all map[string]any
		if err := Decode("f", []byte(text), &all); err != nil {
			return
		}
		if len(all) > 0 && len(d.Entries)+len(d.Tables) == 0 {
			t.Fatalf("%d keys, of which none was found", len(all))
		}
	})
}

// samePlaces compares the places of keys with the library's own.
func samePlaces(t *testing.T, text string) {
	t.Helper()
	s, err := NewSource("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var p unstable.Parser
	p.Reset([]byte(text))
	for p.NextExpression() {
		n := p.Expression()
		if n.Kind == unstable.Comment {
			continue
		}
		for it := n.Key(); it.Next(); {
			want := p.Shape(it.Node().Raw).Start
			if got := s.Pos(it.Node().Raw); got.Line != want.Line || got.Col != want.Column {
				t.Fatalf("place %s, want %d:%d", got, want.Line, want.Column)
			}
		}
	}
}
