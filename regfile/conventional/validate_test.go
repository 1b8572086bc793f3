package conventional

import (
	"math"
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile/filetest"
)

// The tests below compare the steady throughput of a whole register file, with a
// scheduler, collectors, arbiter, banks, crossbar and write-back in each of four
// sub-cores, with the arithmetic that stands beside each case.

// wide returns a file limited by its banks alone: four banks in each of four sub-cores, with R0, R4, R8 ... of
// every warp in the first of them.
func wide() Spec {
	s := Default()
	s.BankIndex, s.BankPorts = "register", "1rw"
	s.Collectors, s.Paths.OutputWidth, s.Inputs = 32, 4, 8
	return s
}

// rate is the number of operations per cycle and scheduler.
func (m *machine) rate() float64 {
	const n = 1200
	m.run(n)
	a := m.run(n)
	b := m.run(2 * n)
	return n / float64(b-a)
}

// one is a single instruction, repeated.
func one(dst []ir.RegID, src ...ir.RegID) []ir.Inst { return []ir.Inst{*filetest.Inst(dst, src...)} }

func TestBankConflictsLimitThroughputAsTheirArithmeticSays(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	type set = func(*Spec)
	ports := func(p string) set { return func(s *Spec) { s.BankPorts = p } }
	none := []ir.RegID(nil)
	to := func(r ir.RegID) []ir.RegID { return []ir.RegID{r} }
	for _, c := range []struct {
		name  string
		set   set
		insts []ir.Inst
		want  float64 // operations per cycle and scheduler
	}{
		// k registers in one bank with p ports take k/p cycles.
		{"1 register, 1 port", ports("1rw"), one(none, 0), 1},
		{"2 registers in a bank, 1 port", ports("1rw"), one(none, 0, 4), 1. / 2},
		{"3 registers in a bank, 1 port", ports("1rw"), one(none, 0, 4, 8), 1. / 3},
		{"2 registers in a bank, 2 ports", ports("2rw"), one(none, 0, 4), 1},
		{"3 registers in a bank, 2 ports", ports("2rw"), one(none, 0, 4, 8), 2. / 3},
		// In different banks they are read together: the scheduler issues one.
		{"2 banks, 1 port", ports("1rw"), one(none, 0, 1), 1},
		{"3 banks, 1 port", ports("1rw"), one(none, 0, 1, 2), 1},
		{"2 in a bank, 1 in another, 1 port", ports("1rw"), one(none, 0, 4, 1), 1. / 2},
		// A write uses a port shared with the reads, or one of its own.
		{"read and write of a bank, 1 port", ports("1rw"), one(to(4), 0), 1. / 2},
		{"read and write of a bank, 1r1w", ports("1r1w"), one(to(4), 0), 1},
		{"2 reads and a write, 1 port", ports("1rw"), one(to(8), 0, 4), 1. / 3},
		{"2 reads and a write, 1r1w", ports("1r1w"), one(to(8), 0, 4), 1. / 2},
		{"2 reads and a write, 2rw", ports("2rw"), one(to(8), 0, 4), 2. / 3},
		{"2 reads and a write, 2r1w", ports("2r1w"), one(to(8), 0, 4), 1},
		{"a write to a bank that is not read", ports("1rw"), one(to(1), 0), 1},
		// Warps of one scheduler lie in the same banks by register+warp, since it has every
		// fourth and there are four banks; by register+slot they use all four.
		{"2 in a bank, register+warp", func(s *Spec) { s.BankIndex = "register+warp" }, one(none, 0, 4), 1. / 2},
		{"2 in a bank, register+slot", func(s *Spec) { s.BankIndex = "register+slot" }, one(none, 0, 4), 1},
		{"3 in a bank, register+slot", func(s *Spec) { s.BankIndex = "register+slot" }, one(none, 0, 4, 8), 1},
		// register^warp: the warp moves all registers of a bank to another one.
		{"3 in a bank, register^warp", func(s *Spec) { s.BankIndex = "register^warp" }, one(none, 0, 4, 8), 1. / 3},
		// A register named twice is read once, or twice.
		{"a register twice, one access", ports("1rw"), one(none, 0, 0), 1},
		{"a register twice, two accesses", func(s *Spec) { s.ReadTwice = true }, one(none, 0, 0), 1. / 2},
		// A blocking bank is taken for its latency.
		{"blocking, latency 3", func(s *Spec) { s.Blocking, s.ReadLatency = true, 3 }, one(none, 0), 1. / 3},
		{"pipelined, latency 3", func(s *Spec) { s.ReadLatency = 3 }, one(none, 0), 1},
		{"blocking, 2 registers, latency 3, 2 ports",
			func(s *Spec) { s.Blocking, s.ReadLatency, s.BankPorts = true, 3, "2rw" }, one(none, 0, 4), 1. / 3},
		// A collector requesting one register per cycle loses nothing while others request too.
		{"1 input per cycle, 3 banks", func(s *Spec) { s.Inputs = 1 }, one(none, 0, 1, 2), 1},
		// Two halves of an instruction mix, loading one bank 2 + 0 times: once per instruction on average.
		{"two instructions, 2 registers of a bank in one", ports("1rw"), append(one(none, 0, 4), one(none, 1, 2)...),
			1},
	} {
		s := wide()
		c.set(&s)
		if got := feed(t, s, c.insts, false).rate(); math.Abs(got-c.want) > 0.005*c.want {
			t.Errorf("%s: %.4f operations per cycle, want %.4f", c.name, got, c.want)
		}
	}
}

