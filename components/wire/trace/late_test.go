package trace_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"

	"kumiko/components/wire"
	"kumiko/components/wire/trace"
	"kumiko/components/wire/wiretest"
)

// traced runs a source and a sink accepting a message every other cycle. It returns the tasks of cycles 20 to 29
// collected by a tracer attached from cycle from on.
func traced(t *testing.T, from wire.Cycle) (tasks []string, hooks int) {
	t.Helper()
	e := wire.NewEngine()
	e.SetWindow(1, sim.GHz)
	d := e.NewDomain("Core", sim.GHz)
	sink := wiretest.NewLooseSink[uint32]("Sink", d, 8)
	sink.Refuse = func(now wire.Cycle) bool { return now%2 == 0 }
	sink.PerCycle = 1
	source := wiretest.NewSource("Source", d, &sink.In)
	for i := range 60 {
		source.Send(wire.Cycle(1+i), uint32(i))
	}
	var r rows
	clock := &trace.Clock{TimeTeller: e}
	tracer := tracing.NewDBTracer(clock, &r)
	tracer.SetTimeRange(20e-9, 29e-9)
	var ends []func()
	e.LookOn(d, from, 60, func() {
		ends = append(ends, trace.Messages(source, tracer, clock), trace.Messages(sink, tracer, clock))
	}, func() bool {
		for _, end := range ends {
			end()
		}
		return true
	})
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	for _, x := range r {
		tasks = append(tasks, fmt.Sprintf("%s %s %.0f-%.0f", x.Where, x.Kind, x.StartTime*1e9, x.EndTime*1e9))
	}
	slices.Sort(tasks)
	for _, c := range d.Components() {
		hooks += c.NumHooks()
		for _, p := range c.Ports() {
			hooks += p.NumHooks()
		}
	}
	if len(sink.Got) != 60 {
		t.Errorf("%d messages came, want 60", len(sink.Got))
	}
	return tasks, hooks
}

func TestATracerThatComesLateTellsOfTheMessagesOnTheirWay(t *testing.T) {
	want, _ := traced(t, 1)
	if len(want) < 15 {
		t.Fatalf("%d tasks, want some of each cycle", len(want))
	}
	got, hooks := traced(t, 20)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tasks of a tracer from the beginning, and of one from cycle 20 on:\n%s", d)
	}
	if hooks != 0 {
		t.Errorf("%d hooks are left", hooks)
	}
}
