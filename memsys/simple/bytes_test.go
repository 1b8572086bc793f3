package simple

import (
	"fmt"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// Cause 0 reads one sector of 32 bytes, cause 1 two, and so on, so that no two causes have the same bytes.
func TestBytesAreCountedByTheirCause(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	var reg stats.Registry
	m, err := New("M", d, Spec{Latency: 20, Bandwidth: 32, Lane: 1, Buffer: 4}, &reg)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &m.In)
	wiretest.NewSink("Sink", d, &m.Out, 4)
	for c := range req.NumCauses {
		for range int(c) + 1 {
			src.Send(1, req.Packet{Sectors: 1, Cause: req.Cause(c)})
		}
	}
	d.RunUntil(1000)
	got := reg.Snapshot()
	for c := range req.NumCauses {
		name := fmt.Sprint("mem.fixed.bytes.", req.Cause(c))
		if want := 32 * uint64(c+1); got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}
