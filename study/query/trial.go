package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"

	"kumiko/components/stats"
	"kumiko/gpus"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/streams"
)

// Trial returns a Query over made-up records: every point of the study is there, with
// the statistics, the reasons, the parameters and the storage of its machine,
// and arbitrary numbers. It reveals the mistakes of an expression before
// anything has been run.
func Trial(s *study.Spec) *Query {
	q := New(study.NewData(s, nil))
	q.made = &made{spec: s, machines: map[string]*machine{}, runs: map[[2]string]*result.Result{}}
	return q
}

// Try evaluates an expression over made-up records. It returns an error for a mistake in the expression. V is
// nil if the value depends on numbers found only in real records.
func (q *Query) Try(code string, at At) (*Value, error) {
	v, asked, err := q.eval(code, at)
	if asked && (errors.Is(err, ErrUndefined) || errors.Is(err, errEmpty)) {
		return &Value{}, nil
	}
	return v, err
}

// made generates the records of a study on demand.
type made struct {
	spec     *study.Spec
	machines map[string]*machine          // by variant
	runs     map[[2]string]*result.Result // by variant and benchmark
	tree     any                          // of every stream
	reasons  map[string]bool              // of all machines
}

// machine has the common parts of a variant's results.
type machine struct {
	result        *result.Result
	stats         []string
	distributions []string
	reasons       []string
}

// machineOf assembles the machine of a variant. It returns nil if this fails; running the
// points will report the error.
func (m *made) machineOf(variant string) *machine {
	if x, ok := m.machines[variant]; ok {
		return x
	}
	m.machines[variant] = nil
	cfg := m.spec.Config(variant)
	if cfg == nil {
		return nil
	}
	built, err := gpus.New(cfg, gpus.Options{Printf: io.Discard})
	if err != nil {
		return nil
	}
	x := &machine{result: measure.NewResult(cfg, built), reasons: []string{result.Issued}}
	for _, s := range built.Stats() {
		x.stats = append(x.stats, s.Name)
	}
	for _, d := range built.Distributions() {
		x.distributions = append(x.distributions, d.Name)
	}
	for _, reason := range built.Reasons() {
		x.reasons = append(x.reasons, reason.Name)
	}
	m.machines[variant] = x
	return x
}

// gives reports whether some variant's machine has a reason of lost issue slots.
func (m *made) gives(reason string) bool {
	if m == nil {
		return false
	}
	if m.reasons == nil {
		m.reasons = map[string]bool{}
		for i := range m.spec.Variants {
			if x := m.machineOf(m.spec.Variants[i].Name); x != nil {
				for _, r := range x.reasons {
					m.reasons[r] = true
				}
			}
		}
	}
	return m.reasons[reason]
}

// run returns the made-up result of a variant on a benchmark. Its kernels use so
// few registers that a CTA fits on every GPU.
func (m *made) run(variant, benchmark string) *result.Result {
	at := [2]string{variant, benchmark}
	if r, ok := m.runs[at]; ok {
		return r
	}
	m.runs[at] = nil
	x := m.machineOf(variant)
	app, err := m.spec.Benchmark(benchmark)
	if x == nil || app == nil || err != nil {
		return nil
	}
	rng := rand.New(rand.NewPCG(uint64(len(m.runs)), 1))
	r := *x.result
	r.Program, r.Kernels = benchmark, nil
	for _, k := range app.Kernels {
		c := result.Counts{Cycles: 1000 + rng.Uint64N(1000), WarpInstructions: 500 + rng.Uint64N(100),
			ThreadInstructions: 16000 + rng.Uint64N(1000),
			CTAsResidentMax:    1 + rng.IntN(8), IssueSlots: map[string]uint64{},
			Distributions: map[string][]stats.Bucket{}, Stats: map[string]uint64{}}
		for _, name := range x.distributions {
			c.Distributions[name] = stats.Every(1 + rng.Uint64N(10))
		}
		for _, name := range x.reasons {
			c.IssueSlots[name] = 100 + rng.Uint64N(100)
		}
		for _, name := range x.stats {
			c.Stats[name] = 100 + rng.Uint64N(1000)
		}
		r.Kernels = append(r.Kernels, result.Kernel{Name: k.Name, Grid: [3]int{8, 1, 1}, Block: k.Block,
			RegistersPerThread: 16, SharedBytes: k.Shared, Counts: c})
	}
	r.Finish(0)
	m.runs[at] = &r
	return &r
}

// stream returns the made-up summary of an access stream, decoded: an empty summary
// with its numbers replaced.
func (m *made) stream() (any, error) {
	if m.tree != nil {
		return m.tree, nil
	}
	data, err := json.Marshal(streams.NewCollector(streams.Options{}).Summary())
	var tree any
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil {
		return nil, fmt.Errorf("a made-up stream: %w", err)
	}
	m.tree = filled(tree, rand.New(rand.NewPCG(1, 2)))
	return m.tree, nil
}

// filled returns a tree with every number replaced by one between 1 and 2.
func filled(v any, rng *rand.Rand) any {
	switch v := v.(type) {
	case float64:
		return 1 + rng.Float64()
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = filled(v[key], rng)
		}
	case []any:
		for i := range v {
			v[i] = filled(v[i], rng)
		}
	}
	return v
}
