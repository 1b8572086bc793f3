package tomldoc

import (
	"errors"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func TestACharacterOfAStringHasItsPlaceInTheFile(t *testing.T) {
	const text = "a = \"x\\ty!\"\nb = '''\nfoo\nba!'''\nc = [\"é!\", 'q!']\nd = \"\"\"\\\n   one \\\n\n   tw!\"\"\"\n" +
		"e = \"\\u00e9\\U0001F600!\"\nf = 3\n"
	d := mustParse(t, "f", []byte(text))
	var v map[string]any
	if err := toml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	look := func(at Pos, value string) {
		t.Helper()
		p := d.Rune(at, strings.Count(value[:strings.IndexByte(value, '!')], "")-1)
		if got := lines[p.Line-1][p.Col-1]; got != '!' {
			t.Errorf("%q at %s: found %q at %s, want !", value, at, got, p)
		}
	}
	for _, key := range []string{"a", "b", "d", "e"} {
		look(d.At(key), v[key].(string))
	}
	for i, x := range v["c"].([]any) {
		look(d.Elem("c", i), x.(string))
	}
	if p := d.Rune(d.At("f"), 4); p != d.At("f") {
		t.Errorf("what is no string has the place %s", p)
	}
}

// The place of a mark is found in any string with any quotes.
func TestTheMarkOfAnyStringIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "é", "日", `\n`, `\\`, `\"`, `\u0041`, `\U0001F600`, " ", "\\\n  \t",
			"\n", "'"})
		before := strings.Join(rapid.SliceOf(piece).Draw(t, "before"), "")
		text := "k = \"\"\"" + before + "!\"\"\"\n"
		d, err := Parse("f", []byte(text))
		if err != nil {
			t.Skip("no document")
		}
		var v struct{ K string }
		if err := toml.Unmarshal([]byte(text), &v); err != nil {
			t.Skip("no document")
		}
		n := len([]rune(v.K)) - 1
		if at := d.src.offset(d.Rune(d.At("k"), n)); at != strings.IndexByte(text, '!') {
			t.Fatalf("%q: character %d is at byte %d, want %d", text, n, at, strings.IndexByte(text, '!'))
		}
	})
}

func TestNumbersThatAreNotFiniteAreNamed(t *testing.T) {
	d := mustParse(t, "f", []byte("a = inf # x\nb = [1.0, nan, 2]\nc = {x = -inf, y = 1_000.5}\nd = \"inf\"\n[e]\nf = "+
		"+nan"))
	want := "f:1:5: found inf, expected a finite number\nf:2:11: found nan, expected a finite number\nf:3:10: found " +
		"-inf, expected a finite number\nf:6:5: found +nan, expected a finite number"
	if got := errors.Join(d.Finite()...); got == nil || got.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", got, want)
	}
}

// Scanning the text for each place would take minutes.
func TestPlacesAreFoundWithoutGoingOverTheText(t *testing.T) {
	const n = 100_000
	text := []byte("a = [" + strings.Repeat("1.0,\n", n) + "]\nb = 1\n")
	d := mustParse(t, "f", text)
	if errs := d.Finite(); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	if got, want := d.Elem("a", n-1), (Pos{"f", n, 1}); got != want {
		t.Errorf("the last element is at %s, want %s", got, want)
	}
	if got, want := d.Entries[1].Pos, (Pos{"f", n + 2, 1}); got != want {
		t.Errorf("the last key is at %s, want %s", got, want)
	}
}

func mustParse(t *testing.T, file string, text []byte) *Doc {
	t.Helper()
	d, err := Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
