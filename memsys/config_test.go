package memsys

import (
	"errors"
	"slices"
	"testing"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

func TestMissesAreToldOfWhereTheSMWantsThem(t *testing.T) {
	for _, c := range []struct {
		notes bool
		want  []uint32
	}{{false, nil}, {true, []uint32{0, 1}}} {
		m := newMachineOf(t, GTX980(), 1, coreMHz, SMConfig{NoteMisses: c.notes})
		v := m.drivers[0]
		v.add(line(load4, ir.Global, ir.GlobalBase))
		v.add(line(inst(ir.OpTex, 4), ir.Global, ir.GlobalBase))
		m.run(t)
		v.add(line(load4, ir.Global, ir.GlobalBase)) // a hit
		m.run(t)
		if !slices.Equal(v.missed, c.want) {
			t.Errorf("told of misses of accesses %v, want %v", v.missed, c.want)
		}
	}
}

func TestCompletionsSinkWhereTheSMWantsItSo(t *testing.T) {
	for _, sink := range []bool{false, true} {
		s := GTX980()
		s.Access.InFlight = 40
		m := newMachineOf(t, s, 1, coreMHz, SMConfig{SinkReplies: sink})
		for i := range 60 {
			m.drivers[0].add(line(load4, ir.Shared, uint64(i)*128))
		}
		m.drivers[0].deaf = true
		if _, err := m.engine.RunUntil(m.dom, 100_000); err == nil {
			t.Fatal("no error, want that of a machine in which a driver waits for ever")
		}
		if rests := m.sides[0].Shared.Waiting() == ""; rests != sink {
			t.Errorf("sink %v: shared memory at rest: %v (%s)", sink, rests, m.sides[0].Shared.Waiting())
		}
	}
}

func TestPortsHoldWhatIsOnTheirLinksBesidesTheirQueues(t *testing.T) {
	s := GTX980()
	m := newMachine(t, s, 2)
	toSlice := s.NoC.Latency - s.NoC.Lane + s.L2.Latency
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"replies to an SM's port", m.sides[1].Port.FromNet.Capacity(), 2*s.NoC.Lane + 2},
		{"requests of an SM", m.sys.Req[1].Capacity(), 2*s.NoC.Lane + s.NoC.Buffer},
		{"replies of a slice", m.sys.Replies.In[1].Capacity(), s.NoC.Latency - s.NoC.Lane + s.NoC.Buffer},
		{"requests to a slice", m.sys.Slices[1].Tags.In.Capacity(), toSlice + s.L2.Queue},
		{"replies of the DRAM", m.sys.Slices[1].Tags.FromMemory.Capacity(), 2*s.DRAM.Back + 1},
	} {
		if c.got != c.want {
			t.Errorf("room for %d %s, want %d", c.got, c.what, c.want)
		}
	}
}

func TestLinksTakeTheLatenciesOfTheBacking(t *testing.T) {
	s := GTX980()
	if x, y := s.LaneLatency(), s.ReplyLatency(); x != s.NoC.Lane || y != s.NoC.Lane {
		t.Errorf("network: links of %d and %d cycles, want %d", x, y, s.NoC.Lane)
	}
	s = Gebhart()
	s.Fixed.Lane = 7
	if x, y := s.LaneLatency(), s.ReplyLatency(); x != 7 || y != s.Fixed.Latency-7 {
		t.Errorf("fixed memory: links of %d and %d cycles, want 7 and %d", x, y, s.Fixed.Latency-7)
	}
}

func TestFixedMemoryAndItsPortsAreChecked(t *testing.T) {
	for key, change := range map[string]func(*Spec){
		"":               func(s *Spec) { s.DRAM.RCD = 0 }, // not looked at
		"fixed.latency":  func(s *Spec) { s.Fixed.Latency = 0 },
		"noc.flit_bytes": func(s *Spec) { s.NoC.Flit = 0 },
	} {
		s := Gebhart()
		change(&s)
		err := s.Check()
		var e *spec.Error
		if key == "" && err != nil || key != "" && (!errors.As(err, &e) || e.Key != key) {
			t.Errorf("error %v, want one of %q", err, key)
		}
	}
}

func TestAnSMWhoseBlocksCannotBeBuiltIsRefused(t *testing.T) {
	s := GTX980()
	s.L1.Write = "around"
	if _, err := NewSMSide(wire.NewDomain("Core", 1e9), &s, SMConfig{Name: "SM", Warps: 64}, nil); err == nil {
		t.Error("accepted, want a refusal of l1.write")
	}
}
