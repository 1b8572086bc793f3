package rfc

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// whole is a register file with a cache, one scheduler and one unit.
type whole struct {
	*filetest.Bench
	f *File
}

func newWhole(t testing.TB, s Spec, active int) *whole {
	t.Helper()
	env := &regfile.Env{Schedulers: 1, IssueWidth: 1, Warps: 8, Active: active, Registers: 64, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: 0}}}
	s.base.SubCores, s.base.Banks, s.base.BankPorts, s.base.BankIndex = 1, 4, "1r1w", "register"
	r := &whole{}
	r.Bench, r.f = filetest.New(t, env, func() (*File, error) { return NewFile(env, s) }, 2)
	for w := range uint16(2) {
		r.notify(1, w, regfile.WarpStarted)
	}
	r.notify(1, 0, regfile.WarpActivated)
	return r
}

func (r *whole) notify(at wire.Cycle, warp uint16, e regfile.WarpEvent) {
	r.Warps[0].Send(at, regfile.WarpNotice{Warp: warp, Event: e})
}

// do issues an operation of warp 0, at the collectors at cycle at. Its result, if it has one, comes four cycles
// later.
func (r *whole) do(at wire.Cycle, dst []ir.RegID, src ...ir.RegID) {
	o := r.Send(at, op.Op{Inst: filetest.Inst(dst, src...), Exec: all})
	if len(dst) > 0 {
		r.Finish(at+4, 0, o)
	}
}

func TestAnOperationWhoseOperandsHitReachesItsUnitACycleSoonerThanFromTheBanks(t *testing.T) {
	r := newWhole(t, Default(), 8)
	r.do(10, []ir.RegID{1})
	r.do(11, []ir.RegID{2})
	r.do(30, nil, 1, 2) // request 30, cache 31, values 33, unit 34; from banks they would be there at 36 and 37
	r.do(40, nil, 9)    // request 40, cache 41, arbiter 42, bank 43, crossbar 44, collector 45
	r.do(50, nil)
	r.Domain.RunUntil(100)
	// 13 and 14: an operation that reads nothing spends the tag stage too.
	wiretest.Same(t, "arrivals", cycles(13, 14, 34, 46, 53), r.Units[0].Cycles())
}

// faults change the content of a place for a register: R1 of warp 0, last written by operation 2 in all lanes, and
// by operation 1 before.
var faults = map[string]func(version.Content) version.Content{
	"none":          func(c version.Content) version.Content { return c },
	"drop":          func(version.Content) version.Content { return version.Content{} },
	"drop one lane": func(c version.Content) version.Content { return c.Only(^uint32(1 << 9)) },
	"stale":         func(version.Content) version.Content { return version.Content{Seq: 1, Lanes: all} },
	"stale lane":    func(c version.Content) version.Content { return c.Write(1, 1<<9) },
	// with R2, written by operation 3
	"swap one lane": func(c version.Content) version.Content { return c.Write(3, 1<<9) },
}

// written returns a file with R1 written twice and R2 once.
func written(t *testing.T, s Spec, active int) *whole {
	r := newWhole(t, s, active)
	for i, d := range []ir.RegID{1, 1, 2} {
		r.do(wire.Cycle(10+10*i), []ir.RegID{d})
	}
	r.Domain.RunUntil(50)
	return r
}

func (r *whole) verdict(t *testing.T, fault string) {
	t.Helper()
	r.Domain.RunUntil(200)
	v := r.Checker.Violations()
	switch {
	case r.Checker.Checked() == 0:
		t.Fatal("nothing was read")
	case fault == "none" && len(v) != 0:
		t.Fatalf("without a fault: %s", v[0])
	case fault == "none":
	case len(v) == 0:
		t.Fatalf("%s: not caught", fault)
	case v[0].Register != 1 || v[0].Expected != 2 || v[0].Warp != 0 || strings.Contains(fault, "lane") != (len(v) == 1):
		t.Fatalf("%s: reported %d times, first %s", fault, len(v), v[0])
	}
}

// entry returns the entry of R1 of warp 0.
func (r *whole) entry(t *testing.T) int {
	t.Helper()
	c := r.f.caches[0]
	i := c.store.find(c.place(0, keyOf(0, 1)), keyOf(0, 1))
	if i < 0 {
		t.Fatal("R1 is not in the cache")
	}
	return i
}

func TestFaultsInAnEntryAreCaughtWhenItIsRead(t *testing.T) {
	for name, f := range faults {
		r := written(t, Default(), 8)
		i := r.entry(t)
		r.f.caches[0].Alter(i, f)
		r.do(60, nil, 1)
		r.verdict(t, name)
	}
}

