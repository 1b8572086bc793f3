package study

import (
	"slices"

	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/study/record"
)

// Data has the records of a study, by variant, benchmark and perturbation. It never changes while
// in use.
type Data struct {
	Spec *Spec // variants are expanded: none has a sweep
	// runs by variant, benchmark and perturbation.
	runs    map[place]*record.Record
	streams map[place]*record.Record
}

type place struct {
	variant, benchmark string
	perturb            int
}

// NewData arranges records. Of two records of the same point the later counts. Failed
// records are kept apart from records with a result.
func NewData(s *Spec, records []*record.Record) *Data {
	d := &Data{Spec: s, runs: map[place]*record.Record{}, streams: map[place]*record.Record{}}
	for _, r := range records {
		m := d.runs
		if r.Point.Stream {
			m = d.streams
		}
		at := place{r.Point.Variant, r.Point.Benchmark, r.Point.Perturb}
		if r.Failed == "" || m[at] == nil {
			m[at] = r
		}
	}
	return d
}

// Run returns the result of a variant on a benchmark under a perturbation (0: none),
// or nil if there is none.
func (d *Data) Run(variant, benchmark string, perturb int) *result.Result {
	if r := d.runs[place{variant, benchmark, perturb}]; r != nil && r.Failed == "" {
		return r.Result
	}
	return nil
}

// Record returns the record of a run, failed or not, or nil.
func (d *Data) Record(variant, benchmark string, perturb int) *record.Record {
	return d.runs[place{variant, benchmark, perturb}]
}

// Stream returns the record of a benchmark's access stream, or nil.
func (d *Data) Stream(name, benchmark string) *record.Record {
	if r := d.streams[place{name, benchmark, 0}]; r != nil && r.Failed == "" {
		return r
	}
	return nil
}

// Perturbations returns the highest perturbation number among the runs.
func (d *Data) Perturbations() int {
	most := 0
	for at := range d.runs {
		most = max(most, at.perturb)
	}
	return most
}

// FewWaves reports whether a run has a launch, not exempt, of fewer full waves of CTAs than represent a busy machine
// (measure.EnoughWaves), and returns the least number of waves of its launches.
func (d *Data) FewWaves(variant, benchmark string) (waves float64, few bool) {
	r := d.Record(variant, benchmark, 0)
	if r == nil || r.Failed != "" || r.Waves == nil {
		return 0, false
	}
	return *r.Waves, *r.Waves < measure.EnoughWaves
}

// Underfilled returns the benchmarks with perturbed runs and a launch of less than one
// full wave of CTAs, without exempt launches. A perturbation moves such CTAs to other SMs.
func (d *Data) Underfilled() []string {
	var out []string
	for at, r := range d.runs {
		if at.perturb > 0 && r.Failed == "" && r.Waves != nil && *r.Waves < 1 && !slices.Contains(out, at.benchmark) {
			out = append(out, at.benchmark)
		}
	}
	slices.Sort(out)
	return out
}
