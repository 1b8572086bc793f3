package l2

import (
	"slices"
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// dataBench is a data array alone.
type dataBench struct {
	d    *wire.Domain
	data *Data
	src  *wiretest.Source[Access]
	out  *wiretest.Sink[req.Packet]
}

func newDataBench(s Spec) *dataBench {
	b := &dataBench{d: wire.NewDomain("D", 1e9)}
	b.data = newData("Data", b.d, &s)
	b.src, b.out = wiretest.NewSource("Src", b.d, &b.data.In), wiretest.NewSink("Out", b.d, &b.data.Out, 8)
	return b
}

// send sends an access to some sectors in a cycle, to be answered with a tag.
func (b *dataBench) send(at wire.Cycle, tag uint32, sectors uint8, port bool) {
	p := read(0, sectors)
	p.Tag = tag
	b.src.Send(at, Access{Reply: p.Answer(), Port: port})
}

// wantAnswers compares the tags of the replies, and the cycles in which the sink has them.
func (b *dataBench) wantAnswers(t *testing.T, tags []uint32, cycles []wire.Cycle) {
	t.Helper()
	var got []uint32
	for _, g := range b.out.Got {
		got = append(got, g.Msg.Tag)
	}
	if !slices.Equal(got, tags) {
		t.Errorf("packets %v are answered, want %v", got, tags)
	}
	if at := b.out.Cycles(); !slices.Equal(at, cycles) {
		t.Errorf("answers in cycles %v, want %v", at, cycles)
	}
}

// A line takes 4 cycles of a port of 32 bytes. What comes from the DRAM channel does not pass the port.
func TestAHitWaitsForTheDataPortAndWhatHasWaitedDoesNot(t *testing.T) {
	s := small()
	s.Port = 32
	b := newDataBench(s)
	b.send(1, 1, 0xf, true)
	b.send(2, 2, 0xf, false)
	b.send(3, 3, 1, true)
	b.d.RunUntil(20)
	b.wantAnswers(t, []uint32{1, 2, 3}, []wire.Cycle{3, 4, 7}) // in the array one cycle before
}

func TestAnInterconnectThatTakesNothingHoldsTheReplies(t *testing.T) {
	b := newDataBench(small())
	b.out.Refuse = func(now wire.Cycle) bool { return now < 30 }
	tags, cycles := []uint32{}, []wire.Cycle{}
	for i := range uint32(8 + 4) { // what the sink has room for, and more
		b.send(wire.Cycle(1+i), i, 1, true)
		tags = append(tags, i)
		cycles = append(cycles, 30)
		if i >= 8 {
			cycles[i] = 32 + wire.Cycle(i-8) // room is seen at 31
		}
	}
	b.d.RunUntil(29)
	if b.data.Waiting() == "" {
		t.Error("replies that cannot leave do not wait")
	}
	b.d.RunUntil(50)
	b.wantAnswers(t, tags, cycles)
}
