package turing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// The first instruction names register 2 twice and keeps it. The second finds it, and has a window from 13 on. The
// third needs three registers of bank 0: the first has its port in 12 and 13, the second in 14 and 15.
func TestReadingIsCounted(t *testing.T) {
	r := newRig(t, nil)
	r.send(10, 0, 0, fma(40, 1, 2, 2, 4))
	r.send(11, 0, 0, fma(41, 0, 2, 8, 10))
	r.send(12, 0, 0, fma(42, 0, 4, 6, 12))
	r.run()
	want(t, "arrive", []wire.Cycle{15, 16, 19}, r.Units[0].Cycles())
	for name, n := range map[string]uint64{"allocate.operations": 3, "allocate.merged_reads": 1,
		"allocate.reuse_hits": 1, "allocate.conflicts": 2, "allocate.operand_latency": 3 * 3,
		"bank.reads.operand": 2 + 2 + 3} {
		if got := r.Stat(name); got != n {
			t.Errorf("%s: %d, want %d", name, got, n)
		}
	}
	for _, d := range r.Stats.Distributions() {
		if d.Name == "regfile.allocate.operand_latency" {
			var one stats.Histogram
			for range 3 {
				one.Add(3)
			}
			var reg stats.Registry
			reg.Histogram("x", "", "", &one)
			if want := reg.Distributions()[0].Counts(); d.Counts() != want {
				t.Errorf("latencies %v, want %v", d.Counts(), want)
			}
		}
	}
}

// The third instruction needs bank 1, of which the first has the port up to 14. The second needs bank 0.
func TestAnObserverIsToldWhenOperationsReadAndWhoHoldsThem(t *testing.T) {
	r := newRig(t, nil)
	var got []regfile.Reading
	r.f.subs[0].Observe(func(x regfile.Reading) { got = append(got, x) })
	r.send(10, 0, 0, fma(40, 0, 1, 3, 5))
	r.send(11, 0, 0, fma(41, 0, 2))
	r.send(12, 0, 0, fma(42, 0, 7, 9, 11))
	r.run()
	want := []regfile.Reading{
		{Now: 12, Tag: 1, Event: regfile.ReadBegins}, {Now: 13, Tag: 2, Event: regfile.ReadBegins},
		{Now: 13, Tag: 3, Event: regfile.ReadHeld, Bank: 1, By: 1}, {Now: 14, Tag: 1, Event: regfile.ReadEnds},
		{Now: 15, Tag: 3, Event: regfile.ReadBegins}, {Now: 15, Tag: 2, Event: regfile.ReadEnds},
		{Now: 17, Tag: 3, Event: regfile.ReadEnds},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Unit 2 has four instructions in its port, one in a latch and two in its queue. One more is in Control, and two wait
// for Control.
func TestASubCoreTellsHowManyOperationsItHolds(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Waiting, s.Latches = 2, 1 })
	r.Units[2].Refuse = func(now wire.Cycle) bool { return now < 100 }
	for i := range wire.Cycle(10) {
		r.send(10+i, 0, 2, fma(-1, 0, 1))
	}
	r.Domain.RunUntil(90)
	if got := r.f.subs[0].Waiting(); !strings.HasPrefix(got, "6 operations before their units, 0 results") {
		t.Errorf("%q, want 6 operations", got)
	}
	r.run()
	r = newRig(t, nil)
	r.send(10, 0, 0, fma(40, 0, 2, 4, 6))
	r.send(11, 0, 0, fma(41, 0, 2, 4, 6))
	r.Domain.RunUntil(12) // the first reads, the second is in Allocate
	if got := r.f.subs[0].Waiting(); !strings.HasPrefix(got, "2 operations") {
		t.Errorf("%q, want 2 operations", got)
	}
}

// Control words count on the times from issue to Done, and on the ports.
func TestControlWordsCountOnTheTimesOfReading(t *testing.T) {
	for _, c := range []struct {
		tune func(*Spec)
		want control.Reads
	}{
		{func(*Spec) {}, control.Reads{Variable: 1, Guarded: 3 + 4 - 2, Window: 3, Ports: 1, Banks: 2}},
		{func(s *Spec) { s.Forward, s.Window = 0, 2 },
			control.Reads{Fixed: 1, Variable: 1, Guarded: 2 + 4, Window: 2, Ports: 1, Banks: 2}},
		{func(s *Spec) { s.Ports = 0 }, control.Reads{Variable: 1, Guarded: 3 + 4 - 2}},
	} {
		s := Default()
		c.tune(&s)
		if d := cmp.Diff(c.want, s.reads()); d != "" {
			t.Errorf("%+v (-want +got):\n%s", s, d)
		}
	}
}

