package scalar

import (
	"strings"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

func env(values bool) *regfile.Env {
	e := &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM", Schedulers: 2,
		IssueWidth: 1, Warps: 8, Registers: 16, Capacity: 96, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP[0]", Kind: "sp", Sched: 0}, {Name: "SP[1]", Kind: "sp", Sched: 1}}}
	if values {
		e.Values = version.NewValues(8, 16, false)
	}
	return e
}

// The SM has 96 registers, and eight warps.
func TestTheStorageIsAWordOrTwoForEachEntryAndATagForEachRegister(t *testing.T) {
	for _, x := range []struct{ entries, width, want int }{{0, 64, 96 * 64}, {2, 64, 16 * 64}, {2, 32, 16 * 32}} {
		s := Default()
		s.Entries, s.Affine = x.entries, x.width == 64
		f, err := NewFile(env(true), s)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, s := range f.State() {
			if s.Block == "Scalars" {
				got[s.What] = s.Bits
			}
		}
		wiretest.Same(t, "bits", map[string]int{"values": x.want, "tags": 2 * 96}, got)
	}
}

func TestEverySchedulerTellsOfItsWarps(t *testing.T) {
	f, err := NewFile(env(true), Default())
	if err != nil {
		t.Fatal(err)
	}
	n := f.Notices()
	if len(n.Warp) != 2 || !n.Events.Has(regfile.WarpStarted) || !n.Events.Has(regfile.WarpFinished) {
		t.Errorf("%d ports, events %b", len(n.Warp), n.Events)
	}
}

func TestAnSMWithoutValuesIsRefused(t *testing.T) {
	if _, err := NewFile(env(false), Default()); err == nil || !strings.Contains(err.Error(), "values") {
		t.Errorf("found %v, want an error about values", err)
	}
}
