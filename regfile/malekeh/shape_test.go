package malekeh

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

// newFile builds a register file for eight warps, of which slots may be active, and two schedulers with a sub-core
// each.
func newFile(t *testing.T, slots int, tune func(*Spec)) *File {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	f, err := NewFile(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM",
		Schedulers: 2, IssueWidth: 1, Warps: 8, Slots: slots, Registers: 16, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP[0]", Kind: "sp", Sched: 0}, {Name: "SP[1]", Kind: "sp", Sched: 1}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestUnitsObserveSuspensionsWhereWarpsLoseTheirSlots(t *testing.T) {
	for slots, want := range map[int]bool{0: false, 7: true, 8: false} {
		n := newFile(t, slots, nil).Notices()
		if got := n.Events.Has(regfile.WarpSuspended); got != want || len(n.Warp) != 2 {
			t.Errorf("%d slots: told of suspensions: %v, want %v; %d ports, want 2", slots, got, want, len(n.Warp))
		}
		if !n.Events.Has(regfile.WarpStarted) || !n.Events.Has(regfile.WarpIssued) ||
			!n.Events.Has(regfile.WarpExited) {
			t.Errorf("%d slots: events %b", slots, n.Events)
		}
	}
}

func TestASchedulerIsToldOfItsWarpsAlone(t *testing.T) {
	f := newFile(t, 0, func(s *Spec) { s.Wait = 3 })
	for i, want := range []regfile.WarpSet{{0b01010101}, {0b10101010}} {
		if got := f.units[i].warps; got != want {
			t.Errorf("sub-core %d has warps %08b, want %08b", i, got[0], want[0])
		}
	}
	g, c := f.Gates(), f.Classes()
	if len(g) != 1 || len(g[0].Parts) != 2 || len(c) != 2 {
		t.Fatalf("%d gates, %d classes; want a gate with a part for each scheduler, and a class for each", len(g),
			len(c))
	}
	for i := range 2 {
		if g[0].Parts[i] != &f.units[i].closed || c[i] != &f.units[i].bound {
			t.Errorf("scheduler %d sees the signals of another sub-core", i)
		}
	}
}

func TestTheSchedulersOfASubCoreShareItsSignals(t *testing.T) {
	f := newFile(t, 0, func(s *Spec) { s.Wait, s.base.SubCores = 3, 1 })
	p := f.Gates()[0].Parts
	if len(p) != 2 || p[0] != p[1] || len(f.Classes()) != 1 || f.units[0].warps != (regfile.WarpSet{0xff}) {
		t.Errorf("parts %v, %d classes, warps %b", p, len(f.Classes()), f.units[0].warps[0])
	}
}

func TestWithoutAWaitThereIsNoGateAndWithoutPreferenceNoClass(t *testing.T) {
	f := newFile(t, 0, func(s *Spec) { s.Prefer = false })
	if g, c := f.Gates(), f.Classes(); g != nil || c != nil {
		t.Errorf("gates %v, classes %v", g, c)
	}
}

// Two sub-cores of two units of six entries. A tag has a bit for validity and four for the register, a warp number
// one for validity and three.
func TestTheStorageIsThatOfTheUnits(t *testing.T) {
	for hints, bits := range map[string]int{Distance: 8, Bit: 1} {
		f := newFile(t, 0, func(s *Spec) { s.Hints = hints })
		got := map[string]int{}
		for _, s := range f.State() {
			if s.Block == "Units" {
				got[s.What] = s.Bits
				if want := map[bool]int{true: 2, false: 4}[s.What == "warps"]; s.Count != want {
					t.Errorf("%s: %d arrays, want %d", s.What, s.Count, want)
				}
			}
		}
		wiretest.Same(t, hints, map[string]int{"registers": 24 * 1024, "tags": 24 * 5, "lane masks": 24 * 64,
			"hints": 24 * bits, "order of use": 24 * 3, "warps": 4 * 4}, got)
	}
	one := newFile(t, 0, func(s *Spec) { s.Entries = 1 })
	for _, s := range one.State() {
		if s.What == "order of use" {
			t.Error("a unit of one entry keeps an order")
		}
	}
}
