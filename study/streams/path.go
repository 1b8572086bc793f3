package streams

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Caches has the counts of register file caches by their paths, Config.Path. Its JSON
// is a tree, one level for each part of a path after "caches".
type Caches map[string]Cache

// MarshalJSON returns the tree.
func (c Caches) MarshalJSON() ([]byte, error) {
	root := map[string]any{}
	for path, cache := range c {
		parts := strings.Split(path, ".")[1:]
		at := root
		for _, p := range parts[:len(parts)-1] {
			next, ok := at[p].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[p] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = cache
	}
	return json.Marshal(root)
}

// UnmarshalJSON reads the tree.
func (c *Caches) UnmarshalJSON(data []byte) error {
	*c = Caches{}
	return c.read("caches", data)
}

func (c *Caches) read(path string, data []byte) error {
	if cfg, live, err := ParseConfig(path); err == nil {
		var cache Cache
		if err := json.Unmarshal(data, &cache); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		(*c)[cfg.Path(live)] = cache
		return nil
	}
	var level map[string]json.RawMessage
	if err := json.Unmarshal(data, &level); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for name, sub := range level {
		if err := c.read(path+"."+name, sub); err != nil {
			return err
		}
	}
	return nil
}

// lookUp finds a number by its path, the JSON names of the fields.
func lookUp(from any, path string, names []string) (float64, error) {
	v := reflect.Indirect(reflect.ValueOf(from))
	for _, name := range names {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return 0, fmt.Errorf("%s: it is not in this summary", path)
			}
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return 0, fmt.Errorf("%s: found %q below a number", path, name)
		}
		next, known := field(v, name)
		if !next.IsValid() {
			return 0, fmt.Errorf("%s: found %q, expected one of %s", path, name, strings.Join(known, ", "))
		}
		v = next
	}
	switch {
	case v.CanUint():
		return float64(v.Uint()), nil
	case v.CanFloat():
		return v.Float(), nil
	}
	return 0, fmt.Errorf("%s: found a group of numbers, expected one of them", path)
}

// field finds a field by its JSON name, and lists all names of fields.
func field(v reflect.Value, name string) (found reflect.Value, known []string) {
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		known = append(known, tag)
		if tag == name {
			found = v.Field(i)
		}
	}
	return found, known
}
