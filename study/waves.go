package study

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"kumiko/gpus"
)

// waveTable works out how many times the CTAs of launches fill the machine, at
// the largest residency that any of the compared designs reaches: the variants
// on the same GPU that run the benchmark.
type waveTable struct {
	pool *Pool

	mu       sync.Mutex
	machines map[string]*gpus.Machine // by variant
	most     map[mostKey][]int        // per launch
}

// mostKey is what the largest residency is of.
type mostKey struct {
	group *group
	gpu   string
}

func (w *waveTable) init(p *Pool) {
	w.pool, w.machines, w.most = p, map[string]*gpus.Machine{}, map[mostKey][]int{}
}

// refusal begins the reason of a point that has too few waves.
const refusal = "refused: "

// Refused reports whether a point was refused rather than failed.
func (r *Record) Refused() bool { return strings.HasPrefix(r.Failed, refusal) }

// short reports whether a record, perhaps of a run that asked for less, has fewer
// waves than the study asks for.
func (s *Spec) short(r *Record) bool { return r.Waves != nil && *r.Waves < s.Waves }

// refuse is the error of a point with fewer waves than the study asks for.
func (w *waveTable) refuse(p *Point, g *group) error {
	n, at := w.of(p, g, nil)
	if n != nil && *n < w.pool.Spec.Waves {
		return fmt.Errorf("%s%.2f full waves in %s, expected at least %v", refusal, *n, at, w.pool.Spec.Waves)
	}
	return nil
}

// judge puts the number of waves into a record: if it had more CTAs resident than any
// design was known to hold, at that residency.
func (w *waveTable) judge(r *Record, g *group) {
	if r.Point.Stream {
		return
	}
	had := map[string]int{}
	if r.Result != nil {
		for i := range r.Result.Kernels {
			k := &r.Result.Kernels[i]
			had[k.Name] = max(had[k.Name], k.CTAsResidentMax)
		}
	}
	r.Waves, _ = w.of(&r.Point, g, had)
}

// of is the least number of waves of a point's launches, and of which, as text.
// It is nil when all are exempt, and where no CTA fits. had is the most CTAs that an SM held
// of each kernel.
func (w *waveTable) of(p *Point, g *group, had map[string]int) (least *float64, at string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.pool.Spec.Variant(p.Variant)
	most := w.largest(v, g)
	if most == nil {
		return nil, ""
	}
	sms := w.pool.Spec.Config(v.Name).SM.Count
	for i, l := range g.capture.Launches() {
		if w.pool.Spec.exempt(p.Benchmark, l.Kernel) {
			continue
		}
		resident := max(most[i], had[l.Kernel])
		n := float64(l.CTAs) / float64(sms*resident)
		if least == nil || n < *least {
			least = &n
			at = fmt.Sprintf("launch %d, kernel %s: %d CTAs, %d SMs that hold up to %d", i+1, l.Kernel, l.CTAs, sms,
				resident)
		}
	}
	return least, at
}

// largest is the largest residency of each launch among the compared variants;
// nil when its CTAs fit nowhere.
func (w *waveTable) largest(v *Variant, g *group) []int {
	at := mostKey{g, v.GPU}
	if most := w.most[at]; most != nil {
		return most
	}
	var most []int
	for i := range w.pool.Spec.Variants {
		o := &w.pool.Spec.Variants[i]
		if o.GPU != v.GPU || !w.pool.Spec.runs(o, g.point.Benchmark) {
			continue
		}
		n, err := w.residents(o, g)
		if err != nil {
			continue // a CTA does not fit there, which that variant's own point will say
		}
		if most == nil {
			most = n
		}
		for k := range most {
			most[k] = max(most[k], n[k])
		}
	}
	w.most[at] = most
	return most
}

// residents asks a machine of the variant that runs nothing.
func (w *waveTable) residents(v *Variant, g *group) ([]int, error) {
	m := w.machines[v.Name]
	if m == nil {
		var err error
		if m, err = gpus.New(w.pool.Spec.Config(v.Name), gpus.Options{Printf: io.Discard}); err != nil {
			return nil, err
		}
		w.machines[v.Name] = m
	}
	return m.Residents(g.capture)
}

// runs reports whether a variant runs a benchmark.
func (s *Spec) runs(v *Variant, benchmark string) bool {
	for _, b := range s.Benchmarks(v.Groups) {
		if b == benchmark {
			return true
		}
	}
	return false
}

// exempt reports whether a kernel's launches are small by nature.
func (s *Spec) exempt(benchmark, kernel string) bool {
	for _, e := range s.WavesExempt {
		if e.Benchmark == benchmark && (e.Kernel == "" || e.Kernel == kernel) {
			return true
		}
	}
	return false
}
