package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// useSets replaces the names of sets in the settings of variants and streams by their settings, and returns errors for
// unknown names and for sets that nobody uses. A name has no =, whereas a setting has.
func (s *Spec) useSets() []error {
	var c complaints
	used := map[string]bool{}
	use := func(path, what string, set []string) (out []string) {
		for i, x := range set {
			list, ok := s.Sets[x]
			switch {
			case strings.Contains(x, "="):
				out = append(out, x)
			case ok:
				used[x] = true
				out = append(out, list...)
			default:
				c.add(tomldoc.Errorf(s.doc.Elem(path, i), "%sset: found %q, expected a setting (key=value) or the "+
					"name of one of [sets]%s", what, x, nearest.Hint(x, slices.Collect(maps.Keys(s.Sets)))))
			}
		}
		return out
	}
	s.Set = use("set", "", s.Set)
	for i := range s.Variants {
		v := &s.Variants[i]
		v.Set = use(v.path+".set", "variant "+v.Name+": ", v.Set)
	}
	for i := range s.Streams {
		st := &s.Streams[i]
		st.Set = use(fmt.Sprintf("stream.%d.set", i), "stream "+st.Name+": ", st.Set)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sets)) {
		path := "sets." + name
		for i, x := range s.Sets[name] {
			if !strings.Contains(x, "=") {
				c.add(tomldoc.Errorf(s.doc.Elem(path, i), "sets: %s: found %q, expected a setting (key=value)", name,
					x))
			}
		}
		switch {
		case strings.Contains(name, "="):
			c.add(s.errorf(path, "sets: found the name %q, expected one without =", name))
		case !used[name]:
			c.add(s.errorf(path, "sets: found %s, which no variant or stream has in its set", name))
		}
	}
	return c
}
