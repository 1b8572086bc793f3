package ltrf

import (
	"strings"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

// halves returns a file of two sub-cores with a scheduler each, for the given number of warps, with eight active at
// once.
func halves(t *testing.T, s Spec, warps int) *File {
	t.Helper()
	var reg stats.Registry
	s.base.SubCores = 2
	f, err := NewFile(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &reg, Name: "SM", Schedulers: 2,
		IssueWidth: 1, Warps: warps, Active: 8, TwoLevel: true, Registers: 64, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SP", Kind: "sp", Sched: 1}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A sub-core has 16 banks (four-bit numbers) of four entries (two-bit numbers), and five warps of 256 registers
// each. The number of results on their way to the main file is bounded by the results sent by write-back, plus two.
func TestTheStateIsThatOfTheBlocksAroundTheCache(t *testing.T) {
	apart := func(block, what string, count, size int) regfile.State {
		return regfile.State{Block: block, What: what, Count: count, Bits: count * size, Kind: storage.FlipFlop,
			Width: size, Apart: true}
	}
	for back, dirty := range map[string]bool{Set: false, Dirty: true} {
		s := Default()
		s.WriteBack = back
		f := halves(t, s, 10)
		want := []regfile.State{
			{Block: "Cache", What: "registers", Count: 2 * 16, Bits: 2 * 16 * 4 * 1024, Ports: "1r1w",
				Kind: storage.SRAM, Width: 1024},
			{Block: "WCB", What: "address table, offset, working set, liveness", Count: 10,
				Bits: 10 * (256*(4+1) + 2 + 2*256), Kind: storage.SRAM, Width: 4 + 1 + 2,
				CellPorts: "2r1w"},
			apart("Allocation", "unused and occupied banks", 10, 16*(4+1)),
			apart("Allocation", "unused offsets", 2, 4*(2+1)),
			apart("WCB", "results awaited, in some lanes or all", 10, 2*256),
			apart("WCB", "registers and results on their way to the main file", 10,
				256*(1+width(f.parts[0].WriteRoom+2))),
			apart("WCB", "lanes that came before their register", 2, 16*4*32),
		}
		if dirty {
			want = append(want, apart("WCB", "dirty bits", 10, 256))
		}
		want = append(want, apart("Back", "registers that wait for the crossbar", 2*16, 2*1024))
		list, others := f.State(), len(f.otherState())
		wiretest.Same(t, "storage with "+back, want, list[max(0, len(list)-len(want)-others):len(list)-others])
	}
	for n, want := range map[int]int{2: 1, 3: 2, 4: 2, 5: 3, 256: 8} {
		if width(n) != want {
			t.Errorf("a number below %d has %d bits, want %d", n, width(n), want)
		}
	}
}

// A warp has four further sets of 256 registers: on their way to the cache, wanted, unsettled, and held.
func TestFieldsThatNoRowCountsAreInTheStateOfTheirBlock(t *testing.T) {
	f := halves(t, Default(), 10)
	found := map[string]regfile.State{}
	for _, s := range f.otherState() {
		found[s.Block] = s
	}
	wiretest.Same(t, "blocks", 7, len(found))
	wcb := storage.Of(f.parts[0].wcb)
	sets := 0
	for _, x := range wcb.Fields {
		if strings.HasPrefix(x.Part, "Warp[0]") && x.Row == "" {
			sets += x.Bits
		}
	}
	wiretest.Same(t, "bits of the sets of a warp", 4*256, sets)
	wiretest.Same(t, "bits of both WCBs", 2*wcb.Bits(), found["WCB"].Bits)
	wiretest.Same(t, "fills of the warps and their turns", 2*storage.Of(f.parts[0].fill).Bits(), found["Fill"].Bits)
}

// Of nine contexts a scheduler has at most five, and each may begin and become active in one cycle. A bank of the
// cache has a register of each of the four active warps of a sub-core.
func TestPortsHaveTheRoomThatTheirSendersNeed(t *testing.T) {
	f := halves(t, Default(), 9)
	for i, p := range f.parts {
		wiretest.Same(t, "notices of a scheduler", 2*5+4, p.wcb.Notices[0].Capacity())
		wiretest.Same(t, "scheduler", i, p.wcb.first)
		wiretest.Same(t, "places in the cache", 16*4, len(p.wcb.brought))
		wiretest.Same(t, "registers that leave", 16*4, p.wcb.Leave.Capacity())
		wiretest.Same(t, "values that the main file has received", 4*p.Banks+2*p.WriteRoom, p.wcb.Landed.Capacity())
		wiretest.Same(
			t,
			"values that have crossed",
			(p.returns.Latency()+1)*min(16, p.Banks),
			p.back.Crossed.Capacity(),
		)
		wiretest.Same(t, "reads for the way back", max(p.RequestRoom, 2*16), p.arbiter.Read[byBack].Capacity())
	}
}

// Collectors with four inputs each may get four values in a cycle, unless there are fewer banks.
func TestCollectorsGetNoMoreThanBanksGive(t *testing.T) {
	s := Default()
	s.base.Collectors, s.base.Paths.OutputWidth = 2, 4
	wiretest.Same(t, "values per cycle", 8, halves(t, s, 10).parts[0].extension().Operands)
	s.base.Collectors = 8
	wiretest.Same(t, "values per cycle", 16, halves(t, s, 10).parts[0].extension().Operands)
}

func TestCapturesAreFollowedWhereLivenessIs(t *testing.T) {
	for liveness, want := range map[string]bool{None: false, Vector: false, Dynamic: true} {
		s := Default()
		s.Liveness = liveness
		if got := halves(t, s, 10).parts[0].extension().Captured != nil; got != want {
			t.Errorf("%s: captured operands are followed: %v", liveness, got)
		}
	}
}

func TestWarpsOfASetTakeTurns(t *testing.T) {
	var s regfile.WarpSet
	s.Add(1)
	s.Add(3)
	for last, want := range []int{1, 3, 3, 1} {
		if got := next(&s, last, 4); got != want {
			t.Errorf("warp %d follows %d, want %d", got, last, want)
		}
	}
	defer func() {
		if got, want := recover(), "ltrf: the next warp of an empty set"; got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	next(new(regfile.WarpSet), 0, 4)
}
