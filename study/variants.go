package study

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

func (s *Spec) checkVariants() []error {
	var c complaints
	for i, name := range s.Like {
		if s.Variant(name) == nil {
			c.add(tomldoc.Errorf(s.doc.Elem("like", i), "like: no variant is named %s%s", name,
				nearest.Hint(name, s.VariantNames())))
		}
	}
	for i, name := range s.Perturbed {
		if s.Variant(name) == nil {
			c.add(tomldoc.Errorf(s.doc.Elem("perturbed", i), "perturbed: no variant is named %s%s", name,
				nearest.Hint(name, s.VariantNames())))
		}
	}
	if len(s.Variants) == 0 && len(s.Streams) == 0 {
		c.add(s.errorf("", "found neither a variant nor a stream, expected at least one"))
	}
	seen := map[string]bool{}
	for i := range s.Variants {
		v := &s.Variants[i]
		switch {
		case !names.MatchString(v.Name):
			c.add(s.errorf(v.path+".name", "variant: found the name %q, expected %s", v.Name, nameRule))
		case seen[v.Name]:
			c.add(s.errorf(v.path+".name", "two variants are named %s", v.Name))
		}
		seen[v.Name] = true
		if v.GPU == "" {
			c.add(s.errorf(v.path, "variant %s: gpu is missing", v.Name))
		}
		c.add(s.checkSize(v.path+".size", v.Size), s.checkRegisters(v.path+".registers", v.Registers),
			s.checkNamed(v.path, v.Groups))
		c.add(s.checkSettings(v.path+".set", "variant "+v.Name+": ", v.Set)...)
		c.add(s.checkBaseline(v))
	}
	return c
}

// checkBaseline returns an error for an unknown baseline, and for a cycle of
// baselines.
func (s *Spec) checkBaseline(v *Variant) error {
	if v.Baseline == "" {
		return nil
	}
	path := v.path + ".baseline"
	if s.Variant(v.Baseline) == nil {
		return s.errorf(path, "variant %s: no variant is named %q%s", v.Name, v.Baseline,
			nearest.Hint(v.Baseline, s.VariantNames()))
	}
	chain := []string{v.Name}
	for o := v; o != nil && o.Baseline != ""; o = s.Variant(o.Baseline) {
		chain = append(chain, o.Baseline)
		switch {
		case o.Baseline == v.Name && len(chain) == 2:
			return s.errorf(path, "variant %s: found it as its own baseline, expected another variant", v.Name)
		case o.Baseline == v.Name:
			return s.errorf(path, "variant %s: its baselines lead back to it: %s", v.Name, strings.Join(chain, ", "))
		case slices.Contains(chain[:len(chain)-1], o.Baseline):
			return nil // a cycle without v: reported for its members
		}
	}
	return nil
}

// checkSettings returns errors for a list of settings with one setting overriding
// another.
func (s *Spec) checkSettings(path, what string, set []string) []error {
	var c complaints
	seen := map[string]string{}
	for i, setting := range set {
		key, _, _ := strings.Cut(setting, "=")
		if key = strings.TrimSpace(key); seen[key] != "" {
			c.add(tomldoc.Errorf(s.doc.Elem(path, i), "%sset: %s is set twice, by %q and by %q", what, key, seen[key],
				setting))
		}
		seen[key] = setting
	}
	return c
}

func (s *Spec) checkStreams() []error {
	var c complaints
	seen := map[string]bool{}
	for i := range s.Streams {
		st, path := &s.Streams[i], fmt.Sprintf("stream.%d", i)
		switch {
		case !names.MatchString(st.Name):
			c.add(s.errorf(path+".name", "stream: found the name %q, expected %s", st.Name, nameRule))
		case seen[st.Name]:
			c.add(s.errorf(path+".name", "two streams are named %s", st.Name))
		}
		seen[st.Name] = true
		if st.GPU == "" {
			c.add(s.errorf(path, "stream %s: gpu is missing", st.Name))
		}
		c.add(s.checkSize(path+".size", st.Size), s.checkNamed(path, st.Groups))
		c.add(s.checkSettings(path+".set", "stream "+st.Name+": ", st.Set)...)
	}
	return c
}

// Variant returns the variant of that name, or nil.
func (s *Spec) Variant(name string) *Variant {
	for i := range s.Variants {
		if s.Variants[i].Name == name {
			return &s.Variants[i]
		}
	}
	return nil
}

// VariantNames lists the variants in the order of the file.
func (s *Spec) VariantNames() []string {
	out := make([]string, len(s.Variants))
	for i := range s.Variants {
		out[i] = s.Variants[i].Name
	}
	return out
}

// StreamNames lists the streams in the order of the file.
func (s *Spec) StreamNames() []string {
	out := make([]string, len(s.Streams))
	for i := range s.Streams {
		out[i] = s.Streams[i].Name
	}
	return out
}

