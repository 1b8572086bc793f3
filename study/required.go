package study

import (
	"fmt"
	"slices"
)

// Met reports whether a record meets all needs, so its point need not be
// executed. r may be nil.
func (s *Spec) Met(r *Record, n *Need) bool { return r != nil && n.Meets(r) && !s.short(r) }

// short reports whether a record has fewer waves than the study requires. Its run may have
// required fewer.
func (s *Spec) short(r *Record) bool {
	return r.Waves != nil && *r.Waves < s.Waves
}

// shortage describes the missing waves of a record.
func (s *Spec) shortage(r *Record) string {
	return fmt.Sprintf("%s%.2f full waves, expected at least %v", refusal, *r.Waves, s.Waves)
}

// exempt reports whether a kernel's launches are exempt from the required waves.
func (s *Spec) exempt(p *Point, kernel string) bool {
	return slices.ContainsFunc(s.WavesExempt, func(e Exempt) bool {
		return e.meets(p) && (e.Kernel == "" || e.Kernel == kernel)
	})
}

// meets reports whether kernels of a point are exempt.
func (e *Exempt) meets(p *Point) bool {
	return (e.Benchmark == "" || e.Benchmark == p.Benchmark) &&
		(len(e.Variants) == 0 || slices.Contains(e.Variants, p.Variant))
}
