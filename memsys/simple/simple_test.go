package simple

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// run sends packets at once and returns when the answers arrive.
func run(t *testing.T, packets ...req.Packet) []wire.Cycle {
	d := wire.NewDomain("D", 1e9)
	m, err := New("M", d, Spec{Latency: 400, Bandwidth: 32, Lane: 1, Buffer: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &m.In)
	sink := wiretest.NewSink("Sink", d, &m.Out, 4)
	for _, p := range packets {
		src.Send(1, p)
	}
	d.RunUntil(1000)
	var at []wire.Cycle
	for _, g := range sink.Got {
		if !g.Msg.Reply {
			t.Errorf("%+v is no reply", g.Msg)
		}
		at = append(at, g.Cycle)
	}
	return at
}

func TestALineOccupiesTheChannelForItsBytes(t *testing.T) {
	line := req.Packet{Sectors: 0xf}
	// sent 1, here 2, four cycles of 32 bytes: leaves at 5, then every 4 cycles
	got := run(t, line, line, line)
	want := []wire.Cycle{6, 10, 14}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("answers in cycles %v, want %v", got, want)
		}
	}
}

func TestPostedWritesTakeBandwidthAndNoAnswer(t *testing.T) {
	got := run(t, req.Packet{Kind: req.Write, Bytes: 64, Sectors: 3, Flags: req.Posted}, req.Packet{Sectors: 1})
	// two cycles of the write from 2 on, one of the read
	if len(got) != 1 || got[0] != 5 {
		t.Errorf("answers in cycles %v, want 5", got)
	}
}
