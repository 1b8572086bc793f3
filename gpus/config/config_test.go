package config

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kumiko/regfile"
	"kumiko/regfile/conventional"
	"kumiko/sm/occupancy"
)

func load(t *testing.T, gpu string, set ...string) *Config {
	t.Helper()
	c, err := Load(Request{GPU: gpu, Set: set})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// write makes GPU files in a folder of the test's own and returns the folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEveryBuiltInGPULoads(t *testing.T) {
	want := []string{"fermi", "fermi-gto", "gpgpusim-gtx480", "gpgpusim-gtx980", "gtx980", "gtx980-sm52", "h100",
		"h100-pcie", "h200", "maxwell", "maxwell-322", "rtx-2070s", "rtx-3060", "rtx-a6000", "tesla-c2050", "titan-v"}
	if d := cmp.Diff(want, Names()); d != "" {
		t.Error(d)
	}
	for _, n := range Names() {
		if c := load(t, n); c.Doc == "" {
			t.Errorf("%s has no description", n)
		}
	}
}

// without reports whether a parameter belongs to a block absent from the GPU.
func without(c *Config, key string) bool {
	if c.Mem.Backing == "dram" {
		return strings.HasPrefix(key, "mem.fixed.")
	}
	for _, s := range []string{"mem.noc.", "mem.map.", "mem.l2.", "mem.dram."} {
		if strings.HasPrefix(key, s) {
			return true
		}
	}
	return false
}

// No parameter of a built-in GPU is zero by omission, has no unit, no
// description, or no source.
func TestEveryParameterOfEveryBuiltInGPUIsSetAndSourced(t *testing.T) {
	for _, n := range Names() {
		c := load(t, n)
		for _, p := range c.Params() {
			if without(c, p.Key) {
				continue
			}
			if p.Where == "" || p.Source == "" || p.Unit == "" || p.Doc == "" {
				t.Errorf("%s: %s: set at %q, source %q, unit %q, description %q", n, p.Key, p.Where, p.Source, p.Unit,
					p.Doc)
			}
		}
	}
}

func TestTheGTX980HasTheSizesOfFineRegTable1(t *testing.T) {
	want := occupancy.SM{Registers: 256 << 10 / 4, SharedBytes: 96 << 10, Threads: 2048, Warps: 64, CTAs: 32,
		CTAShared: 48 << 10, MaxRegisters: 255}
	c := load(t, "gtx980")
	if c.Capacity() != want {
		t.Errorf("capacity %+v, want %+v", c.Capacity(), want)
	}
	if c.SM.Count != 16 || c.SM.ClockMHz != 1126 || c.SM.Schedulers != 4 || c.SM.Scheduler.Policy != "gto" {
		t.Errorf("%d SMs, %d MHz, %d schedulers, %s", c.SM.Count, c.SM.ClockMHz, c.SM.Schedulers, c.SM.Scheduler.Policy)
	}
}

func TestTheGTX980HasTheMemoryOfFineRegTable1(t *testing.T) {
	m := load(t, "gtx980").Mem
	if l1 := m.L1.Tags.Bytes(); l1 != 48<<10 || m.L1.Tags.Ways != 8 {
		t.Errorf("L1 of %d bytes, %d ways", l1, m.L1.Tags.Ways)
	}
	if l2 := m.L2.Bytes(); l2 != 2048<<10 || m.L2.Tags.Ways != 8 {
		t.Errorf("L2 of %d bytes, %d ways", l2, m.L2.Tags.Ways)
	}
	if peak := m.DRAM.Peak() * float64(m.DRAM.Channels); peak < 352.45e9 || peak > 352.55e9 {
		t.Errorf("DRAM of %g bytes per second, want 352.5e9", peak)
	}
}

func TestTheGTX980HasTheRegisterFileThatItsPackageTests(t *testing.T) {
	got := regfile.SpecOf[conventional.Spec](load(t, "gtx980").RegFile.Settings())
	want := conventional.Default()
	if d := cmp.Diff(&want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("gtx980 (- conventional.Default, + file):\n%s", d)
	}
}