// Each instruction has the port of bank 0 for three cycles. Those of unit 1 come first.
func TestTheQueuesOfUnitsTakeTurns(t *testing.T) {
	r := newRig(t, nil)
	load := fma(-1, 0, 2, 4, 6)
	load.T.Class = ir.ClassLoad
	for i, unit := range []uint8{1, 1, 1, 2, 2, 2} {
		r.send(10+wire.Cycle(i), 0, unit, load)
	}
	r.run()
	want(t, "unit 1", []wire.Cycle{15, 21, 27}, r.Units[1].Cycles())
	want(t, "unit 2", []wire.Cycle{18, 24, 30}, r.Units[2].Cycles())
}

func TestOperationsWaitForRoomForTheirNotices(t *testing.T) {
	r := newRig(t, nil)
	r.Reading[0].Refuse = func(now wire.Cycle) bool { return now < 300 }
	for i := range wire.Cycle(90) {
		r.send(10+i, 0, 0, fma(-1, 0, 1))
	}
	r.Domain.RunUntil(299)
	held := len(r.Units[0].Got)
	r.Domain.RunUntil(900)
	if held >= 90 || len(r.Units[0].Got) != 90 || len(r.Reading[0].Got) != 90 {
		t.Errorf(
			"%d operations came out while no notice was taken, %d in all, %d notices; want fewer, 90 and 90",
			held,
			len(r.Units[0].Got),
			len(r.Reading[0].Got),
		)
	}
}

// Register 5 is read in the window up to 14, and kept. The next instruction finds it in the cache before its value is
// known. The value that another instruction writes is there from 16 on.
func TestAHitOnARegisterStillBeingReadHasTheValueReadThen(t *testing.T) {
	for flags, wrong := range map[uint8]int{0: 0, 1: 32} {
		r := newRig(t, nil)
		r.send(10, 0, 0, fma(-1, flags, 5))
		in := fma(5, 0)
		r.write(0, 14, r.send(11, 0, 1, in), 0, in)
		r.send(12, 0, 0, fma(-1, 0, 5))
		r.run()
		if n := len(r.Checker.Violations()); n != wrong {
			t.Errorf("flags %b: %d violations, want %d", flags, n, wrong)
		}
	}
}

// A product of two words, sent at 10, begins to execute at 15 and is there at 19. A reader begins five cycles after it
// is sent too.
func TestTheWordsOfAWideProductComeAndAreReadOneAfterTheOther(t *testing.T) {
	for _, c := range []struct {
		what   string
		halves int
		reg    ir.RegID // read by the second instruction: 6 and 7 are the product
		wide   bool     // the second instruction multiplies too, and the register is the upper word of its addend
		after  wire.Cycle
		wrong  int
	}{
		{"the lower word after 4", 0, 6, false, 4, 0},
		{"the lower word after 3", 0, 6, false, 3, 32},
		{"the lower word after 3, two cycles early", 2, 6, false, 3, 0},
		{"the lower word after 2, one cycle early", 1, 6, false, 2, 32},
		{"the upper word after 4", 2, 7, false, 4, 0},
		{"the upper word after 3", 2, 7, false, 3, 32},
		{"the upper word of an addend after 2", 2, 7, true, 2, 0},
		{"the upper word of an addend after 1", 2, 7, true, 1, 32},
		{"the upper word of an addend after 2, read with the lower", 0, 7, true, 2, 32},
	} {
		r := newRig(t, func(s *Spec) { s.Halves = c.halves })
		product := wideProduct(6, 2, 3, 4)
		r.write(0, 17, r.send(10, 0, 0, product), 0, product)
		reader := fma(-1, 0, c.reg)
		if c.wide {
			reader = wideProduct(8, 2, 3, c.reg-1)
			reader.T.Src[2] = 4 // the lower word is another register's
		}
		r.send(10+c.after, 0, 0, reader)
		r.run()
		if n := len(r.Checker.Violations()); n != c.wrong {
			t.Errorf("%s: %d wrong lanes, want %d", c.what, n, c.wrong)
		}
	}
}

// wideProduct multiplies registers a and b, and adds the pair from c on.
func wideProduct(dst, a, b, c ir.RegID) *ir.Inst {
	in := &ir.Inst{Control: ir.Plain(1), Src: []ir.Operand{ir.R(ir.Reg(a), 1), ir.R(ir.Reg(b), 1), ir.R(ir.Reg(c), 2)}}
	in.T.Class = ir.ClassIntMul
	in.T.NSrc = uint8(copy(in.T.Src[:], []ir.RegID{a, b, c, c + 1}))
	in.T.NDst = uint8(copy(in.T.Dst[:], []ir.RegID{dst, dst + 1}))
	ir.SetSlots(in)
	return in
}
