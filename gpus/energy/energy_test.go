package energy

import (
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %v, expected %v within %v", what, got, want, within)
	}
}

func cache(t *testing.T, entries, active int) *Cache {
	t.Helper()
	c, err := OfGebhart().Cache(entries, active)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEnergyIsAccessesTimesTheirArrayAndDistance(t *testing.T) {
	a := Accesses{MainReads: 10, MainWrites: 5, CacheReads: 20, CacheWrites: 8}
	b := OfGebhart().Energy(a, cache(t, 6, 8), Distances{Main: 1, Cache: 0.2})
	// 10*8 + 5*11 = 135; 15 * 7.6 = 114; 20*2.2 + 8*6.7 = 97.6; 28 * 0.2 * 7.6 = 42.56.
	near(t, "main array", b.MainArray, 135, 1e-9)
	near(t, "main wire", b.MainWire, 114, 1e-9)
	near(t, "cache array", b.CacheArray, 97.6, 1e-9)
	near(t, "cache wire", b.CacheWire, 42.56, 1e-9)
	near(t, "total", b.Total(), 389.16, 1e-9)
	// Of 25 reads and 9 writes in the main file: 200 + 99 + 34*7.6 = 557.4.
	near(t, "relative", OfGebhart().Relative(a, 25, 9, cache(t, 6, 8), Distances{1, 0.2}).Total(), 389.16/557.4, 1e-12)
}

func TestTheIdealSavingIs58PercentAt179ReadsPerWrite(t *testing.T) {
	g, c := OfGebhart(), cache(t, 6, 8)
	// 1 - (2.2*1.79 + 6.7) / (8*1.79 + 11) = 0.58.
	near(t, "saving", g.IdealSaving(c, 1.79), 1-(2.2*1.79+6.7)/(8*1.79+11), 1e-12)
	near(t, "saving", g.IdealSaving(c, 1.79), 0.58, 0.0005)
	near(t, "reads per write", g.ReadsPerWrite(c, 0.58), 1.79, 0.005)
}

// Table 5's rows with the main file at 1 mm cannot all hold: energy is linear
// in the cache's distance, but the row at 0.2 mm does not lie on the line.
func TestTable5IsLinearInTheDistanceOfTheCache(t *testing.T) {
	g, c := OfGebhart(), cache(t, 6, 8)
	rapid.Check(t, func(rt *rapid.T) {
		n := func(what string) float64 { return float64(rapid.IntRange(1, 1000).Draw(rt, what)) }
		a := Accesses{n("main reads"), n("main writes"), n("cache reads"), n("cache writes")}
		reads, writes := n("reads"), n("writes")
		at := func(mm float64) float64 { return g.Relative(a, reads, writes, c, Distances{1, mm}).Total() }
		if diff := at(0.2) - (0.8*at(0) + 0.2*at(1)); math.Abs(diff) > 1e-9 {
			rt.Fatalf("off the line by %v", diff)
		}
	})
	// The printed rows at 0 and 1 mm: 0.63 and 0.87 for compute, 0.60 and 0.86 for
	// shaders. At 0.2 mm the line has 0.678 and 0.652, print 0.65 and 0.63.
	near(t, "compute", 0.8*0.63+0.2*0.87, 0.678, 1e-12)
	near(t, "shader", 0.8*0.60+0.2*0.86, 0.652, 1e-12)
}

// The rows (0, 0) and (1, 0) of table 5 give the part of the accesses kept in the main file: with r reads per
// write its mean access is e, so 0.63 (e + 7.6) - 0.76 e = 7.6 kept.
func TestTable5ImpliesTheAccessesThatAreKept(t *testing.T) {
	g := OfGebhart()
	r, w := 1.79, g.Wire.Per128()
	near(t, "wire", w, 7.6, 1e-12)
	e := (r*g.Main.Read + g.Main.Write) / (r + 1)
	near(t, "compute", (0.63*(e+w)-0.76*e)/w, 0.475, 0.0005)
	near(t, "shader", (0.60*(e+w)-0.74*e)/w, 0.433, 0.0005)
}

func TestTheWireIsThePrintedOneAtHalfAnActivity(t *testing.T) {
	w := OfGebhart().Wire
	// 0.5 * 300 fF/mm * 0.81 V^2 * 32 = 3.888 pJ/mm.
	near(t, "activity 1", w.PerMM(1), 3.888, 1e-9)
	near(t, "activity of the table", w.PerMM(w.Activity), 1.944, 1e-9)
	near(t, "print", math.Round(w.PerMM(w.Activity)*10)/10, w.Printed, 1e-9)
}

func TestTheChainOfWires(t *testing.T) {
	// 300 fF/mm at 0.9 V: 0.5 * 300 * 0.81 = 121.5 fJ/mm a transition; 32 wires of
	// half an activity 1.944 pJ/mm, printed 1.9; 128 bits 7.6 pJ/mm, 1 mm.
	want := map[string]float64{"capacitance": 300, "voltage": 0.9, "transition": 0.1215, "activity": 0.5,
		"computed": 1.944, "printed": 1.9, "access": 7.6, "distance": 1, "main": 7.6}
	steps := OfGebhart().Wire.Chain(1)
	for _, s := range steps {
		near(t, s.Name, s.Value, want[s.Name], 1e-9)
	}
	if len(steps) != len(want) {
		t.Errorf("%d steps, expected %d", len(steps), len(want))
	}
	e := OfGebhart().Energy(Accesses{MainReads: 1}, nil, Distances{Main: 2})
	near(t, "charged at 2 mm", e.MainWire, OfGebhart().Wire.Chain(2)[8].Value, 1e-9)
}

func TestTheCacheGoesWithEntriesTimesWarps(t *testing.T) {
	g := OfGebhart()
	for _, a := range g.Caches {
		for _, b := range g.Caches {
			if a.Entries*a.Active == b.Entries*b.Active && (a.Area != b.Area || a.Read != b.Read ||
				a.Write != b.Write) {
				t.Errorf("%+v and %+v have as many entries in all", a, b)
			}
		}
	}
	if len(g.Caches) != 9 {
		t.Errorf("%d caches, expected 9", len(g.Caches))
	}
	if _, err := g.Cache(5, 8); err == nil {
		t.Error("a cache of 5 entries is in no table")
	}
}

func TestTheChainOfChipPower(t *testing.T) {
	c := OfGebhart().Chip
	for name, want := range map[string]float64{ // 130 W; 86.7; 3.79; 0.569; 0.205; 3.28; 5.4 %; 3.78 %
		"chip": 130, "dynamic": 86.667, "sm": 3.7917, "rf": 0.56875, "saved": 0.20475, "chip_saved": 3.276,
		"sm_share": 0.054, "dynamic_share": 0.0378,
	} {
		got, err := c.Link(name, c.Saving)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, got, want, want*1e-4)
	}
	if _, err := c.Link("fan", c.Saving); err == nil {
		t.Error("there is no fan")
	}
}