func TestAnInlineTableReplacesATableAndAHeaderAddsToIt(t *testing.T) {
	if c := load(t, "gtx980", "sm.units.sp.class={}").SM.Units["sp"].Class; len(c) != 0 {
		t.Errorf("classes %v, want none", c)
	}
	c := load(t, "gtx980", "sm.units.sp.class={move=[7,1]}", "sm.units.sp.class.fma=[9,2]").SM.Units["sp"].Class
	if len(c) != 2 || c["move"][0] != 7 || c["fma"][1] != 2 {
		t.Errorf("classes %v, want move and fma", c)
	}
}

func TestAnArrayOfTablesIsReplacedAsAWhole(t *testing.T) {
	dir := write(t, map[string]string{
		"a.toml": "base = \"gtx980\"\n[[regfile.conventional.collector_sets]]\nunits = [\"sfu\"]\ncount = 2\n" +
			"[[regfile.conventional.collector_sets]]\nunits = [\"lsu\"]\ncount = 1\n",
		"b.toml": "base = \"a.toml\"\nregfile.conventional.collector_sets = [{units = [\"sp\"], count = 3}]\n",
	})
	sets := func(name string) []conventional.CollectorSet {
		return regfile.SpecOf[conventional.Spec](load(t, filepath.Join(dir, name)).RegFile.Settings()).CollectorSets
	}
	if a := sets("a.toml"); len(a) != 2 || a[1].Count != 1 || a[1].Units[0] != "lsu" {
		t.Errorf("a: %+v", a)
	}
	if b := sets("b.toml"); len(b) != 1 || b[0].Count != 3 || len(b[0].Units) != 1 || b[0].Units[0] != "sp" {
		t.Errorf("b: %+v", b)
	}
}

// peak is the bandwidth of the DRAM pins, in GB/s.
func peak(c *Config) float64 { return c.Mem.DRAM.Peak() * float64(c.Mem.DRAM.Channels) / 1e9 }

func TestTheOtherGPUsHaveTheSizesOfTheirTables(t *testing.T) {
	for _, k := range []struct {
		gpu                              string
		sms, warps, ctas, rf, shared, l1 int
		l2                               int // KB, as rf, shared, l1
		gbs                              float64
		policy                           string
	}{
		{"tesla-c2050", 14, 48, 8, 128, 48, 16, 768, 144, "lrr"},         // Register Sharing table 1
		{"fermi-gto", 15, 48, 8, 128, 48, 16, 768, 177.4, "gto"},         // CERF table I
		{"maxwell", 24, 64, 32, 256, 64, 16, 2048, 172.8, "lrr"},         // LTRF table 3
		{"maxwell-322", 24, 64, 32, 256, 64, 16, 2048, 345.6, "lrr"},     // LTRF table 3, two DRAM chips per controller
		{"gpgpusim-gtx480", 15, 48, 8, 128, 48, 16, 768, 177.4, "gto"},   // GPGPU-Sim
		{"gpgpusim-gtx980", 16, 64, 32, 256, 96, 48, 2048, 224.4, "gto"}, // GPGPU-Sim
	} {
		c := load(t, k.gpu)
		got := []int{c.SM.Count, c.SM.Warps, c.SM.CTAs, c.SM.Registers / 256, c.SM.SharedBytes >> 10,
			c.Mem.L1.Tags.Bytes() >> 10, c.Mem.L2.Bytes() >> 10}
		if d := cmp.Diff([]int{k.sms, k.warps, k.ctas, k.rf, k.shared, k.l1, k.l2}, got); d != "" {
			t.Errorf("%s: %s", k.gpu, d)
		}
		if math.Abs(peak(c)-k.gbs) > 0.05 || c.SM.Scheduler.Policy != k.policy {
			t.Errorf("%s: %.2f GB/s, want %.1f; %s", k.gpu, peak(c), k.gbs, c.SM.Scheduler.Policy)
		}
	}
}

