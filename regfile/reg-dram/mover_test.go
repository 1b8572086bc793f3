package regdram

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/storage"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/internal/moving"
)

// cycles returns the arrival cycles of packets, counted from a cycle.
func cycles(from wire.Cycle, list []wiretest.At[req.Packet]) (out []wire.Cycle) {
	for _, p := range list {
		out = append(out, p.Cycle-from)
	}
	return out
}

// The mover sees the order in cycle 0. The banks are still after Settle cycles, so it requests the first register in
// the next cycle. The request is at the arbiter 1 cycle later and at its bank 2 later; the register is at the crossbar
// 3, at the mover 4, and at the memory 5 cycles later. The mover sends the last register in the cycle before that one
// is at the memory. A cycle later it finds no registers to fetch, it gives late results two cycles more, and the answer
// arrives a cycle after it is put.
func TestRegistersGoOnePerCycleOnceTheBanksAreStill(t *testing.T) {
	m := newMachine(t, Default())
	at := m.order(0, regfile.NoCTA)
	m.Domain.RunUntil(at + 200)
	const first = moving.Settle + 1 + 5
	if d := cmp.Diff([]wire.Cycle{first, first + 1, first + 2}, cycles(at, m.ask.Got)); d != "" {
		t.Errorf("registers are at the memory in cycles (-want +got):\n%s", d)
	}
	if len(m.answer.Got) != 1 || m.answer.Got[0].Cycle-at != first+2-1+1+2+1 {
		t.Errorf("answers %+v to an order at %d, want one %d cycles later", m.answer.Got, at, first+2-1+1+2+1)
	}
}

// The mover sends the last of three leaving registers in cycle last. From the next cycle on it requests the entering
// registers, and each request is at the memory a cycle later, the third one at last + 4. The memory's answer to it is
// visible to the mover 2 cycles later. The mover then writes the register, late results get two cycles more, and the
// answer to the order arrives a cycle after it is put.
func TestRegistersComeOnceTheOthersHaveGone(t *testing.T) {
	m := newMachine(t, Default())
	m.move(0, regfile.NoCTA)
	n := len(m.ask.Got)
	at := m.order(1, 0)
	m.Domain.RunUntil(at + 200)
	const first, last = moving.Settle + 1 + 5, moving.Settle + 1 + 5 + 2 - 1
	if d := cmp.Diff([]wire.Cycle{first, first + 1, first + 2, last + 2, last + 3, last + 4},
		cycles(at, m.since(n))); d != "" {
		t.Errorf("packets are at the memory in cycles (-want +got):\n%s", d)
	}
	if len(m.answer.Got) != 2 || m.answer.Got[1].Cycle-at != last+4+2+2+1 {
		t.Errorf("answers %+v to an order at %d, want a second %d cycles later", m.answer.Got, at, last+4+2+2+1)
	}
}

// Registers 0 to 2 of context 1 follow the four possible registers of context 0.
func TestARegisterHasALineOfItsOwnByContextAndNumber(t *testing.T) {
	for l2, flags := range map[string]req.Flags{Around: req.NoAllocate, Through: 0} {
		s := Default()
		s.L2 = l2
		m := newMachine(t, s)
		m.move(1, regfile.NoCTA)
		m.move(regfile.NoCTA, 1)
		var want, got []req.Packet
		for _, kind := range []req.Kind{req.Write, req.Read} {
			for r := range uint32(registers) {
				p := req.Packet{Addr: 1<<43 + (most+uint64(r))*128, Tag: most + r, Kind: kind, Cause: req.Context,
					Flags: flags, Sectors: req.AllSectors}
				if kind == req.Write {
					p.Flags, p.Full, p.Bytes = flags|req.Posted, req.AllSectors, 128
				}
				want = append(want, p)
			}
		}
		for _, p := range m.ask.Got {
			got = append(got, p.Msg)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: packets (-want +got):\n%s", l2, d)
		}
	}
}

// R1 is written in the file, R2 by a result arriving while the registers are in memory. Both are read after they
// are back.
func TestRegistersComeBackWithTheirValuesAndLateResults(t *testing.T) {
	m := newMachine(t, Default())
	m.finish(m.send(0, version.FullMask, []ir.RegID{1}))
	m.finish(m.send(0, version.FullMask, []ir.RegID{2}))
	late := m.send(0, 0xff, []ir.RegID{2})
	m.move(0, regfile.NoCTA)
	n := len(m.ask.Got)
	m.finish(late)
	if got := m.since(n); len(got) != 1 || got[0].Msg.Tag != 2 || got[0].Msg.Sectors != 1 || got[0].Msg.Bytes != 32 {
		t.Errorf("packets for the late result: %+v, want one of a sector of register 2", got)
	}
	m.move(regfile.NoCTA, 0)
	m.send(0, version.FullMask, nil, 1, 2)
	if len(m.Units[0].Got) != 4 {
		t.Fatalf("%d operations are at their unit, want 4", len(m.Units[0].Got))
	}
	for _, v := range m.Checker.Violations() {
		t.Error(v)
	}
	for name, want := range map[string]uint64{"registers_out": 3, "registers_in": 3, "late_results": 1,
		"late_bytes": 32} {
		if m.Stat("reg-dram."+name) != want {
			t.Errorf("%s: %d counted, want %d", name, m.Stat("reg-dram."+name), want)
		}
	}
}

// Two packets are at a memory accepting none, and the third register waits at the mover.
// The launch is charged one register more than a warp can have. Its line would be that of the next context's first one.
func TestAWarpMovesNoMoreRegistersThanItCanHave(t *testing.T) {
	m := newMachine(t, Default())
	m.f.Begin(&regfile.Launch{Registers: most + 1})
	m.move(0, regfile.NoCTA)
	if n := len(m.ask.Got); n != most {
		t.Errorf("%d registers were moved, want %d", n, most)
	}
}

func TestTheMoverSaysWhatItMoves(t *testing.T) {
	m := newMachine(t, Default())
	if w := m.f.mover.Waiting(); w != "" {
		t.Errorf("an idle mover says %q", w)
	}
	m.ask.Refuse = func(wire.Cycle) bool { return true }
	m.Domain.RunUntil(m.order(0, regfile.NoCTA) + 100)
	const want = "3 registers of 1 warps go to memory, those of 0 come; 1 are on their way, 0 results wait for them"
	if w := m.f.mover.Waiting(); w != want {
		t.Errorf("it says %q, want %q", w, want)
	}
}

func TestTheStateIsTheRegistersOnTheirWay(t *testing.T) {
	m := newMachine(t, Default())
	list := m.f.State()
	if d := cmp.Diff(regfile.State{Block: "Mover", What: "registers on their way", Count: 1, Bits: 8 * 1024,
		Kind: storage.FlipFlop, Width: 1024, Apart: true}, list[len(list)-1]); d != "" {
		t.Errorf("storage (-want +got):\n%s", d)
	}
}
