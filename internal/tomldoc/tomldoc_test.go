package tomldoc

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2/unstable"
)

const sample = `# whole file

base = "x" # why x
[sm]
# said
# above
count = 4
plain = 1

a.b = [1, 2.5]
u = {x = 1, y = "z"} # inline
`

func TestEntriesKnowTheirKeyPlaceKindAndComment(t *testing.T) {
	d := mustParse(t, "f.toml", []byte(sample))
	var got []string
	for i := range d.Entries {
		e := &d.Entries[i]
		got = append(got, strings.Join([]string{e.Path(), e.Pos.String(), e.Kind.String(), e.Comment}, "|"))
	}
	want := []string{
		"base|f.toml:3:1|String|why x",
		"sm.count|f.toml:7:1|Integer|said above",
		"sm.plain|f.toml:8:1|Integer|",
		"sm.a.b|f.toml:10:1|Array|",
		"sm.u|f.toml:11:1|InlineTable|inline",
		"sm.u.x|f.toml:11:6|Integer|",
		"sm.u.y|f.toml:11:13|String|",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("entries:\n%s\nwant:\n%s", g, w)
	}
	if e := d.Entries[3].Elems; len(e) != 2 || e[0].Kind != unstable.Integer || e[1].Kind != unstable.Float ||
		e[1].Pos.Col != 11 {
		t.Errorf("elements of a.b: %v", e)
	}
	if len(d.Tables) != 1 || d.Tables[0].Path() != "sm" || d.Tables[0].Pos.Line != 4 {
		t.Errorf("tables: %+v", d.Tables)
	}
}

func TestAMalformedDocumentIsLocated(t *testing.T) {
	_, err := Parse("f.toml", []byte("a = 1\nb = \n"))
	if err == nil || !strings.HasPrefix(err.Error(), "f.toml:2:") {
		t.Errorf("error %v, want one at f.toml:2", err)
	}
}

func TestTheTablesOfAnArrayAreNumberedInBothNotations(t *testing.T) {
	const text = "s = [{n = 1}, {n = 2}]\n[[a.b]]\nn = 3\n[[a.b]]\nn = 4\n[a.b.c]\nn = 5\n"
	d := mustParse(t, "f.toml", []byte(text))
	var got []string
	for i := range d.Entries {
		got = append(got, d.Entries[i].Path())
	}
	if g, w := strings.Join(got, " "), "s s.0.n s.1.n a.b.0.n a.b.1.n a.b.1.c.n"; g != w {
		t.Errorf("keys %s, want %s", g, w)
	}
	if len(d.Entries[0].Elems) != 2 || d.Entries[0].Elems[1].Kind != unstable.InlineTable {
		t.Errorf("elements of s: %+v", d.Entries[0].Elems)
	}
}

func TestAStringWithTheCharacterZeroIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\npath = \"b\\u0000c\"\n":     `f.toml:2:8: found the character U+0000 in a string, expected none`,
		"list = [\"b\", \"\\U00000000\"]\n": `f.toml:1:14: found the character U+0000 in a string, expected none`,
	} {
		if _, err := Parse("f.toml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