func TestNarrowBanksInFourGroupsServeFourRegistersPerCycle(t *testing.T) {
	// Gebhart: 32 banks of 16 bytes, 1R1W: four groups, so all schedulers together get four reads per cycle.
	for _, c := range []struct {
		name string
		src  []ir.RegID
		want float64 // operations per cycle, of all four schedulers
	}{
		{"one group", []ir.RegID{0}, 1},
		{"three registers of one group", []ir.RegID{0, 4, 8}, 1. / 3},
		{"all groups", []ir.RegID{0, 1, 2, 3}, 1},
		{"two groups, three registers", []ir.RegID{0, 1, 4}, 1. / 2},
	} {
		s := wide()
		s.SubCores, s.Banks, s.BankWidth, s.BankPorts = 1, 32, 16, "1r1w"
		if got := 4 * feed(t, s, one(nil, c.src...), false).rate(); math.Abs(got-c.want) > 0.005*c.want {
			t.Errorf("%s: %.4f operations per cycle, want %.4f", c.name, got, c.want)
		}
	}
}

func TestTheCrossbarsWidthBoundsThroughput(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	// Three registers per operation: w registers crossing at once, in c cycles each, make w / 3c operations per
	// cycle.
	for _, c := range []struct{ width, cycles int }{{0, 1}, {3, 1}, {2, 1}, {1, 1}, {3, 2}, {3, 4}, {1, 2}, {1, 4}} {
		want := 1.0
		if c.width > 0 {
			want = float64(c.width) / float64(3*c.cycles)
		}
		s := wide()
		s.Paths.Width, s.Paths.Cycles = c.width, c.cycles
		if got := feed(t, s, one(nil, 0, 1, 2), false).rate(); math.Abs(got-want) > 0.005*want {
			t.Errorf("width %d, %d cycles per register: %.4f operations per cycle, want %.4f", c.width, c.cycles, got,
				want)
		}
	}
}

func TestAButterflysChannelsBoundThroughput(t *testing.T) {
	// One row of two routers with two banks each, and half of the collectors. Of an operation with a register at
	// each router, one register crosses to the other half. Operations alternate between the halves, so each of the
	// two channels carries a register every other operation: c cycles per register make 2/c operations per cycle,
	// more than are issued up to c = 2. Banks send, and collectors receive, a register in c cycles too: an
	// operation reads two banks of four, always the same, so the banks bound it to 1/c.
	for cycles, want := range map[int]float64{1: 1, 2: 1. / 2, 4: 1. / 4} {
		s := wide()
		s.Network, s.Mesh.Rows, s.Mesh.Columns, s.Paths.Cycles = "butterfly", 1, 2, cycles
		if got := feed(t, s, one(nil, 0, 2), false).rate(); math.Abs(got-want) > 0.01*want {
			t.Errorf("%d cycles per register: %.4f operations per cycle, want %.4f", cycles, got, want)
		}
	}
}

