package study

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mark matches the placeholder of a sweep's value: {} or {NAME}.
var mark = regexp.MustCompile(`\{([A-Za-z0-9_-]*)\}`)

// swept is a sweep: its mark, replaced by each of its values.
type swept struct {
	mark   string
	path   string // of its values in the document
	values []string
}

// MostVariants bounds the variants of a study, sweeps expanded.
const MostVariants = 10_000

// expand replaces every variant with sweeps by one variant for each combination of their
// values.
func (s *Spec) expand() []error {
	var c complaints
	var out []Variant
	for i := range s.Variants {
		v := &s.Variants[i]
		v.path = fmt.Sprintf("variant.%d", i)
		if v.Code != "" {
			v.Set = append(slices.Clone(v.Set), "compiler.code="+v.Code)
		}
		sweeps := s.sweepsOf(v, i)
		if err := s.checkSweeps(v, sweeps); err != nil {
			c.add(err)
			continue
		}
		n := 1
		for _, w := range sweeps {
			n *= len(w.values)
			if n > MostVariants-len(out) {
				s.Variants = out
				return append(c, s.errorf(w.path, "variant %s: the sweeps make more than %d variants", v.Name,
					MostVariants))
			}
		}
		all := []Variant{*v}
		for _, w := range sweeps {
			var next []Variant
			for k := range all {
				for _, value := range w.values {
					next = append(next, all[k].with(w.mark, value))
				}
			}
			all = next
		}
		out = append(out, all...)
	}
	s.Variants = out
	return c
}

// sweepsOf lists the sweeps of a variant in the order of the file.
func (s *Spec) sweepsOf(v *Variant, i int) []swept {
	var out []swept
	if v.Sweep != nil {
		out = append(out, swept{"{}", v.path + ".sweep", v.Sweep})
	}
	for k := range s.doc.Entries {
		key := s.doc.Entries[k].Key
		if len(key) == 4 && key[0] == "variant" && key[1] == fmt.Sprint(i) && key[2] == "sweeps" {
			out = append(out, swept{"{" + key[3] + "}", v.path + ".sweeps." + key[3], v.Sweeps[key[3]]})
		}
	}
	return out
}

// checkSweeps returns an error for a sweep whose mark, such as {}, is not used, for values that occur twice, and for
// marks without a sweep.
func (s *Spec) checkSweeps(v *Variant, sweeps []swept) error {
	for _, w := range sweeps {
		if len(w.values) == 0 || !strings.Contains(v.Name, w.mark) || !v.sets(w.mark) {
			return s.errorf(
				w.path,
				"variant %s: with a sweep, expected values, and %s in the name and in gpu, design, code, size or set",
				v.Name,
				w.mark,
			)
		}
		for i, value := range w.values {
			if slices.Contains(w.values[:i], value) {
				return s.errorf(w.path, "variant %s: found the value %q of %s twice", v.Name, value, w.mark)
			}
		}
	}
	for _, text := range append([]string{v.Name, v.Baseline, v.GPU, v.Design, v.Size}, v.Set...) {
		for _, m := range mark.FindAllString(text, -1) {
			if !slices.ContainsFunc(sweeps, func(w swept) bool { return w.mark == m }) {
				return s.errorf(v.path, "variant %s: found %s without a sweep", v.Name, m)
			}
		}
	}
	return nil
}

// sets reports whether a text occurs in the settings of the variant's points.
func (v *Variant) sets(text string) bool {
	return slices.ContainsFunc(append([]string{v.GPU, v.Design, v.Size}, v.Set...),
		func(s string) bool { return strings.Contains(s, text) })
}

// with returns the variant for one value of a sweep.
func (v *Variant) with(mark, value string) Variant {
	put := func(s string) string { return strings.ReplaceAll(s, mark, value) }
	all := func(list []string) []string {
		var out []string
		for _, s := range list {
			out = append(out, put(s))
		}
		return out
	}
	out := *v
	out.Sweep, out.Sweeps = nil, nil
	out.Name, out.Doc, out.GPU, out.Design = put(v.Name), put(v.Doc), put(v.GPU), put(v.Design)
	out.Set, out.Tuned, out.Baseline, out.Size = all(v.Set), all(v.Tuned), put(v.Baseline), put(v.Size)
	out.sizes = v.sizes || strings.Contains(v.Size, mark)
	return out
}
