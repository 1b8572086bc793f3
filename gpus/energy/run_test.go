package energy

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/regfile"
)

const own = `
source = "a paper, table 1"
[[component]]
name  = "banks"
what  = "reads"
stats = ["regfile.bank.reads.*"]
times = 8
pj    = 2.5
[[component]]
name   = "banks"
stats  = ["regfile.bank.writes.result"]
pj     = 4
source = "a paper, table 2"
[[component]]
name     = "cache"
stats    = ["regfile.mine.hits"]
pj       = 1
optional = true
[[leak]]
name  = "leakage"
banks = 4
per   = "sm.count"
mw    = 2
`

func parsed(t *testing.T, text string) *Table {
	t.Helper()
	table, err := Parse("mine.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// charge returns the energy of a run by a model.
func charge(t *testing.T, m Model, r *result.Result) *result.Energy {
	t.Helper()
	c, err := m.Charges(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// small is a run of 1000 cycles at 1 GHz on two SMs.
func small() *result.Result {
	r := ran(1000, map[string]uint64{"regfile.bank.reads.operand": 100, "regfile.bank.reads.eviction": 20,
		"regfile.bank.writes.result": 50, "regfile.collector.operations": 10, "regfile.bow.reads": 0})
	r.Total.WarpInstructions = 40
	return r
}

func TestARunsEnergyIsEventsTimesEnergyAndPowerTimesTime(t *testing.T) {
	e := charge(t, parsed(t, own), small())
	// 120 x 8 x 2.5 = 2400 pJ; 50 x 4 = 200 pJ; 4 x 2 mW in each of 2 SMs over 1 us = 16 nJ.
	if len(e.Rows) != 3 || len(e.Blocks) != 2 {
		t.Fatalf("%d rows and %d blocks, want 3 and 2: %+v", len(e.Rows), len(e.Blocks), e)
	}
	near(t, "reads", e.Rows[0].PJ, 2400, 1e-9)
	near(t, "writes", e.Rows[1].PJ, 200, 1e-9)
	near(t, "leakage", e.Rows[2].PJ, 16000, 1e-9)
	near(t, "power", e.Rows[2].PowerMW, 16, 1e-9)
	near(t, "time", e.Rows[2].Microseconds, 1, 1e-9)
	near(t, "banks", e.Blocks[0].PJ, 2600, 1e-9)
	near(t, "banks per instruction", e.Blocks[0].PJPerWarpInstruction, 65, 1e-9)
	near(t, "share of the banks", e.Blocks[0].Share, 2600.0/18600, 1e-12)
	near(t, "whole", e.PJ, 18600, 1e-9)
	near(t, "whole per instruction", e.PJPerWarpInstruction, 465, 1e-9)
	if r := e.Rows[0]; r.Events != 120 || !slices.Equal(r.Statistics,
		[]string{"regfile.bank.reads.eviction", "regfile.bank.reads.operand"}) {
		t.Errorf("reads are %d of %v", r.Events, r.Statistics)
	}
}

func TestEveryRowKeepsTheSourceOfItsNumber(t *testing.T) {
	e := charge(t, parsed(t, own), small())
	for i, want := range []string{"a paper, table 1", "a paper, table 2", "a paper, table 1"} {
		if got := e.Rows[i].Source; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	for _, name := range Names() {
		m, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := small()
		r.Total.Stats["sm.warp_instructions"], r.Total.Stats["regfile.bank.group_reads"] = 40, 3
		e := charge(t, m, r)
		if len(e.Rows) == 0 {
			t.Errorf("%s has no rows", name)
		}
		for _, r := range e.Rows {
			if r.Source == "" {
				t.Errorf("%s: %s, %s has no source", name, r.Block, r.What)
			}
		}
	}
}

func TestBlocksWithEventsThatNoRowChargesAreListed(t *testing.T) {
	if e := charge(t, parsed(t, own), small()); !slices.Equal(e.Uncharged, []string{"regfile.collector"}) {
		t.Errorf("%v, want the collector alone: the cache without a hit has no energy", e.Uncharged)
	}
}

func TestATableAddsItsRowsToTheOneThatItExtends(t *testing.T) {
	r := small()
	r.Total.Stats["sm.warp_instructions"], r.Total.Stats["regfile.bank.group_reads"] = 40, 3
	e, base := charge(t, parsed(t, "extends = \"gpu\"\n"+own), r), charge(t, OfGPU(), r)
	near(t, "whole", e.PJ, base.PJ+18600, 1e-9)
	if !strings.HasSuffix(e.Source, "; a paper, table 1") || len(e.Notes) != 1 {
		t.Errorf("source %q, notes %v", e.Source, e.Notes)
	}
}

// Studies and runs are charged by one model.
func TestARunIsChargedAsInStudies(t *testing.T) {
	r := ran(1000, map[string]uint64{"regfile.bank.reads.operand": 100, "regfile.bank.writes.result": 50,
		"mem.l1.accesses.global_load": 10, "mem.l1.hits.global_load": 7, "mem.l2.accesses.global_load": 3,
		"regfile.bank.group_reads": 90, "regfile.bank.group_writes": 40, "regfile.rfc.group_reads": 30,
		"regfile.rfc.group_writes": 20, "sm.warp_instructions": 40, "mem.dram.bytes.global_load": 640})
	maps.Copy(r.Config, map[string]any{"regfile.kind": "rfc", "regfile.rfc.entries": 6, "sched.policy": "two-level",
		"sched.active": 8})
	blocks := func(m Model) map[string]float64 {
		out := map[string]float64{}
		for _, b := range charge(t, m, r).Blocks {
			out[b.Block] = b.PJ
		}
		return out
	}
	cerf, err := OfCERF().energy(r, 32)
	if err != nil {
		t.Fatal(err)
	}
	g := OfGebhart()
	b := g.Energy(g.AccessesOf(r), cache(t, 6, 8), Distances{Main: 1, Cache: 0.2})
	for name, x := range map[string]struct {
		model Model
		want  map[string]float64
	}{
		"cerf": {OfCERF(), cerf},
		"gpu":  {OfGPU(), OfGPU().Dynamic(r.Total.Stats)},
		"gebhart": {g, map[string]float64{"main_array": b.MainArray, "main_wire": b.MainWire,
			"cache_array": b.CacheArray, "cache_wire": b.CacheWire}},
	} {
		got := blocks(x.model)
		for block, want := range x.want {
			near(t, name+" "+block, got[block], want, 1e-9)
		}
		near(t, name, Total(got), Total(x.want), 1e-9)
	}
}

func TestACacheThatIsInNoTableIsRefused(t *testing.T) {
	config := map[string]any{"regfile.kind": "rfc", "regfile.rfc.entries": 5, "sched.policy": "two-level",
		"sched.active": 8}
	_, err := OfGebhart().Charges(config)
	if err == nil || !strings.Contains(err.Error(), "no register file cache of 5 entries for 8 active warps; expected "+
		"4, 6 or 8 of each; --set regfile.rfc.entries=6 and --set sched.active=8 are the paper's") {
		t.Errorf("5 entries: %v", err)
	}
	config["sched.policy"] = "gto"
	_, err = OfGebhart().Charges(config)
	if err == nil || !strings.Contains(err.Error(), "--set sched.policy=two-level") {
		t.Errorf("a cache of all warps: %v", err)
	}
}

// A cache of 40 entries lies halfway between the smallest of 16 and the largest of 64: 2.3 and 7.35 pJ, and 1.52 pJ
// for 0.2 mm. The main file has 15.6 and 18.6 pJ an access, and the PCRF eight of them for a register. A word
// and a stride have 10 pJ, and 3.8 pJ for half the wires of 128 bits. An addition has 0.1 pJ: 61 of them compare the
// lanes of a result for a stride, and 31 make the operands of the lanes.
func TestTheEnergyOfARegisterFileIsThatOfItsBanksAndOfTheArraysInFront(t *testing.T) {
	r := &result.Result{Storage: []regfile.State{{Block: "Cache", What: "tags", Count: 1, Bits: 1},
		{Block: "Cache", What: "registers", Count: 2, Bits: 80 * 1024, Width: 1024}}}
	r.Total.Stats = map[string]uint64{"regfile.bank.group_reads": 10, "regfile.bank.group_writes": 5,
		"regfile.rfc.group_reads": 100, "regfile.rfc.group_writes": 50, "regfile.finereg.pcrf_reads": 3,
		"regfile.scalar.reads.affine": 7, "regfile.scalar.writes.uniform": 2, "regfile.scalar.reads.vector": 9}
	got := RegisterFile(r)
	near(t, "main", got[MainFile], 10*15.6+5*18.6, 1e-9)
	near(t, "cache", got[FileCache], 100*(2.3+1.52)+50*(7.35+1.52), 1e-9)
	near(t, "pcrf", got[Pending], 3*8*15.6, 1e-9)
	near(t, "scalar", got[Scalars], (7+2)*13.8, 1e-9)
	near(t, "adders", got[Adders], 2*6.1+7*3.1, 1e-9)
	r.Total.Stats = map[string]uint64{"regfile.compressed.writes.byte": 4, "regfile.compressed.writes.full": 1,
		"regfile.compressed.decompressed": 6}
	near(t, "adders of compressors", RegisterFile(r)[Adders], (4+1+6)*3.1, 1e-9)
}
