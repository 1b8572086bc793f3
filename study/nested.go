package study

import (
	"maps"
	"slices"
	"strings"

	"kumiko/internal/tomldoc"
)

// nestGroups replaces the names of groups within other groups by their members, each once. A name of both a
// benchmark and a group means the benchmark. The groups have been checked before.
func (s *Spec) nestGroups() error {
	done := map[string][]string{}
	for _, g := range s.groupOrder() {
		if _, err := s.members(g, nil, done); err != nil {
			return err
		}
	}
	maps.Copy(s.Groups, done)
	return nil
}

// members returns the benchmarks of a group. within has the groups containing it, outermost
// first.
func (s *Spec) members(g string, within []string, done map[string][]string) ([]string, error) {
	if list, ok := done[g]; ok {
		return list, nil
	}
	within = append(within, g)
	var out []string
	for i, name := range s.Groups[g] {
		list := []string{name}
		if s.isGroup(name) {
			if at := slices.Index(within, name); at >= 0 {
				return nil, tomldoc.Errorf(s.doc.Elem("groups."+g, i), "group %s: found itself in it (%s), expected "+
					"benchmarks and other groups", name, strings.Join(append(within[at:], name), " > "))
			}
			var err error
			if list, err = s.members(name, within, done); err != nil {
				return nil, err
			}
		}
		for _, b := range list {
			if !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	done[g] = out
	return out, nil
}

// isGroup reports whether a member of a group is a group.
func (s *Spec) isGroup(name string) bool {
	if s.Groups[name] == nil {
		return false
	}
	app, err := s.Benchmark(name)
	return app == nil && err == nil
}
