package bow

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func TestResidencyIsThatOfTheGPU(t *testing.T) {
	s := Default()
	a, err := s.Admit(&regfile.Launch{ByRegisters: 4, Others: 6, CTARegisters: 100})
	if err != nil || a.Resident != 4 || a.Active != 4 || a.Used != 400 {
		t.Errorf("%+v, error %v; want the 4 CTAs for which there are registers", a, err)
	}
	if _, err := s.Admit(&regfile.Launch{ByRegisters: 0, Others: 4}); err == nil {
		t.Error("a CTA that does not fit is admitted")
	}
}

func TestTheCompilersHintsComeWithHintsAlone(t *testing.T) {
	k := &ir.Kernel{Insts: []ir.Inst{*inst(4), *last(inst(5, 4)), *inst(6), {Op: ir.OpExit}}}
	for writes, want := range map[string][]Hint{Through: nil, Back: nil, Hints: {Window, Banks, Banks}} {
		s := Default()
		s.Writes = writes
		a, err := s.Admit(&regfile.Launch{ByRegisters: 1, Others: 1, Tables: tables.New(k)})
		if err != nil {
			t.Fatal(err)
		}
		p := a.Plan.(*Plan)
		if (p.Hints == nil) != (want == nil) {
			t.Errorf("%s: hints %v, want %v", writes, p.Hints, want)
			continue
		}
		for pc, h := range want {
			if p.hint(uint32(pc), 0) != h {
				t.Errorf("%s: hint %d of instruction %d, want %d", writes, p.hint(uint32(pc), 0), pc, h)
			}
		}
	}
}

// Five warps of two schedulers in two sub-cores.
func TestWindowsHaveRoomForTheWarpsOfTheirSubCore(t *testing.T) {
	s := Default()
	s.Writes, s.WriteBacks, s.Reads = Hints, 3, 4
	d := wire.NewDomain("Core", 1e9)
	index, err := bank.NewIndex(bank.ByRegister, 4, 5, 64, 2)
	if err != nil {
		t.Fatal(err)
	}
	p := &conventional.Part{Env: &regfile.Env{Domain: d, Stats: &stats.Registry{}, Schedulers: 2, Warps: 5,
		Registers: 16}, SubCores: 2, Schedulers: 1, Index: index, Collectors: 2, RequestRoom: 8, WriteRoom: 8,
		Writes: 2}
	w, err := New(p, s)
	if err != nil {
		t.Fatal(err)
	}
	if w.own != 3 || w.Notices[0].Capacity() != 2*3+4 {
		t.Errorf("%d warps and room for %d notices, want 3 and 10", w.own, w.Notices[0].Capacity())
	}
	b := w.extension()
	if b.Writes != 3 || b.Operands != 4+maxWaiters || b.Hints.Source == nil {
		t.Errorf("%d writes and %d operands per cycle, words %v; want 3, %d and words", b.Writes, b.Operands,
			b.Hints.Source != nil, 4+maxWaiters)
	}
	w.spec.Writes = Back
	if w.extension().Hints.Source != nil {
		t.Error("without hints nobody wants to know of last reads")
	}
}

func TestARegisterNamedTwiceIsOneSource(t *testing.T) {
	for _, c := range []struct {
		src  []ir.RegID
		want uint16
	}{
		{[]ir.RegID{4, 5, 6}, 0b111}, {[]ir.RegID{4, 5, 4}, 0b011}, {[]ir.RegID{4, 5, 5}, 0b011},
		{[]ir.RegID{4, 4, 4}, 1},
	} {
		w := &Windows{}
		if got := w.sources(&inst(-1, c.src...).T); got != c.want {
			t.Errorf("R%v: sources %03b, want %03b", c.src, got, c.want)
		}
		w.twice = true
		if got := w.sources(&inst(-1, c.src...).T); got != 0b111 {
			t.Errorf("R%v, read twice: sources %03b, want 111", c.src, got)
		}
	}
}

func TestTheRegisterUsedLeastRecentlyMakesRoomAndNoOther(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries, s.Window = 2, 8 })
	r.issue(5, inst(-1, 1))
	r.issue(6, inst(-1, 2))
	r.issue(7, inst(-1, 1)) // its operand keeps the entry
	r.issue(8, inst(-1, 3)) // takes that of R2
	r.issue(9, inst(-1, 4)) // that of R3
	r.Run()
	if r.w.find(1, 1) == nil || r.w.find(1, 2) != nil || r.w.find(1, 3) != nil || r.w.find(1, 4) == nil {
		t.Errorf("entries %+v, want those of R1 and R4", r.w.entriesOf(1))
	}
	if r.Stat("crowded") != 2 || r.Stat("homeless") != 0 {
		t.Errorf("%d crowded, %d homeless, want 2 and 0", r.Stat("crowded"), r.Stat("homeless"))
	}
	r.issue(210, inst(-1, 4)) // now both entries have operands to give
	r.issue(211, inst(-1, 5))
	r.Domain.RunUntil(220)
	if r.Stat("crowded") != 2 || r.Stat("homeless") != 1 {
		t.Errorf("%d crowded, %d homeless, want 2 and 1", r.Stat("crowded"), r.Stat("homeless"))
	}
}

func TestWhatWaitsAtTheWindowsIsCountedAndSaid(t *testing.T) {
	r := newRig(t, nil)
	r.Write.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for range 11 { // the banks' port holds 8, that of the windows 8
		r.result(10, 4, all, 1)
	}
	r.Domain.RunUntil(40)
	want := "0 requests and 3 results wait, 0 operands wait for registers on their way from the banks"
	if s := r.w.Waiting(); s != want {
		t.Errorf("waiting: %q, want %q", s, want)
	}
	r.Run()
	if s := r.w.Waiting(); s != "" || len(r.Write.Got) != 11 {
		t.Errorf("waiting: %q, %d written; want nothing and 11", s, len(r.Write.Got))
	}
	if n := r.Stat("result_waits"); n == 0 || n > 100 {
		t.Errorf("%d cycles of results that wait, want some", n)
	}
}
