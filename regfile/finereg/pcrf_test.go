package finereg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

type bench struct {
	d   *wire.Domain
	p   *PCRF
	in  *wiretest.Source[Access]
	out *wiretest.Sink[Taken]
	reg stats.Registry
}

// newBench returns a PCRF of eight entries with an access time of 4 cycles.
func newBench(chain int) *bench {
	b := &bench{d: wire.NewDomain("Core", 1e9)}
	b.p = newPCRF("PCRF", b.d, pcrfSpec{entries: 8, chain: chain, walks: true, check: true}, &b.reg)
	b.in = wiretest.NewSource("In", b.d, &b.p.In)
	b.out = wiretest.NewLooseSink[Taken]("Out", b.d, 8)
	wire.Connect(&b.p.Out, &b.out.In, 4)
	return b
}

// fill puts a chain 6 -> 1 -> 3 into entries, a register of version 10 + its number each.
func (b *bench) fill() {
	for i, e := range []uint16{3, 1, 6} {
		b.in.Send(wire.Cycle(1+i), Access{Kind: Put, Entry: e, Tag: Tag{End: i == 0, Next: []uint16{0, 3, 1}[i],
			Reg: uint8(i)}, Content: version.Content{Seq: uint32(10 + i), Lanes: 0xff}})
	}
}

// A walk sent at 20 is seen at 21, when the first entry is read.
func TestAChainComesAfterTheLatencyOneRegisterPerCycle(t *testing.T) {
	for chain, want := range map[int][]wire.Cycle{1: {25, 26, 27}, 4: {25, 29, 33}} {
		b := newBench(chain)
		b.fill()
		b.in.Send(20, Access{Kind: Walk, Entry: 6, Count: 3})
		b.d.RunUntil(60)
		if d := cmp.Diff(want, b.out.Cycles()); d != "" {
			t.Fatalf("chain %d (-want +got):\n%s", chain, d)
		}
		for i, g := range b.out.Got {
			if m := g.Msg; m.Entry != []uint16{6, 1, 3}[i] || m.Tag.Reg != uint8(2-i) ||
				m.Content.Seq != uint32(12-i) || m.Tag.End != (i == 2) {
				t.Errorf("entry %d of the chain is %+v", i, m)
			}
		}
		for e := range b.p.tags {
			if b.p.tags[e].Valid {
				t.Errorf("entry %d is still valid", e)
			}
		}
	}
}

func TestWhatIsWrittenGoesBeforeTheNextStepOfAWalk(t *testing.T) {
	b := newBench(1)
	b.fill()
	b.in.Send(20, Access{Kind: Walk, Entry: 6, Count: 3})
	b.in.Send(21, Access{Kind: Put, Entry: 7})
	b.in.Send(22, Access{Kind: Put, Entry: 5})
	b.d.RunUntil(60)
	if d := cmp.Diff([]wire.Cycle{25, 28, 29}, b.out.Cycles()); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
}

func TestALateResultWritesItsLanesAlone(t *testing.T) {
	b := newBench(1)
	b.fill()
	b.in.Send(10, Access{Kind: Patch, Entry: 6, Content: version.Content{Seq: 99, Lanes: 0x0f}})
	b.in.Send(20, Access{Kind: Walk, Entry: 6, Count: 1})
	b.d.RunUntil(60)
	if c := b.out.Got[0].Msg.Content; c.Lane(0) != 99 || c.Lane(7) != 12 {
		t.Errorf("lane 0 has version %d, lane 7 version %d; want 99 and 12", c.Lane(0), c.Lane(7))
	}
	if s := b.reg.Snapshot(); s["regfile.finereg.pcrf_reads"] != 1 || s["regfile.finereg.pcrf_writes"] != 3 ||
		s["regfile.finereg.pcrf_patches"] != 1 {
		t.Errorf("%v", s)
	}
}

// R0 of warp 0 is the third of its chain. The search for it is seen at 21, and reads a tag in each of three cycles,
// or every four. The walk behind it begins in the cycle after the last, and its first register arrives 4 cycles
// later.
func TestALateResultIsFoundAlongItsChain(t *testing.T) {
	for chain, last := range map[int]wire.Cycle{1: 23, 4: 29} {
		b := newBench(chain)
		b.fill()
		b.in.Send(20, Access{Kind: Find, Entry: 6, Tag: Tag{Reg: 0}, Content: version.Content{Seq: 99, Lanes: 0x0f}})
		b.in.Send(21, Access{Kind: Walk, Entry: 6, Count: 3})
		b.d.RunUntil(80)
		if len(b.out.Got) != 3 || b.out.Got[0].Cycle != last+1+4 {
			t.Fatalf("chain %d: %v, want three registers, the first at %d", chain, b.out.Cycles(), last+5)
		}
		if c := b.out.Got[2].Msg.Content; c.Lane(0) != 99 || c.Lane(7) != 10 || b.out.Got[0].Msg.Content.Lane(0) != 12 {
			t.Errorf("chain %d: R0 has versions %d and %d in lanes 0 and 7; want 99 and 10, and R2 as it was", chain,
				c.Lane(0), c.Lane(7))
		}
		if s := b.reg.Snapshot(); s["regfile.finereg.pcrf_walked"] != 3 || s["regfile.finereg.pcrf_patches"] != 1 {
			t.Errorf("chain %d: %d entries looked at, %d patched; want 3 and 1", chain,
				s["regfile.finereg.pcrf_walked"], s["regfile.finereg.pcrf_patches"])
		}
	}
}
