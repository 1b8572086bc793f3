package compressed

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
		IssueWidth: 1, Warps: 8, Registers: 16, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP[0]", Kind: "sp", Sched: 0}, {Name: "SP[1]", Kind: "sp", Sched: 1}}}
	if values {
		e.Values = version.NewValues(8, 16, false)
	}
	return e
}

// Eight warps of 16 registers have 128 registers, unless the SM has fewer.
func TestTheStorageIsTheFormsOfAllRegisters(t *testing.T) {
	for capacity, n := range map[int]int{0: 128, 96: 96} {
		e := env(true)
		e.Capacity = capacity
		f, err := NewFile(e, Default())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, s := range f.State() {
			if s.Block == "Compressors" {
				got[s.What] = s.Bits
				if s.Count != 2 || s.Apart != (s.What == "valid") {
					t.Errorf("%s: %d arrays, apart %t", s.What, s.Count, s.Apart)
				}
			}
		}
		wiretest.Same(t, "bits", map[string]int{"forms": 2 * n, "valid": n}, got)
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
