package config

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/internal/tomldoc"
)

// condition says when a key has an effect: while its neighbour, a key of the same
// table, has a value, or has another value. Fields have it in their tag when:
// "policy=two-level" or "seed!=0", or several with commas between. The neighbour of a
// whole table counts for all in it; "../backing=dram" names one of the table around,
// and "/onchip.memory!=cerf" any key.
type condition struct {
	neighbour, value string
	other            bool // than value
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

// meets reports whether a value of the neighbour fulfils the condition.
func (c condition) meets(v any) bool { return (fmt.Sprint(v) == c.value) != c.other }

// String is what is expected of the neighbour.
func (c condition) String() string {
	if c.other {
		return "other than " + c.value
	}
	return "= " + c.value
}

// path is the neighbour of a key of a table, the root or one that is within it.
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

// idle refuses what the user sets and what changes nothing, since another value
// stands against it. Built-in files may well describe several machines; a user's
// may too, such as a copy of one, where it has that value itself or where the
// value was set later.
func (c *Config) idle(perturbed bool) error {
	last := map[string]int{} // the layer that set a key; those of the command line are one
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
	var errs []error
	values := c.Values()
	for i := range c.layers {
		for j := range c.layers[i].doc.Entries {
			e := &c.layers[i].doc.Entries[j]
			key, want := unmet(e.Key, values)
			if e.Path() == l1Sets && c.OnChip.Memory == unified {
				key, want = onChipMemory, "other than "+unified // the pool says
			}
			if key == "" || c.layers[i].builtin || key == PerturbSeed && perturbed {
				continue
			}
			if last[key] < number(i) || last[key] == number(i) && c.layers[i].option() {
				errs = append(errs, tomldoc.Errorf(e.Pos, "%s has no effect: expected %s %s, found %v (%s)", e.Path(),
					key, want, values[key], c.origin(key)))
			}
		}
	}
	return errors.Join(errs...)
}

// unmet is the first key, and what is expected of it, for want of which another one
// has no effect; "" if there is none.
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

// origin is where a key's value comes from.
func (c *Config) origin(key string) string {
	if o, ok := c.origins[key]; ok {
		return o.pos.String()
	}
	return "the default"
}

// option reports whether the layer is a setting on a command line.
func (l *layer) option() bool {
	return len(l.doc.Entries) > 0 && l.doc.Entries[0].Pos.Line == 0
}