func TestTheTechnologiesRatiosArePrintsRatios(t *testing.T) {
	perArea, perPower := []float64{1, 1, 1, 1, 1, 1, 32}, []float64{1, 1, 1, 2.5, 2.5, 7.6, 12}
	for i := range OfLTRF().List {
		x := &OfLTRF().List[i]
		a, _ := x.Factor("capacity_per_area")
		p, _ := x.Factor("capacity_per_power")
		near(t, x.Cell, a, perArea[i], 1e-9)
		near(t, x.Cell, p, perPower[i], 0.35) // 8/1.05 = 7.62 and 8/0.65 = 12.3
		if x.Banks*x.Bank != x.Capacity {
			t.Errorf("configuration %d: %v banks of %v, capacity %v", x.ID, x.Banks, x.Bank, x.Capacity)
		}
	}
	x, err := OfLTRF().Find(7)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "at half of the accesses, 20 % leakage", x.PowerAt(0.2, 0.5), 0.65*0.6, 1e-12)
}

// ran is a run with some statistics.
func ran(cycles uint64, stats map[string]uint64) *result.Result {
	r := &result.Result{Config: map[string]any{"sm.clock_mhz": int64(1000), "sm.count": int64(2),
		"mem.l2.slices": int64(3), "onchip.memory": "separate"}}
	r.Total.Cycles, r.Total.Stats = cycles, stats
	return r
}

// 1000 cycles at 1 GHz are 1 us: of 2 SMs (32 x 1.78 + 32 x 0.19 + 4 x 0.20) x 2 nJ, of 3
// slices (8 x 2.66 + 0.80) x 3 nJ.
func TestCERFChargesBanksAndLeakage(t *testing.T) {
	e, err := OfCERF().energy(ran(1000, map[string]uint64{
		"regfile.bank.reads.operand": 100, "regfile.bank.writes.result": 50,
		"mem.l1.accesses.global_load": 10, "mem.l1.hits.global_load": 7, "mem.l1.hits.global_store": 9,
		"mem.l1.fills":                3,
		"mem.l2.accesses.global_load": 3, "mem.l2.accesses.global_store": 2, "mem.l2.accesses.instruction_fetch": 100,
	}), 32)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "data", e["data"], 8*(100*4.62+50*5.97)+32*(7*0.72+3*0.61), 1e-9)
	near(t, "tag", e["tag"], 10*0.47+3*0.64, 1e-9)
	near(t, "l2", e["l2"], 8*(3*5.52+2*3.95)+5*1.05, 1e-9)
	near(t, "leakage", e["leakage"], 1e3*(2*(32*1.78+32*0.19+4*0.20)+3*(8*2.66+0.80)), 1e-6)
}

