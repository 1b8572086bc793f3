package study

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/internal/nearest"
	"kumiko/study/record"
)

// Points lists the points of the study in the order of the file: for each
// variant its benchmarks, each without perturbation and, if the study perturbs the
// variant, with the perturbations 1 to perturb; then the streams.
func (s *Spec) Points(perturb int) []record.Point {
	var out []record.Point
	for i := range s.Variants {
		v := &s.Variants[i]
		runs := 1
		if len(s.Perturbed) == 0 || slices.Contains(s.Perturbed, v.Name) {
			runs += perturb
		}
		for _, b := range s.Benchmarks(v.Groups) {
			for k := range runs {
				out = append(out, record.Point{
					Study: s.Name, Variant: v.Name, Benchmark: b, Size: cmp.Or(v.Size, s.Size), GPU: v.GPU,
					Design: v.Design,
					Set:    slices.Concat([]string{}, s.Set, v.Set), Registers: cmp.Or(v.Registers, s.Registers),
					Perturb: k, Sample: s.Sample.text(), Profile: s.Profile && k == 0, Split: s.Split, Parts: s.Parts,
				})
			}
		}
	}
	for i := range s.Streams {
		st := &s.Streams[i]
		for _, b := range s.Benchmarks(st.Groups) {
			out = append(out, record.Point{
				Study: s.Name, Variant: st.Name, Benchmark: b, Size: cmp.Or(st.Size, s.Size), GPU: st.GPU,
				Set: slices.Concat([]string{}, s.Set, st.Set), Registers: s.Registers, Stream: true,
			})
		}
	}
	return out
}

// Resize changes the size of every benchmark. It returns an error for a sweep over sizes, which
// would become one size under several names.
func (s *Spec) Resize(size string) error {
	if _, err := benchmarks.ParseSize(size); err != nil {
		return err
	}
	for i := range s.Variants {
		if v := &s.Variants[i]; v.sizes {
			return fmt.Errorf("size %q: variant %s is one of a sweep over sizes", size, v.Name)
		}
	}
	s.Size = size
	for i := range s.Variants {
		s.Variants[i].Size = ""
	}
	for i := range s.Streams {
		s.Streams[i].Size = ""
	}
	return nil
}

// Select keeps the points named by the patterns: variants or streams, benchmarks, and groups, each exactly or
// with * and ?. Given patterns for variants and for benchmarks, a point must match both. Without patterns it
// keeps all points.
func (s *Spec) Select(points []record.Point, patterns []string) ([]record.Point, error) {
	var variants, members map[string]bool
	for _, p := range patterns {
		vs, bs, err := s.meant(points, p)
		if err != nil {
			return nil, err
		}
		variants, members = join(variants, vs), join(members, bs)
	}
	var out []record.Point
	for _, p := range points {
		if (variants == nil || variants[p.Variant]) && (members == nil || members[p.Benchmark]) {
			out = append(out, p)
		}
	}
	return out, nil
}

// meant resolves a pattern to variants or, without a match, to benchmarks.
func (s *Spec) meant(points []record.Point, pattern string) (variants, members []string, err error) {
	for i := range points {
		p := &points[i]
		v, err := path.Match(pattern, p.Variant)
		if err != nil {
			return nil, nil, fmt.Errorf("%q is no pattern: %w", pattern, err)
		}
		if v {
			variants = append(variants, p.Variant)
		}
		if b, _ := path.Match(strings.ToLower(pattern), strings.ToLower(p.Benchmark)); b {
			members = append(members, p.Benchmark)
		}
	}
	if len(variants) > 0 {
		return variants, nil, nil
	}
	if len(members) == 0 {
		members = s.Groups[pattern]
	}
	if len(members) == 0 {
		return nil, nil, fmt.Errorf("%q is neither a variant nor a benchmark nor a group of study %s%s", pattern,
			s.Name, nearest.Hint(pattern, s.Selectable(points)))
	}
	return nil, members, nil
}

// Selectable lists the names that Select accepts for points: variants and streams, benchmarks, groups.
func (s *Spec) Selectable(points []record.Point) []string {
	var out []string
	for i := range points {
		for _, name := range []string{points[i].Variant, points[i].Benchmark} {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return append(out, s.GroupNames()...)
}

func join(set map[string]bool, list []string) map[string]bool {
	if len(list) > 0 && set == nil {
		set = map[string]bool{}
	}
	for _, x := range list {
		set[x] = true
	}
	return set
}

// Budget returns the sum over points.
func Budget(points []record.Point) uint64 {
	var sum uint64
	for i := range points {
		sum += points[i].Budget()
	}
	return sum
}

// ConfigOf returns the configuration of a point.
func (s *Spec) ConfigOf(p *record.Point) (*config.Config, error) {
	switch {
	case p.Stream:
		return s.StreamConfig(p.Variant), nil
	case p.Perturb == 0:
		return s.Config(p.Variant), nil
	}
	return s.Config(p.Variant).Perturbed(p.Perturb)
}
