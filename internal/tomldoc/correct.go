package tomldoc

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/nearest"
)

// Correct gives each unknown key the name of the nearest one that its table has, if the document does not have that one
// too. Then what is wrong besides names of keys can be found in a document with such mistakes. Other unknown keys are
// taken out. It returns the paths of the tables that these were in, and false if a table was taken out.
func (d *Doc) Correct(s *Shape) (without []string, ok bool) {
	has := func(key []string) bool {
		return slices.ContainsFunc(d.Entries, func(e Entry) bool { return below(e.Key, key) })
	}
	ok = true
	correct := func(list []Entry, numbered bool) (out []Entry) {
		for _, e := range list {
			key, known := s.corrected(e.Key, numbered, has)
			if known {
				e.Key = key
				out = append(out, e)
				continue
			}
			without = append(without, strings.Join(key, "."))
			ok = ok && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable
		}
		return out
	}
	d.Tables, d.places, d.Entries = correct(d.Tables, false), correct(d.places, true), correct(d.Entries, true)
	return without, ok
}

// corrected returns the known key that a key is, or is a misspelling of. If there is none, it returns the known
// beginning of the key, and false.
func (s *Shape) corrected(key []string, numbered bool, has func(key []string) bool) (out []string, known bool) {
	for i, part := range key {
		if s.List != nil && !numbered {
			s = s.List
		}
		if s.any() {
			return append(out, key[i:]...), true
		}
		c := s.Child(part)
		if near := nearest.Of(part, s.Keys, 2); c == nil && near != "" && !has(append(slices.Clone(key[:i]), near)) {
			part, c = near, s.Table[near]
		}
		if c == nil {
			return out, false
		}
		out, s = append(out, part), c
	}
	return out, true
}
