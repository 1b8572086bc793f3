package regfile

import (
	"reflect"

	"kumiko/components/spec"
	"kumiko/kernel/compiler/control"
)

// Settings are the settings of a kind in one GPU, with the kind's functions bound to them. So neither the GPU nor its
// SMs need to know their type.
type Settings struct {
	Kind *Kind
	// Build, Chip, Admit, Merge and Reads are those of the Builder; all but Build may be nil.
	Build func(env *Env) (Design, error)
	Chip  func(env *ChipEnv, files []Design) error
	Admit func(l *Launch) (Admission, error)
	Merge func(parts []Part) (Merged, error)
	Reads func() control.Reads
	// SetBase passes the settings of the kind underneath, with the values of the GPU's files. It must be called
	// before the settings are checked and before Build; until then the base has its defaults. nil: the kind has no
	// base.
	SetBase func(base *Settings)

	spec any // an *S
}

// Define returns a kind with the functions of its builder. It panics if Build or the name is missing.
func Define[S any](k Kind, b Builder[S]) *Kind {
	if k.Name == "" || b.Build == nil {
		panic("regfile: a kind needs a name and Build")
	}
	if k.Base = b.Base.name; k.Name == k.Base {
		panic("regfile: " + k.Name + " is its own base")
	}
	k.settings = func() *Settings {
		var s S
		if spec.Defaults(&s); b.Default != nil {
			s = b.Default()
		}
		return b.bind(&k, &s)
	}
	return &k
}

// bind binds the functions of a kind to settings.
func (b *Builder[S]) bind(k *Kind, s *S) *Settings {
	out := &Settings{Kind: k, spec: s, Build: func(env *Env) (Design, error) { return b.Build(env, s) }}
	if b.Chip != nil {
		out.Chip = func(env *ChipEnv, files []Design) error { return b.Chip(env, s, files) }
	}
	if b.Admit != nil {
		out.Admit = func(l *Launch) (Admission, error) { return b.Admit(s, l) }
	}
	if b.Merge != nil {
		out.Merge = func(parts []Part) (Merged, error) { return b.Merge(s, parts) }
	}
	if b.Reads != nil {
		out.Reads = func() control.Reads { return b.Reads(s) }
	}
	if b.Base.set != nil {
		out.SetBase = func(base *Settings) { b.Base.set(s, base) }
	}
	return out
}

// Base is the kind underneath another one whose settings are an S.
type Base[S any] struct {
	name string
	set  func(s *S, base *Settings)
}

// On declares that a kind stands on another one, such as a control plane on a conventional file. set passes on the
// settings of the other kind (Settings.SetBase).
func On[S, B any](k *Kind, set func(s *S, base *B)) Base[S] {
	if SpecOf[B](k.Settings()) == nil {
		panic("regfile: " + k.Name + " has settings of another type")
	}
	return Base[S]{k.Name, func(s *S, base *Settings) { set(s, SpecOf[B](base)) }}
}

// Settings returns new settings of the kind, with their defaults.
func (k *Kind) Settings() *Settings { return k.settings() }

// SpecOf returns the settings as what the kind declares them to be, or nil if they are no S.
func SpecOf[S any](s *Settings) *S {
	spec, _ := s.spec.(*S)
	return spec
}

// Value returns the struct of the settings, so that a GPU's files are decoded into it.
func (s *Settings) Value() reflect.Value { return reflect.ValueOf(s.spec).Elem() }

// Check refuses settings out of the ranges of their tags, and what the Check of their type, if it has one, refuses.
func (s *Settings) Check() error {
	if err := spec.Ranges(s.spec); err != nil {
		return err
	}
	if c, ok := s.spec.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// Variant returns a kind with the settings of this one and register files of its own, under another name. Tests make
// faulty designs so. build gets the settings of this kind.
func (k *Kind) Variant(name, doc string, build func(env *Env, s *Settings) (Design, error)) *Kind {
	out := *k
	out.Name, out.Doc, out.Was, out.Aliases = name, doc, "", nil
	out.settings = func() *Settings {
		s := k.Settings()
		own := *s
		own.Kind, own.Build = &out, func(env *Env) (Design, error) { return build(env, s) }
		return &own
	}
	return &out
}
