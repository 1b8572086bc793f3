package simple

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

func TestAMemorySaysThatAReplyWaits(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	m, err := New("M", d, Spec{Latency: 400, Bandwidth: 32, Lane: 3, Buffer: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.In.Capacity(); n != 2*3+4 { // a request and the word of its room are on the link
		t.Errorf("room for %d requests, want 10", n)
	}
	if got := m.Waiting(); got != "" {
		t.Errorf("idle, it says %q", got)
	}
	src := wiretest.NewSource("Src", d, &m.In)
	wiretest.NewSink("Sink", d, &m.Out, 1).Refuse = func(wire.Cycle) bool { return true }
	for range 3 {
		src.Send(1, req.Packet{Sectors: 1})
	}
	d.RunUntil(50)
	if got, want := m.Waiting(), "a reply waits for M.Out"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