// None of the papers gives the number of outstanding misses of an L1. The files of the simulators do.
func TestAnL1Has128MissRegistersWhereThePaperIsSilent(t *testing.T) {
	want := map[string]int{"gpgpusim-gtx480": 64, "gpgpusim-gtx980": 256, "tesla-c2050": 32, // GPGPU-Sim
		"rtx-a6000": 384, "rtx-2070s": 384, "h100": 384, // Huerta et al., their simulator
		"h100-pcie": 384, "h200": 384, "rtx-3060": 384, "titan-v": 384} // as those
	for _, gpu := range Names() {
		n := want[gpu]
		if n == 0 {
			n = 128
		}
		if got := load(t, gpu).Mem.L1.MSHR.Entries; got != n {
			t.Errorf("%s: %d registers, want %d", gpu, got, n)
		}
	}
}

// configs/TeslaC2050 of GPGPU-Sim 3.2.2.
func TestTheTeslaC2050HasTheMemoryOfTheSimulatorsFile(t *testing.T) {
	m := load(t, "tesla-c2050").Mem
	for _, v := range []struct {
		what      string
		got, want int
	}{
		{"L1 miss registers", m.L1.MSHR.Entries, 32}, {"merges", m.L1.MSHR.Merges, 8},
		{"L2 miss registers", m.L2.MSHR.Entries, 32}, {"merges", m.L2.MSHR.Merges, 4},
		{"DRAM queue", m.DRAM.Queue, 16}, {"bytes of a flit", m.NoC.Flit, 32}, {"network", m.NoC.Latency, 4},
		{"link", m.NoC.Lane, 1}, {"shared memory", m.Shared.Latency, 3}, {"L1 hit", m.L1.Latency, 4},
	} {
		if v.got != v.want {
			t.Errorf("%s: %d, want %d", v.what, v.got, v.want)
		}
	}
}

func TestFermiHasTheLatenciesOfGebhartTable4(t *testing.T) {
	c := load(t, "fermi")
	if c.SM.Schedulers != 1 || c.SM.Warps != 32 || c.SM.Registers*4 != 128<<10 {
		t.Errorf("%d schedulers, %d warps, %d registers", c.SM.Schedulers, c.SM.Warps, c.SM.Registers)
	}
	// The result bus adds the last cycle.
	if a, s := c.SM.Units["alu"].Latency, c.SM.Units["sfu"].Latency; a+1 != 8 || s+1 != 20 {
		t.Errorf("ALU %d and SFU %d cycles, want 8 and 20", a+1, s+1)
	}
}

func TestAFileInheritsAndOverridesSingleValuesDownToOneKeyOfATable(t *testing.T) {
	dir := write(t, map[string]string{
		"a.toml": "base = \"gtx980\"\n[sm]\ncount = 4\n[sm.units.sp]\nlatency = 7\n",
		"b.toml": "base = \"a.toml\"\nsched.policy = \"lrr\"\nsm.units.sp.class.move = [3, 2]\n",
	})
	c := load(t, filepath.Join(dir, "b.toml"))
	sp := c.SM.Units["sp"]
	if c.SM.Count != 4 || sp.Latency != 7 || sp.Count != 4 || c.SM.Scheduler.Policy != "lrr" || c.SM.Warps != 64 {
		t.Errorf("%d SMs, sp %+v, %s, %d warps", c.SM.Count, sp, c.SM.Scheduler.Policy, c.SM.Warps)
	}
	if m, s := sp.Class["move"], sp.Class["shuffle"]; m[0] != 3 || m[1] != 2 || s[0] != 32 {
		t.Errorf("move %v, shuffle %v", m, s)
	}
	if again := load(t, "gtx980"); again.SM.Units["sp"].Class["move"][0] != 4 {
		t.Error("the file changed the built-in GPU")
	}
}

