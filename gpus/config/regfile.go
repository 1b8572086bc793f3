package config

import (
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
	_ "kumiko/regfile/designs" // every kind of register file
)

// RegFile is the section of the register file: its kind, and under each kind's
// name that kind's settings.
type RegFile struct {
	Kind string `toml:"kind" unit:"-" doc:"kind of register file"`

	settings map[string]any // by kind: what its NewSpec returned, and the files changed
}

func newConfig() *Config {
	c := &Config{origins: map[string]origin{}}
	c.RegFile.settings = map[string]any{}
	for _, name := range regfile.Names() {
		c.RegFile.settings[name] = kind(name).NewSpec()
	}
	return c
}

func kind(name string) *regfile.Kind {
	k, err := regfile.Find(name)
	if err != nil {
		panic(err) // the name comes from regfile.Names
	}
	return k
}

// Settings returns the settings of the GPU's kind of register file.
func (r *RegFile) Settings() any { return r.settings[r.Kind] }

// Behind are the settings of the file that the GPU's kind is built on, or its own.
func (r *RegFile) Behind() any {
	if b := r.base(); b != "" {
		return r.settings[b]
	}
	return r.Settings()
}

// base is the kind that the GPU's kind is built on; "" if none.
func (r *RegFile) base() string {
	if r.Settings() == nil {
		return ""
	}
	return kind(r.Kind).Base
}

// Reconcile refuses unknown kinds and senseless settings.
func (r *RegFile) Reconcile() error {
	if r.Settings() == nil {
		return spec.Errorf("kind", r.Kind, "%s", strings.Join(regfile.Names(), ", "))
	}
	if b := r.base(); b != "" {
		if err := sense(r.settings[b]); err != nil {
			return whole(b, err)
		}
		r.Settings().(regfile.Based).SetBase(r.settings[b])
	}
	if err := sense(r.Settings()); err != nil {
		return whole(r.Kind, err)
	}
	return r.others()
}

// others refuses settings of kinds that the GPU does not have and that make no sense
// either way. Files may describe several kinds; what is wrong there is wrong.
func (r *RegFile) others() error {
	for _, name := range regfile.Names() {
		if name == r.Kind || name == r.base() {
			continue // Reconcile has looked at it
		}
		if err := sense(r.settings[name]); err != nil {
			return whole(name, err)
		}
	}
	return nil
}

// addKinds completes the section's keys with those of every kind.
func addKinds(n *node) {
	for _, name := range regfile.Names() {
		n.Add(name, tomldoc.ShapeOf(reflect.TypeOf(kind(name).NewSpec())))
	}
}

// apply decodes a layer's settings of each kind over what is there.
func (r *RegFile) apply(l *layer) error {
	var file struct {
		RegFile map[string]any `toml:"regfile"`
	}
	if err := tomldoc.Decode(l.doc.File, l.data, &file); err != nil {
		return err
	}
	resolve(file.RegFile)
	for _, name := range regfile.Names() {
		own, ok := file.RegFile[name]
		if !ok {
			continue
		}
		n, v := schema().Table["regfile"].Table[name], reflect.ValueOf(r.settings[name]).Elem()
		for i := range l.doc.Entries {
			if e := &l.doc.Entries[i]; len(e.Key) > 2 && e.Key[0] == "regfile" && e.Key[1] == name {
				replace(n, v, e, e.Key[2:])
			}
		}
		text, err := toml.Marshal(own)
		if err == nil {
			err = toml.Unmarshal(text, r.settings[name])
		}
		if err != nil {
			return tomldoc.Errorf(tomldoc.Pos{File: l.doc.File}, "regfile.%s: %s", name,
				strings.TrimPrefix(err.Error(), "toml: "))
		}
	}
	return nil
}

// unused refuses a setting on the command line of a kind that the GPU does not
// have and that its kind is not built on: it would change nothing. Files may well describe several kinds.
func (r *RegFile) unused(layers []layer) error {
	for i := range layers {
		for j := range layers[i].doc.Entries {
			e := &layers[i].doc.Entries[j]
			if e.Pos.Line == 0 && len(e.Key) > 2 && e.Key[0] == "regfile" && e.Key[1] != r.Kind &&
				e.Key[1] != r.base() {
				return tomldoc.Errorf(e.Pos, "%s: no such setting of this GPU, whose regfile.kind is %s", e.Path(),
					r.Kind)
			}
		}
	}
	return nil
}