// The data of an L1 of eight banks of 16 bytes take a quarter, awake and asleep.
func TestCERFsL1MayHaveFewerBanks(t *testing.T) {
	e, err := OfCERF().energy(ran(1000, map[string]uint64{"mem.l1.hits.global_load": 7}), 8)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "data", e["data"], 8*7*0.72, 1e-9)
	near(t, "leakage", e["leakage"], 1e3*(2*(32*1.78+8*0.19+4*0.20)+3*(8*2.66+0.80)), 1e-6)
	if _, err := OfCERF().Relative(ran(9, nil), ran(9, nil), 16); err == nil ||
		!strings.Contains(err.Error(), "expected one of 32 8") {
		t.Errorf("16 banks: %v", err)
	}
}

// CERF's one memory holds lines and registers: an access of either kind is charged as an access of its data and a
// look-up of its tags.
func TestCERFsMemoryIsChargedForRegistersAndLines(t *testing.T) {
	r := ran(1000, map[string]uint64{
		"regfile.bank.reads.operand": 100, "regfile.bank.reads.line": 7, "regfile.bank.writes.result": 50,
		"regfile.bank.writes.line": 3,
		"regfile.cerf.reads":       100, "regfile.cerf.writes": 50, "mem.l1.accesses.global_load": 10,
		"mem.l1.hits.global_load": 7,
		"regfile.cerf.spills":     4, "regfile.cerf.refetches": 5, "mem.l2.accesses.spill": 9,
	})
	r.Config["onchip.memory"] = "cerf"
	for _, banks := range OfCERF().Banks {
		e, err := OfCERF().energy(r, banks)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "data", e["data"], 8*(107*4.62+53*5.97), 1e-9)
		near(t, "tag", e["tag"], 160*0.75+53*0.78, 1e-9)
		near(t, "l2", e["l2"], 8*(5*5.52+4*3.95)+9*1.05, 1e-9)
		near(t, "leakage", e["leakage"], 1e3*(2*(32*1.78+4*0.32)+3*(8*2.66+0.80)), 1e-6)
		same, err := OfCERF().Relative(r, r, banks)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "a run over itself", Total(same), 1, 1e-12)
	}
}

func TestLeakageOfTheWholeGPUGoesWithTime(t *testing.T) {
	stats := map[string]uint64{"sm.warp_instructions": 100, "sm.thread_instructions": 3200,
		"mem.dram.bytes.global_load": 640, "mem.dram.bytes.context": 128}
	half := map[string]uint64{"sm.warp_instructions": 100, "sm.thread_instructions": 3200,
		"mem.dram.bytes.global_load": 640}
	for _, leakage := range OfGPU().Leakage {
		base, err := OfGPU().Shares(ran(1000, stats), ran(1000, stats), leakage)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "a run over itself", Total(base), 1, 1e-12)
		near(t, "leakage", base["leakage"], leakage, 1e-12)
		// Faster by a quarter, and without the contexts.
		parts, err := OfGPU().Shares(ran(800, half), ran(1000, stats), leakage)
		if err != nil {
			t.Fatal(err)
		}
		all := 100*2817.6 + 3200*4.6 + (640+128)*162.5
		near(t, "total", Total(parts), 0.8*leakage+(1-leakage)*(all-128*162.5)/all, 1e-12)
		near(t, "switching", parts["switching"], 0, 0)
	}
}

// Bytes on the way to the L2 are not the DRAM's: bytes moved by the DRAM are charged
// once.
func TestBytesOfTheDRAMAreChargedOnce(t *testing.T) {
	d := OfGPU().Dynamic(map[string]uint64{"mem.dram.bytes.global_load": 100, "mem.noc.request.bytes.global_load": 8,
		"mem.noc.reply.bytes.global_load": 108,
		"mem.dram.bytes.context":          128, "mem.noc.request.bytes.context": 136})
	near(t, "dram", d["dram"], 100*162.5, 0)
	near(t, "switching", d["switching"], 128*162.5+136*12.5, 0)
}