func TestFaultsInAnEntryAreCaughtAfterItWasWrittenBack(t *testing.T) {
	for name, f := range faults {
		for how, s := range map[string]Spec{"eviction": with(func(s *Spec) { s.Entries = 2 }), "flush": Default()} {
			r := written(t, s, 1)
			i := r.entry(t)
			r.f.caches[0].Alter(i, f)
			if how == "flush" {
				r.notify(60, 0, regfile.WarpSuspended)
			} else {
				r.do(60, []ir.RegID{3})
			}
			r.do(100, nil, 1)
			r.verdict(t, name)
			if r.Stats.Snapshot()["regfile.bank.writes."+how] == 0 {
				t.Fatalf("no %s", how)
			}
		}
	}
}

func TestALostEntryIsCaught(t *testing.T) {
	r := written(t, Default(), 8)
	r.f.caches[0].store.free(r.entry(t)) // without being written back
	r.do(60, nil, 1)
	r.verdict(t, "drop")
}

func TestALostFlushIsCaught(t *testing.T) {
	r := written(t, Default(), 1)
	r.notify(60, 0, regfile.WarpSuspended)
	r.Domain.RunUntil(60)
	c := r.f.caches[0]
	for i := range c.store.flags {
		c.store.flags[i] &^= dirty // as if nothing had to be written back
	}
	r.do(100, nil, 1)
	r.verdict(t, "drop")
}

func TestALiveRegisterThatIsCalledDeadIsCaught(t *testing.T) {
	r := written(t, with(func(s *Spec) { s.Liveness, s.Entries = true, 2 }), 8)
	r.f.caches[0].store.flags[r.entry(t)] |= dead
	r.do(60, []ir.RegID{3}) // R1 goes
	r.do(100, nil, 1)
	r.verdict(t, "drop")
}

// A load into its own address: the old value is dead when the load has read it, and is dropped by the flush before
// the result arrives. The new one is not.
func TestAValueThatItsReaderOverwritesIsDroppedAndTheNewOneKept(t *testing.T) {
	for _, last := range []bool{false, true} {
		r := written(t, with(func(s *Spec) { s.Liveness = true }), 1)
		in := &ir.Inst{T: ir.Timing{Class: ir.ClassLoad, Space: ir.Global, NSrc: 1, Src: [ir.NumSources]ir.RegID{1},
			NDst: 1, Dst: [ir.NumDests]ir.RegID{1}}}
		if last {
			in.T.Dead = 1
		}
		o := op.Op{Inst: in, Tag: 4, Exec: all}
		r.Checker.Issue(&o)
		r.Issue[0].Send(59, o)
		r.notify(70, 0, regfile.WarpSuspended)
		r.Result[0].Send(90, o.Result())
		r.notify(100, 0, regfile.WarpActivated)
		r.Tag = 4
		r.do(120, nil, 1)
		r.Domain.RunUntil(200)
		if v := r.Checker.Violations(); len(v) != 0 || r.Checker.Checked() != 2 {
			t.Errorf("last %v: %d operands checked, %v", last, r.Checker.Checked(), v)
		}
		stat := r.Stats.Snapshot()
		want := [3]uint64{2, 0, 1} // R1 and R2; the load's result
		if last {
			want = [3]uint64{1, 1, 1}
		}
		wiretest.Same(
			t,
			"flushed, elided, results to the main file",
			want,
			[3]uint64{
				stat["regfile.rfc.flushed"],
				stat["regfile.rfc.dead_elided"],
				stat["regfile.bank.writes.result"],
			},
		)
	}
}

