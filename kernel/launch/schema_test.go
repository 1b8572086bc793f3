package launch

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keysAt returns the keys of a table of the schema; path names the way to it, such as launch.update.init.
func keysAt(path string) []string {
	m := JSONSchema()
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		m = m["properties"].(schema)[key].(schema)
		for _, in := range []string{"items", "additionalProperties"} {
			if inner, ok := m[in].(schema); ok {
				m = inner
			}
		}
	}
	return slices.Sorted(maps.Keys(m["properties"].(schema)))
}

var unknownKey = regexp.MustCompile(`found the unknown key "zz", expected one of ([^\n]*)`)

// A file with an unknown key in each table is refused with the keys of the table, which are those of the schema. Of a
// table that is read in several forms, the schema has the keys of all.
func TestTheSchemaHasTheKeysOfEveryTable(t *testing.T) {
	b := "[buffers.b]\ntype=\"f32\"\ncount=4\n"
	for path, forms := range map[string][]string{
		"": {"zz=1"},
		"launch": {"[[launch]]\nzz=1", "[[launch]]\nmemset={}\nzz=1", "[[launch]]\nupdate={}\nzz=1",
			"[[launch]]\nbind={}\nzz=1", "[[launch]]\nstep=[]\nzz=1"},
		"launch.step": {"[[launch]]\nstep=[{zz=1}]", "[[launch]]\nstep=[{memset={},zz=1}]",
			"[[launch]]\nstep=[{update={},zz=1}]", "[[launch]]\nstep=[{bind={},zz=1}]"},
		"launch.while":  {"[[launch]]\nwhile={zz=1}"},
		"launch.memset": {"[[launch]]\nmemset={zz=1}"},
		"launch.update": {"[[launch]]\nupdate={zz=1}"},
		"launch.bind":   {"[[launch]]\nbind={zz=1}"},
		"buffers":       {"[buffers.b]\nzz=1"},
		"buffers.init": {b + `init={kind="zeros",zz=1}`, b + `init={kind="constant",zz=1}`, b + `init={kind="range",zz=1}`,
			b + `init={kind="uniform",zz=1}`, b + `init={kind="values",zz=1}`, b + `init={kind="file",zz=1}`},
		"textures": {b + "[textures.t]\nbuffer=\"b\"\nzz=1"},
		"expect":   {"[[expect]]\nzz=1"},
		"save":     {"[[save]]\nzz=1"},
	} {
		known := map[string]bool{}
		for _, text := range forms {
			_, err := Parse("l.toml", []byte(text+"\n"), module(), Limits{})
			if err == nil {
				t.Fatalf("%q is accepted", text)
			}
			m := unknownKey.FindStringSubmatch(err.Error())
			if m == nil {
				t.Fatalf("%q: %v, want the known keys", text, err)
			}
			for _, key := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
				if key != "or" && key != "and" {
					known[strings.Trim(key, `"`)] = true
				}
			}
		}
		if want, got := slices.Sorted(maps.Keys(known)), keysAt(path); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, the reader %v", path, got, want)
		}
	}
}
