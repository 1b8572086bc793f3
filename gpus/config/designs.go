package config

import (
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
)

// Design is a preset: a named set of values that together configure a register-file system.
type Design struct {
	Name  string         `json:"name"`
	Doc   string         `json:"doc"`
	Meant string         `json:"meant_for"`
	Sets  []DesignChoice `json:"sets"`
}

// DesignChoice is one value set by a preset.
type DesignChoice struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// designLayer reads the preset of the given name.
func designLayer(name string) (layer, error) {
	file := "designs/" + name + ".toml"
	data, err := builtin.ReadFile(file)
	if err != nil {
		if from, kind := presets()[name]; kind {
			file = name + ".toml"
			data, err = fs.ReadFile(from, file)
		}
	}
	if err != nil || name == "" {
		return layer{}, fmt.Errorf("no design named %q; expected one of %s%s", name, strings.Join(DesignNames(), ", "),
			nearest.Hint(name, DesignNames()))
	}
	doc, _, err := parseLayer(file, data)
	return layer{doc: doc, builtin: true}, err
}

// designLayers reads the presets of a list joined by "+". Presets that keep the base kind of register file come
// first.
func designLayers(names string) (out []layer, err error) {
	list := strings.Split(names, "+")
	for _, name := range list {
		l, err := designLayer(name)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if len(out) == 1 {
		return out, nil
	}
	set, by := map[string]any{}, map[string]string{}
	plain := make(map[*tomldoc.Doc]bool, len(out))
	for i := range out {
		c := newConfig()
		if err := c.apply(&out[i]); err != nil {
			return nil, err
		}
		plain[out[i].doc] = c.RegFile.Kind == base
		values := c.Values()
		for _, e := range out[i].doc.Entries {
			key := e.Path()
			v, ok := values[key]
			if !ok || key == kindKey && v == base {
				continue
			}
			if other, twice := set[key]; twice && !reflect.DeepEqual(other, v) {
				return nil, tomldoc.Errorf(tomldoc.Pos{File: "--design " + names}, "%s: %s sets %v and %s sets %v; "+
					"expected designs that set different keys", key, by[key], other, list[i], v)
			}
			set[key], by[key] = v, list[i]
		}
	}
	slices.SortStableFunc(out, func(a, b layer) int { return rank(plain[a.doc]) - rank(plain[b.doc]) })
	return out, nil
}

// presentNames returns a list of presets with the present name of each.
func presentNames(list string) string {
	names := strings.Split(list, "+")
	for i, n := range names {
		names[i] = regfile.Present(n)
	}
	return strings.Join(names, "+")
}

// rank sorts layers with the base register file before all others.
func rank(plain bool) int {
	if plain {
		return 0
	}
	return 1
}

// DesignNames lists the presets.
func DesignNames() []string {
	names := slices.AppendSeq(tomlFiles("designs"), maps.Keys(presets()))
	slices.Sort(names)
	return slices.Compact(names)
}

// presets maps the name of each preset bundled with a kind of register file to its file system.
func presets() map[string]fs.FS {
	out := map[string]fs.FS{}
	for _, name := range regfile.Names() {
		kind, err := regfile.Find(name)
		if err != nil || kind.Presets == nil {
			continue
		}
		files, err := fs.Glob(kind.Presets, "*.toml")
		if err != nil {
			panic(err) // the pattern is a constant
		}
		for _, f := range files {
			out[strings.TrimSuffix(f, ".toml")] = kind.Presets
		}
	}
	return out
}

// PresetList maps the name of each preset to its axes.
type PresetList map[string]Axes

// Presets returns the axes of every preset.
func Presets() (PresetList, error) {
	out := PresetList{}
	for _, name := range DesignNames() {
		l, err := designLayer(name)
		if err != nil {
			return nil, err
		}
		c := newConfig()
		c.RegFile.Kind = base
		if err := c.apply(&l); err != nil {
			return nil, err
		}
		out[name] = c.RegFile.Axes()
	}
	return out, nil
}

// Of returns the presets, joined by "+", that together select the point a. On each axis it prefers the preset named
// like the value. Otherwise it takes the first preset with the value.
func (l PresetList) Of(a Axes) string {
	plain := func(path string) Axes { return Axes{path, regfile.NoResidency} }
	path, residency := l.named(a.Path, plain(a.Path)), l.named(a.Residency, Axes{base, a.Residency})
	switch {
	case a.Residency == regfile.NoResidency:
		return path
	case a.Path == base:
		return residency
	}
	return path + "+" + residency
}

// Has reports whether some preset selects the point.
func (l PresetList) Has(a Axes) bool { return slices.Contains(slices.Collect(maps.Values(l)), a) }

func (l PresetList) named(name string, a Axes) string {
	if l[name] == a {
		return name
	}
	for _, n := range slices.Sorted(maps.Keys(l)) {
		if l[n] == a {
			return n
		}
	}
	return name
}

// Designs describes the presets.
func Designs() ([]Design, error) {
	var out []Design
	for _, name := range DesignNames() {
		l, err := designLayer(name)
		if err != nil {
			return nil, err
		}
		c := newConfig()
		if err := c.apply(&l); err != nil {
			return nil, err
		}
		d := Design{Name: name, Doc: c.Doc, Meant: c.Meant}
		for _, p := range c.Params() {
			if o, ok := c.origins[p.Key]; ok {
				d.Sets = append(d.Sets, DesignChoice{Key: p.Key, Value: p.Value, Source: o.comment})
			}
		}
		out = append(out, d)
	}
	return out, nil
}
