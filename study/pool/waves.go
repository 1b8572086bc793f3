package pool

import (
	"fmt"
	"io"
	"sync"

	"kumiko/gpus"
	"kumiko/gpus/measure"
	"kumiko/study"
	"kumiko/study/record"
)

// waveTable computes how many times the CTAs of launches fill the machine of their
// point. If CTAs are switched, the number of CTAs held by an SM is known only after
// the run.
type waveTable struct {
	pool *Pool

	mu       sync.Mutex
	machines map[string]*gpus.Machine // by variant
	held     map[heldKey][]int        // per launch; nil: its CTAs do not fit
}

// heldKey identifies a residency.
type heldKey struct {
	group   *group
	variant string
}

func (w *waveTable) init(p *Pool) {
	w.pool, w.machines, w.held = p, map[string]*gpus.Machine{}, map[heldKey][]int{}
}

// refuse returns an error for a point known beforehand to have fewer waves than the study
// requires.
func (w *waveTable) refuse(p *record.Point, g *group) error {
	if w.switches(p) {
		return nil
	}
	n, at := w.fewestWaves(p, g, nil)
	if n != nil && *n < w.pool.Spec.Waves {
		return fmt.Errorf("%s%.2f full waves in %s, expected at least %v", record.Refusal, *n, at, w.pool.Spec.Waves)
	}
	return nil
}

// switches reports whether the machine of a point switches CTAs.
func (w *waveTable) switches(p *record.Point) bool {
	return w.pool.Spec.Config(p.Variant).SM.Switch.On()
}

// judge sets the number of waves of a record. If CTAs are switched, the number is based on the
// most CTAs held by an SM in the run.
func (w *waveTable) judge(r *record.Record, g *group) {
	if r.Point.Stream {
		return
	}
	had := map[string]int{}
	if r.Result != nil && w.switches(&r.Point) {
		for i := range r.Result.Kernels {
			k := &r.Result.Kernels[i]
			had[k.Name] = max(had[k.Name], k.CTAsResidentMax)
		}
	}
	r.Waves, _ = w.fewestWaves(&r.Point, g, had)
}

// fewestWaves returns the least number of waves of a point's launches, and a description of this launch. It returns nil
// if all are exempt, and if no CTA fits. had is the number of a kernel's CTAs held by an SM; without an entry,
// it is the number that fits.
func (w *waveTable) fewestWaves(p *record.Point, g *group, had map[string]int) (least *float64, at string) {
	v := w.pool.Spec.Variant(p.Variant)
	sms := w.pool.Spec.Config(v.Name).SM.Count
	for i, l := range g.capture.Launches() {
		if w.pool.Spec.Exempts(p, l.Kernel) {
			continue
		}
		resident := had[l.Kernel]
		if resident == 0 {
			held := w.residents(v, g)
			if held == nil {
				return nil, ""
			}
			resident = held[i]
		}
		f := measure.Fill{Kernel: l.Kernel, CTAs: l.CTAs, SMs: sms, Resident: resident}
		if n := f.Waves(); least == nil || n < *least {
			least, at = &n, fmt.Sprintf("launch %d, %s", i+1, &f)
		}
	}
	return least, at
}

// residents returns the number of CTAs of each launch held by an SM of a variant, computed by an idle machine.
// It returns nil if some do not fit; the point itself will report this.
func (w *waveTable) residents(v *study.Variant, g *group) []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := heldKey{g, v.Name}
	if held, ok := w.held[at]; ok {
		return held
	}
	w.held[at] = nil
	m := w.machines[v.Name]
	if m == nil {
		var err error
		if m, err = gpus.New(w.pool.Spec.Config(v.Name), gpus.Options{Printf: io.Discard}); err != nil {
			return nil
		}
		w.machines[v.Name] = m
	}
	if held, err := m.Residents(g.capture); err == nil {
		w.held[at] = held
	}
	return w.held[at]
}
