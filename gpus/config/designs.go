package config

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"kumiko/regfile"
)

// Design is a preset: a name for values of the axes that make a register-file
// system.
type Design struct {
	Name string         `json:"name"`
	Doc  string         `json:"doc"`
	Sets []DesignChoice `json:"sets"`
}

// DesignChoice is one value that a preset sets.
type DesignChoice struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// designLayer is the preset of the given name.
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
		return layer{}, fmt.Errorf("no design named %q; expected one of %s", name, strings.Join(DesignNames(), ", "))
	}
	doc, _, err := parseLayer(file, data)
	return layer{doc: doc, data: data, builtin: true}, err
}

// DesignNames lists the presets.
func DesignNames() []string {
	names := slices.AppendSeq(tomlFiles("designs"), maps.Keys(presets()))
	slices.Sort(names)
	return slices.Compact(names)
}

// presets are where the presets lie that kinds of register files bring along, by name.
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
		d := Design{Name: name, Doc: c.Doc}
		for _, p := range c.Params() {
			if o, ok := c.origins[p.Key]; ok {
				d.Sets = append(d.Sets, DesignChoice{Key: p.Key, Value: p.Value, Source: o.comment})
			}
		}
		out = append(out, d)
	}
	return out, nil
}
