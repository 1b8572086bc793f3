package finereg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// pipeline is the surroundings of the ACRF of a machine.
type pipeline struct {
	m      *machine
	issue  *wiretest.Source[op.Op]
	result *wiretest.Source[op.Result]
	tag    uint32
}

func (m *machine) pipeline() *pipeline {
	p := m.f.DataPorts()
	wiretest.NewSink("Unit", m.d, p.Ready[0], 2)
	wiretest.NewSink("Scoreboard", m.d, p.Done[0], 8)
	return &pipeline{m: m, issue: wiretest.NewSource("Scheduler", m.d, p.Issue[0]),
		result: wiretest.NewSource("Pipeline", m.d, p.Result[0])}
}

// start issues an instruction of a warp writing a register.
func (p *pipeline) start(warp uint16, reg ir.RegID) op.Op {
	in := &ir.Inst{}
	in.T.NDst, in.T.Dst[0] = 1, reg
	p.tag++
	o := op.Op{Inst: in, Tag: p.tag, Exec: version.FullMask, Warp: warp}
	p.issue.Send(p.m.d.Now()+1, o)
	p.m.d.RunUntil(p.m.d.Now() + 20)
	return o
}

func (m *machine) stat(name string) uint64 { return m.reg.Snapshot()["regfile.finereg."+name] }

// Registers 0 and 1 are live, 5 is not. By a walk, register 0 is the second of its chain, and register 5 is sought
// to the end of it.
func TestALateResultGoesToThePCRFIfItsRegisterIsLive(t *testing.T) {
	for returns, walked := range map[string]uint64{ReturnTable: 0, ReturnWalk: 4} {
		s := Default()
		s.Returns = returns
		m := newSwapsOf(t, s, 31)
		p := m.pipeline()
		m.start(0)
		live, dead := p.start(0, 0), p.start(0, 5)
		m.awaits.Add(0)
		m.awaits.Add(5)
		m.swap(t, 0, 2, regfile.NoCTA)
		at := m.d.Now() + 1
		p.result.Send(at, live.Result())
		p.result.Send(at+20, dead.Result())
		m.d.RunUntil(at + 60)
		if m.stat("late_results") != 1 || m.stat("dropped_results") != 1 || m.stat("pcrf_patches") != 1 ||
			m.stat("pcrf_walked") != walked {
			t.Errorf("%s: %d results to the PCRF, %d dropped, %d entries changed, %d looked at; want 1, 1, 1, %d",
				returns, m.stat("late_results"), m.stat("dropped_results"), m.stat("pcrf_patches"),
				m.stat("pcrf_walked"), walked)
		}
	}
}

// Results arrive while the CTA is on its way back: for register 0, which waits for its register and is written in
// the ACRF, and for register 5, which was not live.
func TestAResultThatMeetsItsRegisterOnTheWayBackWaitsForIt(t *testing.T) {
	m := newSwaps(t, 31)
	p := m.pipeline()
	m.start(0)
	live, dead := p.start(0, 0), p.start(0, 5)
	m.awaits.Add(0)
	m.swap(t, 0, 2, regfile.NoCTA)
	at := m.d.Now() + 10
	m.orders.Send(at-1, regfile.Move{Out: regfile.NoCTA, In: 0})
	p.result.Send(at+3, live.Result())
	p.result.Send(at+4, dead.Result())
	m.d.RunUntil(at + 200)
	if len(m.answer.Got) != 2 {
		t.Fatalf("%d answers, want 2; %v", len(m.answer.Got), m.d.Waiting())
	}
	if m.stat("late_results") != 0 || m.stat("dropped_results") != 1 || m.stat("registers_in") != 2 {
		t.Errorf("%d results to the PCRF, %d dropped, %d registers in; want 0, 1, 2", m.stat("late_results"),
			m.stat("dropped_results"), m.stat("registers_in"))
	}
}

// The table has two entries. A CTA with three awaited live registers keeps its slots, whatever the space in the
// PCRF. A CTA with two of them leaves, and the next one has to wait until it is back.
func TestACTAThatAwaitsMoreResultsThanTheTableHoldsStays(t *testing.T) {
	s := Default()
	s.Awaited = 2
	m := newSwapsOf(t, s, 31)
	m.start(0, 1)
	for r := range 3 {
		m.awaits.Add(r + 1)
	}
	if _, refused := m.swap(t, 0, 4, regfile.NoCTA); !refused || m.stat("unnoted") != 1 ||
		m.stat("registers_out") != 0 {
		t.Errorf("three awaited: refused %v, counted %d, %d registers out; want 1 and none", refused, m.stat("unnoted"),
			m.stat("registers_out"))
	}
	if _, refused := m.swap(t, 0, 3, regfile.NoCTA); refused { // R1 and R2 of R0 to R2
		t.Error("two awaited: refused")
	}
	if _, refused := m.swap(t, 1, 3, regfile.NoCTA); !refused || m.stat("unnoted") != 2 {
		t.Errorf("the table is full: refused %v, counted %d; want 2", refused, m.stat("unnoted"))
	}
	m.swap(t, regfile.NoCTA, 0, 0)
	if _, refused := m.swap(t, 1, 3, regfile.NoCTA); refused {
		t.Error("CTA 0 is back: refused")
	}
}

// Two entries are occupied from the notice seen at one cycle to that seen 100 later.
func TestOccupiedEntriesAreCountedByCycles(t *testing.T) {
	m := newSwaps(t, 31)
	m.start(0)
	m.swap(t, 0, 2, regfile.NoCTA)
	m.start(1)
	before, at := m.stat("pcrf_occupied"), m.f.rmu.since
	m.ctas.Send(at+99, regfile.CTANotice{CTA: 2, Contexts: []uint16{2}})
	m.d.RunUntil(at + 200)
	if n := m.stat("pcrf_occupied") - before; n != 2*100 {
		t.Errorf("%d cycles of entries, want 200", n)
	}
}