func TestMistakesAreToldWithTheirPlace(t *testing.T) {
	for name, k := range map[string]struct{ text, want string }{
		"unknown key": {"base = \"gtx980\"\n[sm]\ncuont = 4\n",
			`f.toml:3:1: unknown key sm.cuont; did you mean sm.count?`},
		"unknown section": {"base = \"gtx980\"\n\n[smm]\ncount = 4\n",
			`f.toml:3:2: unknown key smm; did you mean sm?`},
		"setting of an unknown section": {"base = \"gtx980\"\nregfile.rcf.entries = 4\n",
			`f.toml:2:1: unknown key regfile.rcf.entries; did you mean regfile.rfc.entries?`},
		"unknown setting of an unknown section": {"base = \"gtx980\"\nregfil.rcf.entires = 4\n",
			`f.toml:2:1: unknown key regfil.rcf.entires; did you mean regfile.rfc.entries?`},
		"setting of an unknown section that has no such": {"base = \"gtx980\"\nregfile.rcf.colour = 4\n",
			`f.toml:2:1: unknown key regfile.rcf.colour; did you mean regfile.rfc?`},
		"wrong type": {"base = \"gtx980\"\nsm.count = \"four\"\n",
			`f.toml:2:12: sm.count: found a string, expected an integer`},
		"a fraction": {"base = \"gtx980\"\nsm.count = 16.5\n",
			`f.toml:2:12: sm.count: found a number with a fraction, expected an integer`},
		"a table": {"base = \"gtx980\"\nsm.count.x = 1\n",
			`f.toml:2:1: sm.count.x: sm.count is an integer and has no keys`},
		"a value": {"base = \"gtx980\"\nsm = 3\n", `f.toml:2:6: sm: found an integer, expected a table`},
		"an array's member": {"base = \"gtx980\"\nsm.units.sp.classes = [\"int\", 3]\n",
			`f.toml:2:31: sm.units.sp.classes: found an integer as element 2, expected an array of strings`},
		"impossible": {"base = \"gtx980\"\n[sm]\n  count = 0\n",
			`f.toml:3:3: sm.count: found 0, expected 1 to 1024`},
		"impossible policy": {"base = \"gtx980\"\nsched.policy = \"luck\"\n",
			`f.toml:2:1: sched.policy: found luck, expected `},
		"by consequence": {"base = \"gtx980\"\n\nsm.schedulers = 16\n", `f.toml:3:1: sm.units.`},
		"by consequence of a key that the message names": {
			"base = \"gtx980\"\n[sm]\nschedulers = 3\nthreads = 1024\n",
			`f.toml:3:1: sm.units.sfu.count: found 4, expected a multiple of the 3 schedulers, or shared = true; `},
		"dram times": {"base = \"gtx980\"\n[mem.dram]\ntrcd = 50\n",
			`f.toml:3:1: mem.dram.tras: found 30, expected at least trcd (50); gtx980.toml:188:1 sets it`},
		"dram times of a row": {"base = \"gtx980\"\n[mem.dram]\ntras = 100\n",
			`f.toml:3:1: mem.dram.trc: found `},
		"idle schedulers": {"base = \"gtx980\"\nsm.warps = 3\n",
			`f.toml:2:1: sm.warps: found 3, expected 1 to 64 per scheduler: 4 to 256`},
		"a table's key": {"base = \"gtx980\"\n[[regfile.conventional.collector_sets]]\nunit = [\"sp\"]\n",
			`f.toml:3:1: unknown key regfile.conventional.collector_sets.0.unit; did you mean `},
		"no kind": {"base = \"gtx980\"\n[regfile]\nkind = \"magic\"\n",
			`f.toml:3:1: regfile.kind: found magic, expected bow, cerf, compressed, conventional`},
		"no kind's setting": {"base = \"gtx980\"\n[regfile.conventional]\nbanks = 0\n",
			`f.toml:3:1: regfile.conventional.banks: found 0, expected `},
		"set twice":         {"base = \"gtx980\"\nsm.count = 4\nsm.count = 5\n", `f.toml:3:1: `},
		"too large":         {"base = \"gtx980\"\nsm.count = 99999999999999999999\n", `f.toml:2:12: `},
		"syntax":            {"base = \"gtx980\"\nsm.count = \n", `f.toml:2:`},
		"no such base":      {"base = \"gtx98\"\n", `f.toml:1:8: no GPU named "gtx98"; expected one of `},
		"missing base file": {"base = \"none.toml\"\n", `f.toml:1:8: GPU file `},
		"own base":          {"base = \"f.toml\"\n", `f.toml:1:8: base "f.toml": inheritance loop`},
		"longer loop":       {"base = \"g.toml\"\n", `g.toml:1:8: base "f.toml": inheritance loop`},
		"incomplete":        {"sm.count = 4\n", `f.toml:1:1: found no base, expected base = `},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"f.toml": k.text, "g.toml": "base = \"f.toml\"\n"})
			_, err := Load(Request{GPU: filepath.Join(dir, "f.toml")})
			if err == nil || !strings.HasPrefix(err.Error(), dir+"/"+k.want) {
				t.Errorf("error %v\nwant %s...", err, k.want)
			}
		})
	}
}

