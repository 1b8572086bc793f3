package claims

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/regfile"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/streams"
)

// made is a record of every point of a study with numbers out of thin air, so
// that every expression comes to a value of its kind.
func made(t *testing.T, s *study.Spec) []*study.Record {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var out []*study.Record
	points := s.Points(0)
	for i := range points {
		p := points[i]
		r := &study.Record{Point: p}
		if p.Stream {
			sum := streams.Summary{Caches: streams.Caches{}}
			for _, f := range streams.Families() {
				for f.Entries = range 14 {
					for _, live := range []bool{false, true} {
						var c streams.Cache
						fill(reflect.ValueOf(&c).Elem(), rng)
						sum.Caches[f.Path(live)] = c
					}
				}
			}
			rfc := sum.Caches
			sum.Caches = nil
			fill(reflect.ValueOf(&sum).Elem(), rng)
			sum.Caches = rfc
			data, err := json.Marshal(&sum)
			if err != nil {
				t.Fatal(err)
			}
			r.Streams = data
		} else {
			r.Result = madeResult(s, &p, rng)
		}
		out = append(out, r)
	}
	return out
}

// fill sets every number of a struct to one between 1 and 2, or to a count.
func fill(v reflect.Value, rng *rand.Rand) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			fill(f, rng)
		case reflect.Float64:
			f.SetFloat(1 + rng.Float64())
		case reflect.Uint64:
			f.SetUint(1000 + rng.Uint64N(1000))
		}
	}
}

func madeResult(s *study.Spec, p *study.Point, rng *rand.Rand) *result.Result {
	r := &result.Result{Program: p.Benchmark, Config: s.Config(p.Variant).Values(), Storage: []regfile.State{
		{Block: "Bank", What: "registers", Count: 32, Bits: 1 << 20}, {Block: "Cache", What: "registers", Count: 1, Bits: 1 << 15},
		{Block: "Pairs", What: "sharers", Count: 1, Bits: 32}, {Block: "Locks", What: "lock variables", Count: 1, Bits: 144}}}
	for _, k := range benchmarks.Find(p.Benchmark).Kernels {
		c := result.Counts{Cycles: 1000 + rng.Uint64N(1000), WarpInstructions: 500, ThreadInstructions: 16000 + rng.Uint64N(100), CTAsResidentMax: 1 + rng.IntN(8),
			IssueSlots: map[string]uint64{}, Stats: map[string]uint64{}}
		for _, name := range []string{"issued", "regfile_full", "scoreboard", "memory", "empty"} {
			c.IssueSlots[name] = 100 + rng.Uint64N(100)
		}
		for _, name := range []string{"mem.l1.misses.global_load", "mem.l2.misses.global_load", "mem.l2.misses.local_load", "sm.idle_cycles", "sm.stall_cycles"} {
			c.Stats[name] = rng.Uint64N(1000)
		}
		r.Kernels = append(r.Kernels, result.Kernel{Name: k.Name, Block: k.Block, RegistersPerThread: 20, Counts: c})
	}
	r.Finish(0)
	return r
}

// With a record of every point every claim gets a verdict of measurement, and
// none an error.
func TestEveryClaimIsMeasuredWhenEverythingHasRun(t *testing.T) {
	for _, paper := range study.Papers {
		f, err := Load(paper)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil || !slices.Contains(study.Names(), f.Study) {
			continue
		}
		s, err := study.Load(f.Study)
		if err != nil {
			t.Fatal(err)
		}
		q := query.New(study.NewData(s, made(t, s)))
		outcomes := f.Evaluate(q)
		for _, o := range outcomes {
			if o.Verdict == NotRun {
				t.Errorf("%s: %s", o.ID, o.Why)
			}
			if strings.Contains(o.Why, "expected") {
				t.Errorf("%s: %s, %s", o.ID, o.Ours, o.Why)
			}
		}
		null := f.NullScore(q, outcomes)
		if null.Of == 0 || null.Passed >= null.Of {
			t.Errorf("%s: %s", paper, null)
		}
		t.Log(fmt.Sprint(paper, ": ", Summary(outcomes), "; ", null))
	}
}