// A register of 32 lanes going to the PCRF and back costs there as much as eight groups
// of four lanes cost in the banks.
func TestThePCRFIsChargedAsBanksAre(t *testing.T) {
	d := OfGPU().Dynamic(map[string]uint64{"regfile.finereg.pcrf_reads": 1, "regfile.finereg.pcrf_writes": 1,
		"regfile.bank.group_reads": 8, "regfile.bank.group_writes": 8})
	near(t, "PCRF", d["pcrf"], d["rf"], 1e-9)
}

// The charge of the pipeline is chosen to make the register file 15 % of an SM for an
// instruction with three operands and a result of 32 lanes.
func TestTheRegisterFileIs15PercentOfAnSM(t *testing.T) {
	d := OfGPU().Dynamic(map[string]uint64{"regfile.bank.group_reads": 24, "regfile.bank.group_writes": 8,
		"sm.warp_instructions": 1, "sm.thread_instructions": 32})
	near(t, "share", d["rf"]/Total(d), 0.15, 1e-9)
	g := OfGebhart()
	near(t, "an operand", g.Main.Read+g.Wire.Per128(), 15.6, 1e-9)
	near(t, "a result", g.Main.Write+g.Wire.Per128(), 18.6, 1e-9)
}

func TestMachinesHaveTheStatisticsThatAreCharged(t *testing.T) {
	known := map[string]bool{}
	for _, r := range []config.Request{{GPU: "fermi", Design: "rfc"}, {GPU: "gtx980"},
		{GPU: "gtx980", Design: "finereg"}, {GPU: "gtx980", Design: "scalar"},
		{GPU: "gtx980", Design: "compressed"},
		{GPU: "fermi-gto", Design: "cerf-fair"}} {
		r.Set = []string{"slice.sms=1"}
		m := machinetest.New(t, r, gpus.Options{})
		for _, s := range m.Stats() {
			known[s.Name] = true
		}
	}
	has := func(pattern string) bool {
		for name := range known {
			if ok, _ := path.Match(pattern, name); ok {
				return true
			}
		}
		return false
	}
	charged := slices.Concat(OfCERF().rows(nil, 8).Components,
		OfCERF().rows(map[string]any{OfCERF().Memory: "cerf"}, 8).Components, OfGPU().Components)
	for _, c := range charged {
		for _, s := range c.Stats {
			if !has(s) {
				t.Errorf("%s, %s: no machine has a statistic %s", c.Name, c.What, s)
			}
		}
	}
	g := OfGebhart().Timed
	for _, s := range []string{g.MainReads, g.MainWrites, g.CacheReads, g.CacheWrites} {
		if !known[s] {
			t.Errorf("no machine has a statistic %s", s)
		}
	}
}

func TestATableWithAnUnknownKeyIsRefused(t *testing.T) {
	for name, check := range map[string]func([]byte) error{
		"gebhart": func(b []byte) error { _, err := decode[Gebhart](b); return err },
		"ltrf":    func(b []byte) error { _, err := decode[Technologies](b); return err },
		"cerf":    func(b []byte) error { _, err := decode[CERF](b); return err },
		"gpu":     func(b []byte) error { _, err := decode[Activity](b); return err },
	} {
		data, err := Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := check(append([]byte("watt = 3\n"), data...)); err == nil {
			t.Errorf("%s: an unknown key was taken", name)
		}
	}
	if _, err := Text("volta"); err == nil {
		t.Error("there is no such table")
	}
}

// With a leakage of 0.2, 0.1 for a cache access, a fifth of the accesses in the main
// file and all of them in the cache, powers are 0.2 + 0.8 / 5 + 0.1 = 0.46 and
// 0.65 x 0.36 + 0.1 = 0.334.
func TestTheFitFindsWhatThePowersWereMadeOf(t *testing.T) {
	for parameter, want := range map[string]float64{"leakage": 0.2, "cache": 0.1} {
		got, err := OfLTRF().Fitted(parameter, 0.2, 1, 0.46, 0.2, 1, 0.334)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, expected %v", parameter, got, want)
		}
	}
	if _, err := OfLTRF().Fitted("area", 0.2, 1, 0.46, 0.2, 1, 0.334); err == nil {
		t.Error("a parameter of the name area was fitted")
	}
	if _, err := OfLTRF().Fitted("cache", 1, 0, 1, 1, 0, 0.65); err == nil {
		t.Error("a fit of nothing gave a number")
	}
}