// Three live registers fit in four entries, five do not.
func TestOnlyQuestionsAndRefusalsAreCountedAsAsked(t *testing.T) {
	m := newSwaps(t, 4)
	m.start(0)
	at := m.d.Now() + 10
	for i, live := range []int32{3, 5} {
		m.orders.Send(at+20*wire.Cycle(i), regfile.Move{Out: 0, In: regfile.NoCTA, Ask: true, Contexts: []uint16{0},
			PCs: []int32{live}})
	}
	m.d.RunUntil(at + 100)
	if len(m.answer.Got) != 2 || m.answer.Got[0].Msg.Refused || !m.answer.Got[1].Msg.Refused {
		t.Fatalf("answers %+v, want one that is not refused, and one that is", m.answer.Got)
	}
	m.swap(t, 0, 4, regfile.NoCTA) // it is moved
	if m.stat("asked") != 2 || m.stat("live_asked") != 3+5 || m.stat("refused") != 1 {
		t.Errorf("%d asked with %d registers, %d refused; want 2 with 8, 1", m.stat("asked"), m.stat("live_asked"),
			m.stat("refused"))
	}
}

// The order is seen at 0, and its live vector is not there. Five cycles after it has been found
// the registers are read: at 8 the first of three is on its way.
func TestTheRMUSaysWhatItWaitsFor(t *testing.T) {
	m := newSwaps(t, 31)
	m.start(0)
	x := m.f.rmu
	if w := x.Waiting(); w != "" {
		t.Errorf("an idle RMU says %q", w)
	}
	at := m.d.Now() + 10
	m.orders.Send(at-1, regfile.Move{Out: 0, In: regfile.NoCTA, Contexts: []uint16{0}, PCs: []int32{3},
		Awaited: make([]intervals.Set, 1)})
	m.d.RunUntil(at)
	if w, want := x.Waiting(), "a live vector comes from memory; 1 are there"; w != want {
		t.Errorf("at first it says %q, want %q", w, want)
	}
	m.d.RunUntil(at + 8)
	const want = "2 registers are still to go, 0 to come; 31 entries are free, 0 results wait for registers"
	if w := x.Waiting(); w != want {
		t.Errorf("then it says %q, want %q", w, want)
	}
}

// A context is 0 in both directions: it takes the place of the other one in a full PCRF, and gives it up. The times
// are those of TestTimesOfSwaps.
func TestContextZeroIsExchangedLikeOthers(t *testing.T) {
	m := newSwaps(t, 5)
	m.start(0)
	m.swap(t, 0, 5, regfile.NoCTA)
	m.start(1)
	for i, x := range []struct{ out, in int }{{1, 0}, {0, 1}} {
		if got, refused := m.swap(t, x.out, 5, x.in); got != 14+4*5 || refused {
			t.Errorf("exchange %d: %d cycles, refused %v; want 34", i, got, refused)
		}
	}
}

// The vector at program counter n is 8 bytes at 8 n, or 12 at 16 n, in a sector of 32. The request is sent to an
// immediately answering memory at 0 and the answer is seen at 3, so the order takes three cycles more than with the
// vector in the cache.
func TestALiveVectorThatIsNotInTheCacheComesFromItsSector(t *testing.T) {
	for _, c := range []struct {
		bytes, pc    int
		line         uint64
		sectors      uint8
		hits, misses uint64
	}{{8, 5, 0, 1 << 1, 0, 1}, {8, 20, 128, 1 << 1, 0, 1}, {12, 5, 0, 1 << 2, 0, 1}, {12, 20, 256, 1 << 2, 0, 1}} {
		s := Default()
		s.Vector = c.bytes
		m := newSwapsOf(t, s, 31)
		clear(m.f.rmu.vectors.lines)
		ask, answer := m.f.Memory()
		reply := wiretest.NewSource("Reply", m.d, answer)
		mem := wiretest.NewSink("Memory", m.d, ask, 4)
		mem.Receive = func(now wire.Cycle, p req.Packet) { reply.Send(now+1, p.Answer()) }
		m.start(0)
		got, _ := m.swap(t, 0, c.pc, regfile.NoCTA)
		if want := wire.Cycle(12 + c.pc + 3); got != want {
			t.Errorf("%+v: %d cycles, want %d", c, got, want)
		}
		if len(mem.Got) != 1 {
			t.Fatalf("%+v: %d requests, want 1", c, len(mem.Got))
		}
		want := req.Packet{Addr: 1<<43 + c.line, Kind: req.Read, Cause: req.LiveVector, Sectors: c.sectors}
		if d := cmp.Diff(want, mem.Got[0].Msg); d != "" {
			t.Errorf("%+v: request (-want +got):\n%s", c, d)
		}
		if m.stat("vector_hits") != c.hits || m.stat("vector_misses") != c.misses ||
			m.stat("vector_bytes") != uint64(c.bytes) {
			t.Errorf("%+v: %d hits, %d misses, %d bytes", c, m.stat("vector_hits"), m.stat("vector_misses"),
				m.stat("vector_bytes"))
		}
		m.start(1)
		m.swap(t, 1, c.pc, 0)
		if m.stat("vector_hits") != 1 || m.stat("vector_misses") != 1 {
			t.Errorf("%+v: the vector is not found in the cache", c)
		}
	}
}
