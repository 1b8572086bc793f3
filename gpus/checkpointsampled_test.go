package gpus_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
)

// sampledCase is a program with a way of sampling it.
type sampledCase struct {
	name  string
	size  benchmarks.Size
	times int // number of runs on one machine
	cuts  int
	spec  sampling.Spec
	// of reports whether a launch was sampled in this way.
	of func(*result.Sample) bool
}

var sampledCases = []sampledCase{
	{"vecadd", benchmarks.Small, 1, 3, sampling.Spec{Seed: 1}, byWavesAlone},
	{"vecadd", benchmarks.Small, 1, 3, sampling.Spec{Seed: 3, Error: 0.01}, byWavesAlone},
	{"vecadd", benchmarks.Study, 2, 3, sampling.Spec{Seed: 1, Error: 0.1}, likeOneBefore},
	{"gaussian", benchmarks.Small, 1, 3, sampling.Spec{Seed: 2},
		func(s *result.Sample) bool { return s.Group > 0 }},
	{"sgemm", benchmarks.Study, 1, 2, sampling.Spec{Seed: 1, Windows: true},
		func(s *result.Sample) bool { return s.Windows }},
}

// likeOneBefore reports whether a launch has as few units as a launch with a similar predecessor.
func likeOneBefore(s *result.Sample) bool { return byWavesAlone(s) && s.Units < 5 }

func byWavesAlone(s *result.Sample) bool { return s.Group == 0 && !s.Windows }

// TestASampledRunThatGoesOnFromAnyPointHasTheSameResult interrupts runs with every way of sampling at random
// points.
func TestASampledRunThatGoesOnFromAnyPointHasTheSameResult(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty sampled runs")
	}
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=1"}})
	cases := sampledCases
	if testing.Short() {
		cases = cases[:1]
	}
	for _, x := range cases {
		run := func(t machinetest.T, opt gpus.Options) *result.Result {
			opt.Sample = &x.spec
			r, err := checkedTimes(t, x.times, c, x.name, x.size, gpus.Chunk, opt)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		all := &states{}
		whole := run(t, gpus.Options{Checkpoints: all.checkpoints()})
		so := 0
		for i := range whole.Kernels {
			if s := whole.Kernels[i].Sample; s != nil && x.of(s) {
				so++
			}
		}
		if so == 0 {
			t.Errorf("%s, %+v: no launch is sampled in this way", x.name, x.spec)
		}
		if d := cmp.Diff(whole, run(t, gpus.Options{})); d != "" {
			t.Errorf("%s, %+v: looks for checkpoints change the result:\n%s", x.name, x.spec, d)
		}
		draw := rand.New(rand.NewPCG(1, 2))
		for i := range x.cuts {
			s := &states{at: 1 + draw.IntN(all.looks)}
			run(t, gpus.Options{Checkpoints: s.checkpoints()})
			if len(s.data) != 1 {
				t.Fatal(len(s.data), " checkpoints, want one")
			}
			again := run(t, gpus.Options{Checkpoints: s.from(0), Workers: 1 + i%2})
			if d := cmp.Diff(whole, again); d != "" {
				t.Fatal(x.name, x.spec, " from ", s.points[0], " (-whole +resumed):\n", d)
			}
		}
	}
}

// A state has the names of the types in it. Types of another mode, or renamed since another build, are missing in
// the machine.
func TestACheckpointOfARunSampledOtherwiseIsRefused(t *testing.T) {
	c := smallGPU(t, "", "gtx980")
	run := func(spec *sampling.Spec, o *gpus.Checkpoints) error {
		_, err := checked(t, c, "hotspot", 101, gpus.Options{Sample: spec, Checkpoints: o})
		return err
	}
	for _, spec := range []*sampling.Spec{nil, {Seed: 1}} {
		s := &states{at: 3}
		if err := run(spec, s.checkpoints()); err != nil || len(s.data) == 0 {
			t.Fatal(err, len(s.data))
		}
		other := &sampling.Spec{Seed: 1}
		if spec != nil {
			other = nil
		}
		err := run(other, s.from(0))
		if want := "checkpoint: snapshot: found values of type"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("sampled by %v, resumed with %v: error %v, want one that begins with %q", spec, other, err, want)
		}
	}
}