// configure reads every configuration once, so a wrong key is found before
// anything runs.
func (s *Spec) configure() []error {
	var c complaints
	s.configs = map[string]*config.Config{}
	load := func(path, what, key string, set []string, r config.Request) {
		if r.GPU == "" {
			return // it has been missed
		}
		cfg, err := config.Load(r)
		if err != nil {
			c.add(s.inVariant(path, what, set, s.explained(r, err)))
			return
		}
		s.configs[key] = cfg
	}
	for i := range s.Variants {
		v := &s.Variants[i]
		load(v.path, "variant "+v.Name, v.Name, v.Set, s.request(v.GPU, v.Design, v.Set))
	}
	for i := range s.Streams {
		st := &s.Streams[i]
		r := s.request(st.GPU, "", st.Set)
		r.Untimed = true
		load(fmt.Sprintf("stream.%d", i), "stream "+st.Name, streamKey(st.Name), st.Set, r)
	}
	for i := range s.Variants {
		c.add(s.checkTuned(&s.Variants[i])...)
		c.add(s.checkSeed(&s.Variants[i]))
	}
	return c
}

// checkSeed returns an error for a machine perturbed by its own settings: its plain run would not be
// unperturbed, and one of its perturbed runs would equal the plain run.
func (s *Spec) checkSeed(v *Variant) error {
	cfg := s.configs[v.Name]
	if cfg == nil || fmt.Sprint(cfg.Values()[config.PerturbSeed]) == "0" {
		return nil
	}
	at := s.Pos(v.path + ".gpu")
	for _, list := range []struct {
		path string
		set  []string
	}{{"set", s.Set}, {v.path + ".set", v.Set}} {
		for i, setting := range list.set {
			if strings.HasPrefix(setting, config.PerturbSeed) {
				at = s.doc.Elem(list.path, i)
			}
		}
	}
	return tomldoc.Errorf(
		at,
		"variant %s: %s: found %v, expected 0: a study's perturbations set it (perturb)",
		v.Name,
		config.PerturbSeed,
		cfg.Values()[config.PerturbSeed],
	)
}

// streamKey distinguishes streams from variants: names of variants have no space.
func streamKey(name string) string { return "stream " + name }

// request returns the configuration of a variant. The path of a GPU file is relative to the
// study's.
func (s *Spec) request(gpu, design string, set []string) config.Request {
	if strings.HasSuffix(gpu, ".toml") && !filepath.IsAbs(gpu) {
		gpu = filepath.Join(filepath.Dir(s.doc.File), gpu)
	}
	return config.Request{GPU: gpu, Design: design, Set: slices.Concat(s.Set, set), Perturbed: true}
}

// Request returns the configuration of a variant with further settings.
func (s *Spec) Request(v *Variant, set ...string) config.Request {
	return s.request(v.GPU, v.Design, slices.Concat(v.Set, set))
}

// inVariant adds the variant and the place in the file to an error.
func (s *Spec) inVariant(path, what string, set []string, err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var out []error
	for _, e := range all {
		at, text := s.placeOf(path, set, e)
		out = append(out, tomldoc.Errorf(at, "%s: %s", what, text))
	}
	return errors.Join(out...)
}

// placeOf returns the place in the file of an error of a configuration, and its text without the place: the setting,
// design or GPU named in the error, or the variant.
func (s *Spec) placeOf(path string, set []string, err error) (at tomldoc.Pos, text string) {
	text = err.Error()
	for _, list := range []struct {
		path     string
		settings []string
	}{{"set", s.Set}, {path + ".set", set}} {
		for k, setting := range list.settings {
			if rest, ok := strings.CutPrefix(text, "--set "+setting+": "); ok {
				return s.doc.Elem(list.path, k), rest
			}
		}
	}
	switch {
	case strings.HasPrefix(text, "no design named"):
		return s.Pos(path + ".design"), text
	case strings.HasPrefix(text, "no GPU named"):
		return s.Pos(path + ".gpu"), text
	}
	return s.Pos(path), text
}

// checkTuned returns errors for tuned settings unknown to the variant's GPU.
func (s *Spec) checkTuned(v *Variant) []error {
	cfg := s.configs[v.Name]
	if cfg == nil || len(v.Tuned) == 0 {
		return nil
	}
	values := cfg.Values()
	var c complaints
	for i, key := range v.Tuned {
		if slices.Contains(v.Tuned[:i], key) {
			c.add(tomldoc.Errorf(s.doc.Elem(v.path+".tuned", i), "variant %s: tuned: found %s twice", v.Name, key))
		}
		if _, ok := values[key]; !ok {
			c.add(tomldoc.Errorf(s.doc.Elem(v.path+".tuned", i),
				"variant %s: tuned: %q is no parameter of its GPU (kumiko list params)%s", v.Name, key,
				nearest.Hint(key, slices.Sorted(maps.Keys(values)))))
		}
	}
	return c
}

// Config returns the configuration of a variant, without perturbation, or nil. It
// must not be changed.
func (s *Spec) Config(variant string) *config.Config { return s.configs[variant] }

// StreamConfig returns the configuration of a stream's GPU,
// or nil. It must not be changed.
func (s *Spec) StreamConfig(name string) *config.Config { return s.configs[streamKey(name)] }

// Roots maps each variant to the end of its chain of baselines.
func (s *Spec) Roots() map[string]string {
	base := map[string]string{}
	for i := range s.Variants {
		base[s.Variants[i].Name] = s.Variants[i].Baseline
	}
	out := map[string]string{}
	for name := range base {
		root := name
		for range base { // no chain is longer, if none is a ring
			if base[root] == "" {
				break
			}
			root = base[root]
		}
		out[name] = root
	}
	return out
}