func TestAllMistakesOfAFileAreToldAtOnce(t *testing.T) {
	dir := write(t, map[string]string{"f.toml": "base = \"gtx980\"\nsm.count = \"x\"\nsm.cuont = 2\nsm.warps = true\n" +
		"[schd]\npolicy = \"lrr\"\n"})
	_, err := Load(Request{GPU: filepath.Join(dir, "f.toml")})
	if err == nil || strings.Count(err.Error(), "f.toml:") != 4 {
		t.Errorf("error %v, want four lines", err)
	}
}

func TestASettingIsALineOfTheFileWithoutQuotes(t *testing.T) {
	c := load(t, "gtx980", "sm.count=4", "sched.policy=lrr", `occupancy.rule="cuda"`, "sm.units.sp.class.move=[4,1]")
	if c.SM.Count != 4 || c.SM.Scheduler.Policy != "lrr" || c.Occupancy.Rule != "cuda" ||
		c.SM.Units["sp"].Class["move"][0] != 4 {
		t.Errorf("%d, %s, %s, %v", c.SM.Count, c.SM.Scheduler.Policy, c.Occupancy.Rule, c.SM.Units["sp"].Class)
	}
}

func TestABadSettingNamesItself(t *testing.T) {
	for s, want := range map[string]string{
		"sm.count=x":   "--set sm.count=x: sm.count: found x, expected an integer",
		"sm.count=1.5": "--set sm.count=1.5: sm.count: found a number with a fraction, expected an integer",
		"sm.cuont=1":   "--set sm.cuont=1: unknown key sm.cuont; did you mean sm.count?",
		"regfile.rcf.entries=4": "--set regfile.rcf.entries=4: unknown key regfile.rcf.entries; did you mean " +
			"regfile.rfc.entries?",
		"sm.count":              "--set sm.count: expected key=value",
		"sm=1":                  "--set sm=1: sm is a table",
		"sm.count=0":            "--set sm.count=0: sm.count: found 0, expected 1 to 1024",
		"sm.schedulers=16":      "--set sm.schedulers=16: sm.units.",
		"sm.count=4\nsm.ctas=1": "--set sm.count=4\nsm.ctas=1: sm.count: found",
		"regfile.kind=magic":    "--set regfile.kind=magic: regfile.kind: found magic, expected bow, cerf, c",
		"sched.policy=luck":     "--set sched.policy=luck: sched.policy: found luck",
	} {
		_, err := Load(Request{GPU: "gtx980", Set: []string{s}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v\nwant %s...", s, err, want)
		}
	}
}

func TestTheHashIsOfTheHardwareAlone(t *testing.T) {
	dir := write(t, map[string]string{"f.toml": "base = \"gtx980\"\ndoc = \"another name\"\nsm.count = 16 # as it " +
		"was\n"})
	plain, named := load(t, "gtx980").Hash(), load(t, filepath.Join(dir, "f.toml")).Hash()
	if plain != named {
		t.Error("a name and a comment changed the hash")
	}
	if len(plain) != 64 || plain == load(t, "gtx980", "sm.count=15").Hash() || plain == load(t, "fermi").Hash() {
		t.Error("different hardware has the same hash")
	}
	if plain != load(t, "gtx980", "sm.units.sp.latency=4").Hash() {
		t.Error("setting a value to what it is changed the hash")
	}
}

func TestDesignsAreListedAndAnUnknownOneIsRefused(t *testing.T) {
	d, err := Designs()
	if err != nil || len(d) == 0 {
		t.Fatal(d, err)
	}
	for _, x := range d {
		if x.Doc == "" {
			t.Errorf("design %s has no description", x.Name)
		}
	}
	_, err = Load(Request{GPU: "gtx980", Design: "magic"})
	if err == nil || !strings.Contains(err.Error(), `no design named "magic"; expected one of `) {
		t.Errorf("error %v", err)
	}
}
