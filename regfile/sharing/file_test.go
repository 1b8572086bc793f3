package sharing

import (
	"strings"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func newFile(t *testing.T, change func(*Spec)) *File {
	t.Helper()
	s := Default()
	if change != nil {
		change(&s)
	}
	f, err := New(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM[0]",
		Schedulers: 2, IssueWidth: 1,
		Warps: 16, CTAs: 8, Registers: 40, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: regfile.Shared}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hotspot's CTA in small: 2 warps of 36 registers, and an SM with 3.5 times that:
// (252 - 3*72*0.9) / 7.2 = 8, at most 6, so three pairs; 3.6 registers private.
var launch36 = regfile.Launch{WarpsPerCTA: 2, Registers: 36, Capacity: 252, Others: 8, ByRegisters: 3}

func admit(t *testing.T, f *File, l regfile.Launch, want int) {
	t.Helper()
	r, err := f.spec.Admit(&l)
	if err != nil || r.Resident != want || r.Active != want {
		t.Fatalf("%+v, %v, want %d CTAs", r, err, want)
	}
	f.Begin(r.Plan)
}

func inst(class ir.Class, space ir.Space, dst ir.RegID, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{}
	in.T.Class, in.T.Space, in.T.NDst, in.T.Dst[0] = class, space, 1, dst
	in.T.NSrc = uint8(copy(in.T.Src[:], src))
	return in
}

func TestAnInstructionIsHeldWhenAnyRegisterIsNotPrivate(t *testing.T) {
	f := newFile(t, nil)
	admit(t, f, launch36, 6)
	holds := f.Gates()[0].Holds
	for _, c := range []struct {
		in   *ir.Inst
		want bool
	}{
		{inst(ir.ClassInt, ir.SpaceNone, 0, 1, 2), false}, // registers number 1, 2 and 3
		{inst(ir.ClassInt, ir.SpaceNone, 3, 1, 2), true},  // number 4 is written
		{inst(ir.ClassInt, ir.SpaceNone, 0, 1, 35), true},
		{&ir.Inst{}, false},
	} {
		if got := holds(c.in); got != c.want {
			t.Errorf("%v of %v: held %v, want %v", c.in.T.Dst[:c.in.T.NDst], c.in.T.Src[:c.in.T.NSrc], got, c.want)
		}
	}
}

func TestNoInstructionIsHeldWhenNothingIsShared(t *testing.T) {
	f := newFile(t, func(s *Spec) { s.Dynamic = true })
	l := launch36
	l.Others = 3
	admit(t, f, l, 3)
	for _, g := range f.Gates() {
		if g.Holds(inst(ir.ClassLoad, ir.Global, 20)) {
			t.Errorf("gate %s holds", g.Reason)
		}
	}
}

func TestAccessesOutsideTheSMAreMemoryInstructions(t *testing.T) {
	for _, counts := range []bool{false, true} {
		f := newFile(t, func(s *Spec) { s.Dynamic, s.Shared = true, counts })
		admit(t, f, launch36, 6)
		holds := f.Gates()[1].Holds
		for _, c := range []struct {
			in   *ir.Inst
			want bool
		}{
			{inst(ir.ClassLoad, ir.Global, 0), true}, {inst(ir.ClassStore, ir.Local, 0), true},
			{inst(ir.ClassAtomic, ir.Generic, 0), true},
			{inst(ir.ClassTexture, ir.Texture, 0), true}, {inst(ir.ClassLoad, ir.Shared, 0), counts},
			{inst(ir.ClassInt, ir.SpaceNone, 0), false},
			{inst(ir.ClassBarrier, ir.SpaceNone, 0), false},
		} {
			if got := holds(c.in); got != c.want {
				t.Errorf("%v %v with dynamic_shared %v: held %v, want %v", c.in.T.Class, c.in.T.Space, counts, got,
					c.want)
			}
		}
	}
}

// Found with two kernels, the first sharing and the second not: the second one's warps must not go on sharing.
func TestALaunchThatSharesNothingHasItsRegistersBack(t *testing.T) {
	f, fresh := newFile(t, nil), newFile(t, nil)
	admit(t, f, launch36, 6)
	for w := range uint16(4) {
		f.Index().Lift(w, int(w)/2)
	}
	l := launch36
	l.Others = 2
	admit(t, f, l, 2)
	for w := range uint16(16) {
		for r := range ir.RegID(40) {
			b, e := f.Index().Find(w, r)
			if wb, we := fresh.Index().Find(w, r); b != wb || e != we {
				t.Fatalf("R%d of warp %d lies in bank %d at %d, want bank %d at %d", r, w, b, e, wb, we)
			}
		}
	}
}

func TestWhatDoesNotFitAtAllIsRefused(t *testing.T) {
	l := launch36
	l.Capacity, l.ByRegisters = 71, 0
	if _, err := newFile(t, nil).spec.Admit(&l); err == nil ||
		!strings.Contains(err.Error(), "72 warp registers, an SM has 71") {
		t.Errorf("error %v", err)
	}
}

func TestAKernelWithoutRegistersSharesNone(t *testing.T) {
	admit(t, newFile(t, nil), regfile.Launch{WarpsPerCTA: 2, Capacity: 252, Others: 7, ByRegisters: 1 << 20}, 7)
}

// g = 1; equation 4: (1000 - 600 x 0.99) / 6 = 67; capped at 2.
func TestThereAreNoMoreThanTwiceTheUnsharedCTAs(t *testing.T) {
	s := Default()
	s.Threshold = 0.01
	a, err := s.Admit(&regfile.Launch{WarpsPerCTA: 1, Registers: 600, Capacity: 1000, Others: 1 << 10, ByRegisters: 1})
	if p := a.Plan.(*plan); err != nil || a.Resident != 2 || p.pairs != 1 || p.unshared != 0 {
		t.Errorf("%+v, %v, want one pair", a, err)
	}
}

// Inactive warps cannot release the lock awaited by active ones.
func TestATwoLevelSchedulerIsRefusedWhereRegistersAreShared(t *testing.T) {
	s := Default()
	l := launch36
	l.Warps, l.Active = 16, 8
	if _, err := s.Admit(&l); err == nil || !strings.Contains(err.Error(), "8 active warps") {
		t.Errorf("sharing: error %v", err)
	}
	l.Others = 3
	if _, err := s.Admit(&l); err != nil {
		t.Errorf("nothing to share: error %v", err)
	}
}
