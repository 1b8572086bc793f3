package config

import (
	"errors"
	"reflect"
	"slices"
	"strconv"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
	_ "kumiko/regfile/designs" // every kind of register file
)

// RegFile is the section of the register file. It has the kind of register file, the residency, and one table of
// settings for each kind.
type RegFile struct {
	Kind      string `toml:"kind" unit:"-" doc:"kind of register file: the way of operands and results. A value of residency here stands for that residency beside a conventional register file"`
	Residency string `toml:"residency" unit:"-" doc:"which CTAs are resident, and where their registers are. none: all in the file, with slots of the schedulers. virtual-thread: as cta.switching. Other values are kinds that stand beside a register file"`

	settings map[string]*regfile.Settings // by kind: the defaults, updated by the layers
	by       string                       // the key that set Residency
}

func newConfig() *Config {
	c := &Config{origins: map[string]origin{}}
	c.RegFile.Residency, c.RegFile.by = regfile.NoResidency, residencyKey
	c.RegFile.settings = map[string]*regfile.Settings{}
	for _, name := range regfile.Names() {
		c.RegFile.settings[name] = kind(name).Settings()
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

// Outer returns the name of the kind that admits CTAs: the residency if it is a kind, otherwise the kind of
// register file.
func (r *RegFile) Outer() string {
	if residency(r.Residency) != nil {
		return r.Residency
	}
	return r.Kind
}

// Settings returns the settings of the outer kind.
func (r *RegFile) Settings() *regfile.Settings { return r.settings[r.Outer()] }

// Unmerged returns the name of the kind that cannot serve launches side by side; "" if all can.
func (r *RegFile) Unmerged() string {
	for _, name := range []string{r.Outer(), r.Kind} {
		if s := r.settings[name]; s.Admit != nil && s.Merge == nil {
			return name
		}
	}
	return ""
}

// Inner returns the settings of the kind inside the residency's blocks that decides about launches too; nil: none does.
func (r *RegFile) Inner() *regfile.Settings {
	if s := r.settings[r.Kind]; r.Outer() != r.Kind && s.Admit != nil {
		return s
	}
	return nil
}

// Path returns the builder of the register file inside the residency's blocks; nil: the file is the base of the
// residency's kind.
func (r *RegFile) Path() func(*regfile.Env) (regfile.Design, error) {
	if outer := r.Outer(); outer == r.Kind || kind(outer).Base == r.Kind {
		return nil
	}
	path := r.settings[r.Kind]
	return func(env *regfile.Env) (regfile.Design, error) {
		d, err := path.Build(env)
		err = spec.Within("regfile."+path.Kind.Name, err)
		if se := (*spec.Error)(nil); errors.As(err, &se) {
			err = spec.Elsewhere(se.Key, se.Found, "%s", se.Want)
		}
		return d, err
	}
}

// Values reports whether the register files need the classes of written values.
func (r *RegFile) Values() bool {
	for _, name := range r.kinds() {
		if kind(name).Values {
			return true
		}
	}
	return false
}

// Behind returns the settings of the kind's base, or of the kind itself if it has no base.
func (r *RegFile) Behind() *regfile.Settings {
	if b := r.base(); b != "" {
		return r.settings[b]
	}
	return r.settings[r.Kind]
}

// base returns the base of the GPU's kind of register file; "" if none.
func (r *RegFile) base() string {
	if r.settings[r.Kind] == nil {
		return ""
	}
	return kind(r.Kind).Base
}

// kinds returns the kinds whose settings apply to the GPU, the innermost first.
func (r *RegFile) kinds() (out []string) {
	for _, name := range []string{r.base(), r.Kind, r.Outer()} {
		if r.settings[name] != nil && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Reconcile refuses unknown kinds and invalid settings.
func (r *RegFile) Reconcile() error {
	switch {
	case r.settings[r.Kind] == nil:
		return spec.OneOf("kind", r.Kind, regfile.Names()...)
	case !slices.Contains(Residencies(), r.Residency):
		return spec.OneOf("residency", r.Residency, Residencies()...)
	}
	for _, name := range r.kinds() {
		if s := r.settings[name]; s.SetBase != nil {
			s.SetBase(r.settings[s.Kind.Base])
		}
		if err := sense(r.settings[name]); err != nil {
			return withSection(name, err)
		}
	}
	return r.checkUnused()
}

// checkUnused validates the settings of all kinds not used by the GPU. Files may describe several kinds, but an invalid
// value is refused in each.
func (r *RegFile) checkUnused() error {
	for _, name := range regfile.Names() {
		if slices.Contains(r.kinds(), name) {
			continue // Reconcile has looked at it
		}
		if err := sense(r.settings[name]); err != nil {
			return withSection(name, err)
		}
	}
	return nil
}

// addKinds adds the keys of every kind to the section's, and the kinds of residency with their own words to the
// description of the residency, because no other package names a design.
func addKinds(n *node) {
	n.Table["residency"].Tag = withResidencies(n.Table["residency"].Tag)
	for _, name := range regfile.Names() {
		n.Add(name, tomldoc.ShapeOf(kind(name).Settings().Value().Type()))
	}
}

// withResidencies returns the struct tag of key regfile.residency, with the kinds that it can name added to its
// description.
func withResidencies(tag reflect.StructTag) reflect.StructTag {
	doc := tag.Get("doc")
	for i, name := range slices.DeleteFunc(regfile.Names(), func(n string) bool { return residency(n) == nil }) {
		doc += [2]string{": ", "; "}[min(i, 1)] + name + ", a " + kind(name).Doc
	}
	return reflect.StructTag("toml:" + strconv.Quote(tag.Get("toml")) + " unit:" + strconv.Quote(tag.Get("unit")) +
		" doc:" + strconv.Quote(doc))
}

// unused refuses a command-line setting of a kind not used by the GPU: the setting would be without effect. Files
// may describe several kinds.
func (r *RegFile) unused(layers []layer) (errs []error) {
	for i := range layers {
		for j := range layers[i].doc.Entries {
			e := &layers[i].doc.Entries[j]
			if e.Pos.Line == 0 && len(e.Key) > 2 && e.Key[0] == "regfile" && !slices.Contains(r.kinds(), e.Key[1]) {
				errs = append(errs, tomldoc.Errorf(e.Pos, "%s: no such setting of this GPU, whose %s", e.Path(),
					r.axes()))
			}
		}
	}
	return errs
}

// axes names the kind of register file and, if there is one, the residency.
func (r *RegFile) axes() string {
	if r.Residency == regfile.NoResidency {
		return "regfile.kind is " + r.Kind
	}
	return "regfile.kind is " + r.Kind + " and regfile.residency " + r.Residency
}