func TestCollectorsAreOccupiedAsLittlesLawSays(t *testing.T) {
	// The number of allocated collectors, summed over the cycles, equals the time in a collector, summed over the
	// operations.
	for _, insts := range [][]ir.Inst{one(nil, 0), one(nil, 0, 4, 8), one(nil, 0, 1, 2), spread()} {
		s := wide()
		s.Collectors = 6
		m := feed(t, s, insts, false)
		for _, f := range m.feeders {
			f.left = 500
			f.Wake()
		}
		var busy, area uint64
		last := m.d.Now()
		for m.d.Step(wire.Never - 1) {
			area += busy * (m.d.Now() - last)
			last, busy = m.d.Now(), 0
			for _, c := range m.f.subs {
				busy += uint64(c.collectors.Busy())
			}
		}
		st := m.reg.Snapshot()
		held := st["regfile.collector.operand_latency"] + st["regfile.collector.dispatch_wait"]
		if area != held || st["regfile.collector.operations"] != 2000 {
			t.Errorf("%v: %d collector-cycles allocated, operations held one for %d", insts[0].T.Src, area, held)
		}
	}
}

func TestThePeakRatesOfBanksAndCrossbarAreReachedAndNotPassed(t *testing.T) {
	const n = 2000
	for _, c := range []struct {
		name, stat string
		insts      []ir.Inst
		perCycle   float64 // of all four sub-cores
	}{
		{"a single-ported bank reads a register per cycle", "regfile.bank.reads.operand", one(nil, 0, 4, 8), 4},
		{"four banks read four registers per cycle", "regfile.bank.reads.operand", one(nil, 0, 1, 2, 3), 16},
		{"the crossbar carries what four banks read", "regfile.crossbar.transfers", one(nil, 0, 1, 2, 3), 16},
		{"collectors pass what is issued", "regfile.collector.operations", one(nil, 0), 4},
		{"write-back takes a result per port and cycle", "regfile.writeback.results", one([]ir.RegID{1}, 0), 4},
	} {
		m := feed(t, wide(), c.insts, false)
		m.run(n)
		before := m.reg.Snapshot()[c.stat]
		cycles := m.run(n)
		got := float64(m.reg.Snapshot()[c.stat]-before) / float64(cycles)
		if got > c.perCycle || got < 0.98*c.perCycle {
			t.Errorf("%s: %.3f per cycle, want %.0f", c.name, got, c.perCycle)
		}
	}
}

func TestACollectorAsksForAsManyRegistersPerCycleAsItHasInputs(t *testing.T) {
	// Three registers in three banks: the last is asked for 2, 1 or 0 cycles later.
	for inputs, want := range map[int]wire.Cycle{1: 17, 2: 16, 3: 15, 8: 15} {
		s := simple()
		s.Inputs, s.Paths.OutputWidth = inputs, 4
		r := newRig(t, s, oneScheduler())
		r.send(10, 0, 0, 0, filetest.Inst(nil, 0, 1, 2))
		r.ready(t, 0, want)
	}
}

func TestEachHopOfAButterflyAddsItsLatency(t *testing.T) {
	// Four routers with a bank each and two of eight collectors; the first
	// operation gets collector 0, at the first router.
	for bank, hops := range []int{0, 1, 1, 2} {
		for hop := 1; hop <= 3; hop++ {
			s := simple()
			s.Network, s.Mesh.HopLatency = "butterfly", hop
			r := newRig(t, s, oneScheduler())
			r.send(10, 0, 0, 0, filetest.Inst(nil, ir.RegID(bank)))
			r.ready(t, 0, wire.Cycle(15+hops*hop))
		}
	}
}
