package trace_test

import (
	"fmt"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"

	"kumiko/components/wire"
	"kumiko/components/wire/trace"
	"kumiko/components/wire/wiretest"
)

type rows []tracing.Task

func (r *rows) Write(t tracing.Task) { *r = append(*r, t) }
func (r *rows) Flush()               {}

func TestEveryMessageIsATaskOnItsLinkAndOneInItsQueue(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	sink := &wiretest.Sink[uint32]{Refuse: func(now wire.Cycle) bool { return now < 10 }}
	sink.Init("Sink", d, sink)
	sink.In.Init(&sink.Comp, "In", 4)
	source := wiretest.NewSource("Source", d, &sink.In)
	source.Send(5, 1)
	source.Send(6, 2)
	var r rows
	clock := &trace.Clock{TimeTeller: e}
	tracer := tracing.NewDBTracer(clock, &r)
	trace.Messages(source, tracer, clock)
	trace.Messages(sink, tracer, clock)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range r {
		parent := x.ParentID != ""
		got = append(got, fmt.Sprintf("%s %s %s %.0f-%.0f %t", x.Where, x.Kind, x.What, x.StartTime*1e9, x.EndTime*1e9,
			parent))
	}
	sort.Strings(got)
	// Visible a cycle after the put, popped at 10.
	want := []string{
		"Sink req_in uint32 6-10 true", "Sink req_in uint32 7-10 true",
		"Source req_out uint32 5-6 false", "Source req_out uint32 6-7 false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
