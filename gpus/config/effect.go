package config

import (
	"fmt"
	"strings"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
)

// condition states when a key has an effect: while another key, its neighbour in the same table, has a given value,
// or has any other value. The tag when of a field holds its conditions, separated by commas, such as
// "policy=two-level" or "seed!=0". A condition on a table applies to all keys in the table. "../backing=dram"
// refers to a key of the enclosing table, and "/onchip.memory!=cerf" to a key from the root.
type condition struct {
	neighbour, value string
	other            bool // the neighbour must differ from value
}

func conditionsOf(tag string) (out []condition) {
	for _, c := range strings.Split(tag, ",") {
		if k, v, ok := strings.Cut(c, "="); ok {
			name, other := strings.CutSuffix(k, "!")
			out = append(out, condition{name, v, other})
		}
	}
	return out
}

// meets reports whether the neighbour's value v fulfils the condition.
func (c condition) meets(v any) bool { return (fmt.Sprint(v) == c.value) != c.other }

// String returns the expected value of the neighbour as text.
func (c condition) String() string {
	if c.other {
		return "other than " + c.value
	}
	return "= " + c.value
}

// path returns the neighbour's whole key. table is the table of the key with the condition.
func (c condition) path(table []string) []string {
	if key, ok := strings.CutPrefix(c.neighbour, "/"); ok {
		return strings.Split(key, ".")
	}
	name, above := strings.CutPrefix(c.neighbour, "../")
	if above {
		table = table[:len(table)-1]
	}
	return append(table[:len(table):len(table)], name)
}

// idle refuses settings of the user without effect: a condition of the key is not met. Built-in files may describe
// several machines. A user's file may do so too, for instance as a copy of a built-in file, if the file itself
// sets the conflicting value or a later layer does.
func (c *Config) idle(perturbed bool) (errs []error) {
	last := map[string]int{} // last layer to set a key; all command-line layers count as one
	number := func(i int) int {
		for ; i > 0 && c.layers[i].option() && c.layers[i-1].option(); i-- {
		}
		return i
	}
	for i := range c.layers {
		for j := range c.layers[i].doc.Entries {
			last[c.layers[i].doc.Entries[j].Path()] = number(i)
		}
	}
	values := c.Values()
	for i := range c.layers {
		for j := range c.layers[i].doc.Entries {
			e := &c.layers[i].doc.Entries[j]
			key, want := unmet(e.Key, values)
			if e.Path() == l1Sets && c.OnChip.Memory == unified {
				key, want = onChipMemory, "other than "+unified // the pool determines the sets
			}
			if key == "" || c.layers[i].builtin || key == PerturbSeed && perturbed {
				continue
			}
			if last[key] < number(i) || last[key] == number(i) && c.layers[i].option() {
				err := tomldoc.Errorf(e.Pos, "%s has no effect: expected %s %s, found %v (%s)", e.Path(), key, want,
					values[key], c.origin(key))
				err.Err = spec.Elsewhere(key, values[key], "%s", want)
				errs = append(errs, err)
			}
		}
	}
	return errs
}

// unmet returns the first unmet condition of a key: the neighbour's key and the neighbour's expected value. It
// returns "" if all conditions are met.
func unmet(path []string, values map[string]any) (key, want string) {
	n := schema()
	for i, part := range path {
		n = n.Child(part)
		for _, c := range conditionsOf(n.Tag.Get("when")) {
			key := strings.Join(c.path(path[:i]), ".")
			if v, ok := values[key]; ok && !c.meets(v) {
				return key, c.String()
			}
		}
	}
	return "", ""
}

// origin returns the place where a key's value was set.
func (c *Config) origin(key string) string {
	if o, ok := c.origins[key]; ok {
		return o.pos.String()
	}
	return "the default"
}

// option reports whether the layer is a setting from a command line.
func (l *layer) option() bool {
	return len(l.doc.Entries) > 0 && l.doc.Entries[0].Pos.Line == 0
}
