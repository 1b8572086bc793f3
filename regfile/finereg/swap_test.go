package finereg

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// machine is a file of one scheduler with CTAs of one warp each: CTA i is context i.
type machine struct {
	d      *wire.Domain
	f      *File
	reg    stats.Registry
	ctas   *wiretest.Source[regfile.CTANotice]
	orders *wiretest.Source[regfile.Move]
	answer *wiretest.Sink[regfile.Moved]
	awaits intervals.Set // registers of each warp that goes, of which results are to come
}

// newSwaps is a machine with live vectors in the cache: at program counter n, registers 0 to
// n - 1 are live.
func newSwaps(t *testing.T, entries int) *machine {
	t.Helper()
	return newSwapsOf(t, Default(), entries)
}

func newSwapsOf(t *testing.T, s Spec, entries int) *machine {
	t.Helper()
	m := &machine{d: wire.NewDomain("Core", 1e9)}
	s.PCRF = entries
	var err error
	m.f, err = NewFile(&regfile.Env{Domain: m.d, Stats: &m.reg, Name: "SM[0]", Schedulers: 1, IssueWidth: 1, Warps: 8,
		CTAs: 8, Registers: 64, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	v := &m.f.rmu.vectors
	table := make([]intervals.Set, 32)
	for pc := range table {
		for r := range pc {
			table[pc].Add(r)
		}
	}
	v.begin(table, 64)
	for pc := range table {
		*v.line(int32(pc)) = vectorLine{valid: true, pc: int32(pc)}
	}
	m.ctas = wiretest.NewSource("CTAs", m.d, &m.f.rmu.CTAs)
	m.orders = wiretest.NewSource("Orders", m.d, &m.f.rmu.Orders)
	m.answer = wiretest.NewSink("Answers", m.d, &m.f.rmu.Answers, 4)
	return m
}

// start starts CTAs.
func (m *machine) start(ctas ...uint16) {
	for _, c := range ctas {
		m.ctas.Send(m.d.Now()+1, regfile.CTANotice{CTA: c, Contexts: []uint16{c}})
		m.d.RunUntil(m.d.Now() + 5)
	}
}

// swap orders a move and returns the cycles from the order's arrival to the answer's, at the RMU's ports.
func (m *machine) swap(t *testing.T, out, live, in int) (cycles wire.Cycle, refused bool) {
	t.Helper()
	x := regfile.Move{Out: out, In: in}
	if out != regfile.NoCTA {
		x.Contexts, x.PCs = []uint16{uint16(out)}, []int32{int32(live)}
		x.Awaited = []intervals.Set{m.awaits}
	}
	at := m.d.Now() + 10
	m.orders.Send(at-1, x)
	n := len(m.answer.Got)
	m.d.RunUntil(at + 2000)
	if len(m.answer.Got) != n+1 {
		t.Fatalf("no answer; %v", m.d.Waiting())
	}
	a := m.answer.Got[n]
	return a.Cycle - 1 - at, a.Msg.Refused
}

// An order seen at 0 has its one live vector at 0 and is decided at 1. The contexts are away 5 cycles later, and
// the first register is read at 7. It is at the arbiter at 8, at its bank at 9, at the crossbar at 10, in the
// buffer at 11. L registers are in the PCRF's port at 10 + L; no result can be late two cycles after that.
//
// If M others enter, the walk begins at 8 and reads three entries before the first write. Writes go first from then
// on, so it reads the M-th at 7 + L + M, or, of three at most, at 7 + M. The register is there 4 cycles later.
//
// With a full PCRF, the walk begins at 8, and its first register is there at 12. The register in its place is read
// then, and in the buffer 4 cycles later, when both are written. The next register of the walk is there by then.
func TestTimesOfSwaps(t *testing.T) {
	for _, c := range []struct {
		entries, out, in int
		want             wire.Cycle
	}{
		{31, 1, 0, 12 + 1}, {31, 8, 0, 12 + 8}, {31, 31, 0, 12 + 31},
		{31, 1, 1, 13 + 1}, {31, 10, 3, 12 + 10}, {31, 10, 20, 13 + 30}, {31, 20, 10, 13 + 30},
		{1, 1, 1, 14 + 4}, {10, 10, 10, 14 + 4*10}, {20, 20, 20, 14 + 4*20},
	} {
		m := newSwaps(t, c.entries)
		m.start(0)
		in := regfile.NoCTA
		if c.in > 0 {
			if got, refused := m.swap(t, 0, c.in, regfile.NoCTA); got != wire.Cycle(12+c.in) || refused {
				t.Errorf("%d registers out alone: %d cycles, want %d; refused %v", c.in, got, 12+c.in, refused)
			}
			in = 0
		}
		m.start(1)
		got, refused := m.swap(t, 1, c.out, in)
		if got != c.want || refused || m.f.rmu.chains.free != c.entries-c.out {
			t.Errorf("%d entries, %d registers out and %d in: %d cycles, %d free after it, refused %v; want %d cycles",
				c.entries, c.out, c.in, got, m.f.rmu.chains.free, refused, c.want)
		}
	}
}

// The launch is charged one register more than a warp can have.
func TestAWarpMovesNoMoreRegistersThanItCanHave(t *testing.T) {
	m := newSwaps(t, 8)
	most := m.f.rmu.most
	m.f.Begin(&Plan{Launch: &regfile.Launch{Registers: most + 1}})
	if n := m.f.rmu.vectors.all.Len(); n != most {
		t.Errorf("%d registers are moved, want %d", n, most)
	}
}

// One CTA has 10 of 12 entries of the PCRF. Another one with 12 fits in its place, and not beside it.
func TestAnOrderWithoutRoomIsRefused(t *testing.T) {
	m := newSwaps(t, 12)
	m.start(0)
	m.swap(t, 0, 10, regfile.NoCTA)
	m.start(1)
	if _, refused := m.swap(t, 1, 3, regfile.NoCTA); !refused {
		t.Error("3 registers were taken into 2 entries")
	}
	if _, refused := m.swap(t, 1, 13, 0); !refused {
		t.Error("13 registers were taken into 12 entries")
	}
	if _, refused := m.swap(t, 1, 12, 0); refused {
		t.Error("12 registers were refused, with 12 entries")
	}
	if s := m.reg.Snapshot(); s["regfile.finereg.registers_out"] != 22 || s["regfile.finereg.registers_in"] != 10 ||
		s["regfile.finereg.refused"] != 2 {
		t.Errorf("%d out, %d in, %d refused; want 22, 10, 2", s["regfile.finereg.registers_out"],
			s["regfile.finereg.registers_in"], s["regfile.finereg.refused"])
	}
}

// Where every register is live, the PCRF takes floor(entries / registers) CTAs.
func TestAPCRFHoldsAsManyCTAsAsTheirRegistersFit(t *testing.T) {
	m := newSwaps(t, 30)
	for c := range 7 {
		m.start(uint16(c))
		if _, refused := m.swap(t, c, 9, regfile.NoCTA); refused != (c >= 30/9) {
			t.Errorf("CTA %d of 9 registers: refused %v", c, refused)
		}
	}
}

// A warp after its last instruction has no live registers, and a CTA ending while its registers are away leaves
// none behind.
func TestAWarpThatHasEndedMovesNothing(t *testing.T) {
	m := newSwaps(t, 8)
	m.start(0)
	if _, refused := m.swap(t, 0, regfile.NoPC, regfile.NoCTA); refused || m.f.rmu.chains.free != 8 {
		t.Errorf("%d entries free, refused %v", m.f.rmu.chains.free, refused)
	}
}

// CTA 0 has a warp with 20 live registers, in context 0, and a finished one, in context 1. CTA 2 gets context 1
// while the registers of CTA 0 are in transit. CTA 2 keeps its place, and nothing of it waits for a move.
func TestACTAStartingInAContextOfTheLeavingCTAKeepsItsPlace(t *testing.T) {
	for _, after := range []wire.Cycle{2, 12} { // before places are given to others, and after
		for _, in := range []int{regfile.NoCTA, 5} {
			m := newSwaps(t, 62)
			x := m.f.rmu
			m.start(5)
			m.swap(t, 5, 20, regfile.NoCTA)
			m.ctas.Send(m.d.Now()+1, regfile.CTANotice{CTA: 0, Contexts: []uint16{0, 1}})
			at := m.d.Now() + 20
			m.orders.Send(at-1, regfile.Move{Out: 0, In: in, Contexts: []uint16{1, 0},
				PCs: []int32{regfile.NoPC, 20}, Awaited: make([]intervals.Set, 2)})
			m.ctas.Send(at+after, regfile.CTANotice{CTA: 2, Contexts: []uint16{1}})
			m.d.RunUntil(at + 500)
			if n := len(m.answer.Got); n != 2 || m.answer.Got[1].Msg.Refused {
				t.Fatalf("%d answers, want 2; %v", n, m.d.Waiting())
			}
			if x.At(1) < 0 || x.Owner(1) != 2 || x.IsAway(1) {
				t.Errorf("%d cycles after an order for CTA %d to come: context 1 is at %d of CTA %d, away %v; want a "+
					"place of CTA 2", after, in, x.At(1), x.Owner(1), x.IsAway(1))
			}
			if in != regfile.NoCTA && x.At(5) == x.At(1) {
				t.Errorf("contexts 1 and 5 are both at %d", x.At(1))
			}
		}
	}
}
