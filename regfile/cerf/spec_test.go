package cerf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/memsys/l1"
	"kumiko/regfile"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Policy = Fair })
	x.Taken(func(s *Spec) { s.Policy = Prioritized })
	x.Refused("policy", func(s *Spec) { s.Policy = "other" })
	x.Taken(func(s *Spec) { s.Dead = DeadLive })
	x.Taken(func(s *Spec) { s.Dead = DeadMeet })
	x.Refused("dead", func(s *Spec) { s.Dead = "other" })
	x.Taken(func(s *Spec) { s.Lanes = LanesSpilled })
	x.Taken(func(s *Spec) { s.Lanes = LanesFetch })
	x.Taken(func(s *Spec) { s.Lanes = LanesMask })
	x.Refused("lanes", func(s *Spec) { s.Lanes = "other" })
	x.Taken(func(s *Spec) { s.Store = StoreAllocate })
	x.Taken(func(s *Spec) { s.Store = StoreEvict })
	x.Refused("store", func(s *Spec) { s.Store = "other" })
	x.Only("ways", map[int]bool{0: false, 1: true, 2: true, 6: false, 64: true, 128: false},
		func(s *Spec, v int) { s.Ways = v })
	// Four ways of 128 bytes are 512 bytes per set. The number of sets must be a power of two.
	x.Only("bytes", map[int]bool{0: false, 256: false, 512: true, 1000: false, 1024: true, 1536: false, 1 << 17: true,
		1 << 31: true, 1 << 32: false, // an address of 32 bits has a bit for the SM
		-512: false},
		func(s *Spec, v int) { s.Bytes = v })
	x.AtLeast("mshr.entries", 2, func(s *Spec, v int) { s.MSHR.Entries = v })
	x.Refused("mshr.merges", func(s *Spec) { s.MSHR.Merges = 0 })
	x.Within("latency", l1.Overhead+1, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
}

// 32 banks of 16 bytes are four of a register each. A memory of 2048 bytes has four sets of four
// ways, one for each.
func TestTheTagsFitBeforeBanksThatHaveASetEach(t *testing.T) {
	for bytes, fits := range map[int]bool{1024: false, 2048: true, 4096: true} {
		s := Default()
		s.Bytes = bytes
		if err := s.fits(0); fits != (err == nil) {
			t.Errorf("%d bytes: error %v", bytes, err)
		}
	}
	s := Default()
	s.Bytes = 2048
	if err := s.fits(16); err != nil {
		t.Errorf("as many registers as entries: %v", err)
	}
	if err := s.fits(17); err == nil || !strings.Contains(err.Error(), "17 warp registers of the SM (2176 bytes)") {
		t.Errorf("a register more than entries: error %v", err)
	}
}

// 1024 entries have tags of 32 - 8 - 7 bits, two bits of state, and two of an order among four ways. Masks of
// present lanes are kept for each MSHR's register, or for each entry's.
func TestTheStateIsThatOfTheTags(t *testing.T) {
	for name, x := range map[string]struct {
		change func(*Spec)
		lanes  []regfile.State
	}{
		"spilled": {func(*Spec) {}, []regfile.State{{What: "lane masks of MSHRs", Bits: 128 * 32},
			{What: "registers that have gone to the L2", Bits: 1024}}},
		"fetch": {func(s *Spec) { s.Lanes = LanesFetch }, []regfile.State{{What: "lane masks of MSHRs",
			Bits: 128 * 32}}},
		"mask":        {func(s *Spec) { s.Lanes = LanesMask }, []regfile.State{{What: "lane masks", Bits: 1024 * 32}}},
		"prioritized": {func(s *Spec) { s.Policy = Prioritized }, nil},
	} {
		s := Default()
		x.change(&s)
		var reg stats.Registry
		f, err := NewFile(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &reg, Name: "SM", Schedulers: 1,
			IssueWidth: 1, Warps: 8, Registers: 32, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}, s)
		if err != nil {
			t.Fatal(err)
		}
		want := []regfile.State{{Block: "Tags", What: "tags and states", Count: 4, Bits: 1024 * (17 + 2),
			Ports: s.base.BankPorts, Kind: storage.SRAM, Width: 4 * (17 + 2)}, // of a set
			{Block: "Tags", What: "replacement", Count: 1, Bits: 1024 * 2, Kind: storage.SRAM, Width: 4 * 2,
				Apart: true}}
		for _, l := range x.lanes {
			l.Block, l.Count, l.Kind, l.Width, l.Apart = "Tags", 1, storage.SRAM, 32, true
			want = append(want, l)
		}
		var got []regfile.State
		for _, l := range f.State() {
			if l.Block == "Tags" {
				got = append(got, l)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: storage (-want +got):\n%s", name, d)
		}
	}
}
