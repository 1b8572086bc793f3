package study

import (
	"fmt"
	"slices"

	"kumiko/study/record"
)

// Met reports whether a record meets all needs, so its point need not be
// executed. r may be nil.
func (s *Spec) Met(r *record.Record, n *record.Need) bool {
	return r != nil && n.Meets(r) && !s.Short(r)
}

// Short reports whether a record has fewer waves than the study requires. Such a record exists if its run was
// made when the study required fewer.
func (s *Spec) Short(r *record.Record) bool {
	return r.Waves != nil && *r.Waves < s.Waves
}

// Shortage describes the missing waves of a record.
func (s *Spec) Shortage(r *record.Record) string {
	return fmt.Sprintf("%s%.2f full waves, expected at least %v", record.Refusal, *r.Waves, s.Waves)
}

// Exempts reports whether a kernel's launches are exempt from the required waves.
func (s *Spec) Exempts(p *record.Point, kernel string) bool {
	return slices.ContainsFunc(s.WavesExempt, func(e Exempt) bool {
		return e.meets(p) && (e.Kernel == "" || e.Kernel == kernel)
	})
}

// meets reports whether kernels of a point are exempt.
func (e *Exempt) meets(p *record.Point) bool {
	return (e.Benchmark == "" || e.Benchmark == p.Benchmark) &&
		(len(e.Variants) == 0 || slices.Contains(e.Variants, p.Variant))
}
