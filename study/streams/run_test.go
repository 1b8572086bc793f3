package streams

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

func TestASummaryComesBackFromItsJSON(t *testing.T) {
	s := streamsOf(t, benchmarks.Find("vecadd"), nil)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again Summary
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, &again); diff != "" {
		t.Errorf("written (-) and read (+):\n%s", diff)
	}
	t.Logf("%d bytes", len(data))
}

func TestTheGPUSaysWhatSuspendsAWarp(t *testing.T) {
	for set, want := range map[string]Options{
		"sched.suspend_ready=true":             {},
		"sched.suspend_ready=false":            {ReadyKeeps: true},
		"sched.suspend_at_barrier=false":       {ReadyKeeps: true, BarriersKeep: true},
		"regfile.conventional.read_twice=true": {ReadyKeeps: true, ReadTwice: true},
	} {
		cfg, err := config.Load(config.Request{GPU: "fermi", Set: []string{set}, Untimed: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := OptionsFor(cfg); got != want {
			t.Errorf("%s: %+v, expected %+v", set, got, want)
		}
	}
}

func TestALaunchIsInterrupted(t *testing.T) {
	p, err := benchmarks.Find("vecadd").New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := &mem.Memory{}
	r := NewRunner(m, nil, Options{})
	r.Context = ctx
	if err := p.Run(&host.Device{Mem: m, Runner: r}); !errors.Is(err, stop.ErrInterrupted) {
		t.Errorf("found %v, expected %v", err, stop.ErrInterrupted)
	}
}

// streamsOf returns the streams of an application at size test; gpu is nil for code of no GPU.
func streamsOf(t *testing.T, a *benchmarks.App, gpu *config.Config) *Summary {
	t.Helper()
	s, err := App(a, benchmarks.Test, gpu, false, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