func TestTheStateIsTheSumOfTheBlocksBits(t *testing.T) {
	// Gebhart et al., ISCA 2011, sections 2.1 and 5.4: 32 banks of 256 entries of
	// 128 bits; 8 warps x 6 entries x 1024 bits = 6144 B.
	s := Default()
	s.Liveness = true
	s.base.SubCores, s.base.Banks, s.base.BankWidth, s.base.BankPorts = 1, 32, 16, "1r1w"
	var reg stats.Registry
	f, err := NewFile(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &reg, Name: "SM[0]", Schedulers: 1,
		IssueWidth: 1, Warps: 32, Active: 8,
		Registers: 63, Capacity: 1024, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	wiretest.Same(t, "state", []regfile.State{
		{Block: "Bank", What: "registers", Count: 32, Bits: 32 * 256 * 128, Ports: "1r1w", Kind: storage.SRAM,
			Width: 128},
		{Block: "Cache", What: "registers", Count: 1, Bits: 8 * 6144, Ports: "3r1w", Kind: storage.FlipFlop,
			Width: 1024, CellPorts: "3r1w"},
		{Block: "Cache", What: "tags", Count: 1, Bits: 48 * (6 + 1), // 63 registers, and whether there is one
			Kind: storage.CAM, Width: 6 + 1, CellPorts: "3r1w"},
		{Block: "Cache", What: "lane masks", Count: 1, Bits: 48 * 32, Kind: storage.FlipFlop, Width: 32,
			CellPorts: "3r1w"},
		{Block: "Cache", What: "dirty, dead and far bits", Count: 1, Bits: 48 * 2, Kind: storage.FlipFlop, Width: 2,
			CellPorts: "3r1w"},
		{Block: "Cache", What: "replacement", Count: 1, Bits: 8 * 3, // a pointer for each partition
			Kind: storage.FlipFlop, Width: 8 * 3},
		{Block: "Cache", What: "owners of partitions", Count: 1, Bits: 8 * 5, // 32 warps
			Kind: storage.FlipFlop, Width: 8 * 5},
		{Block: "Cache", What: "write buffer", Count: 1, Bits: 4 * 1024, Kind: storage.FlipFlop, Width: 1024},
	}, f.State())
}

func TestAWarpWaitsForItsPlaceOnlyIfAskedTo(t *testing.T) {
	for stall, want := range map[bool]int{false: 0, true: 1} {
		r := written(t, with(func(s *Spec) { s.FlushStall = stall }), 1)
		if got := len(r.f.Gates()); got != want {
			t.Errorf("flush_stall %v: %d gates, want %d", stall, got, want)
		}
	}
}

// Two sub-cores of two schedulers, a place for one warp in each: when warp 1, of
// scheduler 1 and so of sub-core 0, comes while warp 0 is being flushed, the cache
// of sub-core 0 shuts its gate, and nobody of sub-core 1 is notified.
func TestEachCacheGatesItsOwnSchedulersUnderOneName(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	var reg stats.Registry
	s := with(stalling)
	s.base.SubCores, s.base.Banks, s.base.BankPorts, s.base.BankIndex = 2, 4, "1r1w", "register"
	f, err := NewFile(&regfile.Env{Domain: d, Stats: &reg, Name: "SM[0]", Schedulers: 4, IssueWidth: 1, Warps: 8,
		Active: 2, Registers: 32,
		Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: regfile.Shared}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	gates := f.Gates()
	if len(gates) != 1 || len(gates[0].Parts) != 4 {
		t.Fatalf("gates %+v, want one with a signal for each of 4 schedulers", gates)
	}
	p := gates[0].Parts
	wiretest.Same(t, "signals shared", [3]bool{true, false, true}, [3]bool{p[0] == p[1], p[1] == p[2], p[2] == p[3]})
	watchers := make([]*watcher, 4)
	for i := range watchers {
		watchers[i] = &watcher{signal: p[i], closed: map[wire.Cycle]bool{}}
		watchers[i].Init(fmt.Sprintf("Scheduler2[%d]", i), d, watchers[i])
		p[i].Watch(&watchers[i].Comp)
	}
	first := wiretest.NewSource("First", d, f.Notices().Warp[0])
	second := wiretest.NewSource("Second", d, f.Notices().Warp[1])
	result := wiretest.NewSource("Pipeline", d, f.DataPorts().Result[0])
	for i, done := range f.DataPorts().Done {
		wiretest.NewSink(fmt.Sprintf("Scoreboard[%d]", i), d, done, 8)
	}
	in := &ir.Inst{}
	in.T.NDst = uint8(copy(in.T.Dst[:], []ir.RegID{1, 2}))
	o := op.Op{Inst: in, Tag: 1, Exec: all}
	first.Send(1, regfile.WarpNotice{Warp: 0, Event: regfile.WarpActivated})
	result.Send(5, o.Result())
	first.Send(29, regfile.WarpNotice{Warp: 0, Event: regfile.WarpSuspended})
	second.Send(29, regfile.WarpNotice{Warp: 1, Event: regfile.WarpActivated})
	d.RunUntil(100)
	// The cache is notified of both at 30; R1 and R2 leave at 30 and 31, and the place is free.
	for i, want := range []map[wire.Cycle]bool{{31: true, 32: false}, {31: true, 32: false}, {}, {}} {
		wiretest.Same(t, fmt.Sprintf("gate of scheduler %d", i), want, watchers[i].closed)
	}
}
