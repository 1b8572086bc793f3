package noc

import (
	"testing"

	"kumiko/components/wire"
)

func TestPacketsThatWaitForAnOutputAreCountedAndNamed(t *testing.T) {
	b := newBench(t, 40, 3, 2, 4)
	if got := b.x.Waiting(); got != "" {
		t.Errorf("idle, it says %q", got)
	}
	for i := range 3 {
		b.src[i].Send(1, data(1, 4, 0)) // four flits each, seen in cycle 2
	}
	b.d.RunUntil(3) // one passes, two wait
	if got, want := b.x.Waiting(), "3 packets wait, the first for X.Out[1]"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	b.d.RunUntil(50)
	if got := b.x.Waiting(); got != "" {
		t.Errorf("idle again, it says %q", got)
	}
	s := b.reg.Snapshot()
	if s["mem.noc.reply.packets"] != 3 || s["mem.noc.reply.flits"] != 12 {
		t.Errorf("%d packets of %d flits, want 3 of 12", s["mem.noc.reply.packets"], s["mem.noc.reply.flits"])
	}
	if got := s["mem.noc.reply.waiting"]; got != 4+8 { // the second for four cycles, the third for eight
		t.Errorf("%d cycles of waiting, want 12", got)
	}
}

func TestThePortsOfACrossbarAreBounded(t *testing.T) {
	spec := Spec{Flit: 32, Latency: 2, Lane: 1, Buffer: 4}
	for _, c := range []struct {
		inputs, outputs int
		ok              bool
	}{{1, 1, true}, {maxPorts, maxPorts, true}, {0, 1, false}, {1, 0, false}, {maxPorts + 1, 1, false},
		{1, maxPorts + 1, false}} {
		in := make([]int, c.inputs)
		for i := range in {
			in[i] = 1
		}
		_, err := New("X", wire.NewDomain("D", 1e9), spec, Net{Direction: "reply", Inputs: in, Outputs: c.outputs}, nil)
		if (err == nil) != c.ok {
			t.Errorf("%d inputs and %d outputs: %v", c.inputs, c.outputs, err)
		}
	}
}
